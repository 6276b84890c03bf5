"""Bytes of Bool tensors that are neither 0 nor 1.

A program can view any bytes as Bool, from uint8, NumPy or a buffer, and each that is not 0 is true. Kernels that
ask "is it 0" need nothing; those that compare, sort or add the bytes themselves are given the copy that
`plain_bools` makes.
"""

from minitorch.core.dtype cimport Bool, UInt8
from minitorch.core.tensor_impl cimport TensorImpl, alias, data, numel
from minitorch.ops.copy cimport cast, contiguous


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
