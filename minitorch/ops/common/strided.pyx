"""Operators that only the autograd graph needs, such as copies with given strides."""

from minitorch.core.dtype cimport NoType
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, as_strided_impl, empty, ndim, read_sizes, sizes)
from minitorch.ops.common.copy cimport PRESERVE_FORMAT, copy_, empty_in_format, fill_, zero_


cdef TensorImpl strided_copy(TensorImpl self, tuple strides):
    cdef Py_ssize_t[MAX_DIMS] s
    cdef Py_ssize_t extent = 1
    cdef int d
    cdef TensorImpl result
    if read_sizes(strides, s) != ndim(self):
        raise RuntimeError("mismatch in length of strides and shape")
    for d in range(ndim(self)):
        if s[d] < 0:
            raise RuntimeError(f"strided_copy: negative strides are not supported, got {strides}")
        if sizes(self)[d] == 0:
            extent = 0
            break
        extent += (sizes(self)[d] - 1) * s[d]
    result = as_strided_impl(empty(1, &extent, self.dtype), ndim(self), sizes(self), s, 0)
    return copy_(result, self)


cdef TensorImpl to_copy(TensorImpl self, int dtype=NoType, int memory_format=PRESERVE_FORMAT):
    cdef TensorImpl result = empty_in_format(self, self.dtype if dtype == NoType else dtype,
                                             memory_format)
    return copy_(result, self)


cdef TensorImpl fill_from(TensorImpl self, TensorImpl value):
    if ndim(value):
        raise RuntimeError("fill_ only supports 0-dimension value tensor but got tensor with "
                           f"{ndim(value)} dimensions.")
    return copy_(self, value)


cdef TensorImpl filled_with(TensorImpl self, object value):
    return fill_(empty_in_format(self, self.dtype, PRESERVE_FORMAT), value)


cdef TensorImpl filled_from(TensorImpl self, TensorImpl value):
    return fill_from(empty_in_format(self, self.dtype, PRESERVE_FORMAT), value)


cdef TensorImpl copy_from(TensorImpl self, TensorImpl src, bint non_blocking):
    return copy_(self, src)


cdef TensorImpl copied(TensorImpl self, TensorImpl src, bint non_blocking):
    return copy_(empty_in_format(self, self.dtype, PRESERVE_FORMAT), src)


cdef TensorImpl zeroed(TensorImpl self):
    return zero_(empty_in_format(self, self.dtype, PRESERVE_FORMAT))
