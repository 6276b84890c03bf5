"""Bool tensors with bytes other than 0 and 1.

A program can view any bytes as Bool (from uint8, NumPy or a buffer), and every nonzero byte counts as true.
Kernels that only test for 0 can take such bytes as they are. Kernels that compare, sort or add the bytes
themselves need the copy that `plain_bools` makes.
"""

from minitorch.core.dtype cimport Bool, UInt8
from minitorch.core.tensor_impl cimport TensorImpl, alias, data, numel
from minitorch.ops.common.copy cimport cast, contiguous


cdef bint _is_plain(const unsigned char* bytes, Py_ssize_t n) noexcept nogil:
    cdef unsigned char all_bits = 0
    cdef Py_ssize_t i
    for i in range(n):
        all_bits |= bytes[i]
    return all_bits <= 1


cdef TensorImpl plain_bools(TensorImpl self):
    cdef TensorImpl as_bytes
    if self.dtype != Bool or _is_plain(<const unsigned char*>data(contiguous(self)), numel(self)):
        return self
    as_bytes = alias(self)
    as_bytes.dtype = UInt8
    as_bytes = cast(as_bytes, Bool)
    as_bytes.is_wrapped_number = self.is_wrapped_number
    return as_bytes
