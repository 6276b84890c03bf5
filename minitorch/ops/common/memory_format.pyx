"""The memory format suggested by the strides of a tensor, as in PyTorch's suggest_memory_format."""

from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, channels_last_strides, ndim, sizes, strides)
from minitorch.ops.common.copy cimport (
    CHANNELS_LAST_3D_FORMAT, CHANNELS_LAST_FORMAT, CONTIGUOUS_FORMAT, clone, contiguous)


cdef int suggest_memory_format(TensorImpl self) noexcept:
    cdef int n = ndim(self), k, d
    cdef Py_ssize_t least = 0
    cdef Py_ssize_t* size = sizes(self)
    cdef Py_ssize_t* stride = strides(self)
    if n != 4 and n != 5 or stride[1] == 0:
        return CONTIGUOUS_FORMAT
    # from the dimension with the smallest stride to the one with the largest: C, W, H, (D,) N
    for k in range(n):
        d = 1 if k == 0 else 0 if k == n - 1 else n - k
        if size[d] == 0 or stride[d] < least or (d == 0 and least == stride[1]):
            return CONTIGUOUS_FORMAT
        least = stride[d] * (size[d] if size[d] > 1 else 1)
    return CHANNELS_LAST_FORMAT if n == 4 else CHANNELS_LAST_3D_FORMAT


cdef TensorImpl in_format(TensorImpl self, int memory_format):
    cdef Py_ssize_t[MAX_DIMS] wanted
    cdef int d
    if memory_format == CONTIGUOUS_FORMAT:
        return contiguous(self)
    channels_last_strides(ndim(self), sizes(self), wanted)
    for d in range(ndim(self)):
        if strides(self)[d] != wanted[d]:
            return clone(self, memory_format)
    return self
