"""Constant padding: constant_pad_nd.

The result is filled with the constant, and the part of the input that remains is copied to its place. If nothing
is added, the result is a copy of that part.
"""

from minitorch.core.tensor_impl cimport TensorImpl, empty_tuple, ndim, sizes, sizes_tuple
from minitorch.ops.common.copy cimport clone, copy_, fill_
from minitorch.ops.common.memory_format cimport in_format, suggest_memory_format
from minitorch.ops.shape.slices cimport slice_dim


cdef TensorImpl constant_pad_nd(TensorImpl self, tuple pad, object value=0):
    cdef Py_ssize_t n = len(pad), dims = ndim(self), k, before, after, size
    cdef int d
    cdef bint grows = False
    cdef TensorImpl part = self, inside, result
    if n % 2:
        raise RuntimeError(f"Length of pad must be even but instead it equals {n}")
    if n // 2 > dims:
        raise RuntimeError(
            "Length of pad should be no more than twice the number of dimensions of the input. Pad "
            f"length is {n}while the input has {dims}dimensions.")
    shape = list(sizes_tuple(self))
    for k in range(n // 2):
        d = dims - 1 - k
        before, after, size = pad[2 * k], pad[2 * k + 1], sizes(self)[d]
        shape[d] = size + before + after
        if size + min(before, 0) + min(after, 0) < 0:
            raise RuntimeError("narrow(): length must be non-negative.")
        grows = grows or before > 0 or after > 0
        if before < 0 or after < 0:
            part = slice_dim(part, d, max(-before, 0), size - max(-after, 0), 1)
    if not grows:
        return clone(part)
    result = fill_(in_format(empty_tuple(tuple(shape), self.dtype), suggest_memory_format(self)), value)
    inside = result
    for k in range(n // 2):
        d = dims - 1 - k
        before = max(<Py_ssize_t>pad[2 * k], 0)
        inside = slice_dim(inside, d, before, before + sizes(part)[d], 1)
    copy_(inside, part)
    return result
