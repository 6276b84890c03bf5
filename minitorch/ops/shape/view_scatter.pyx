"""Writes into a part of a copy, and copies of views.

`x.select_scatter(src, 0, 1)` is the out-of-place form of `x[1] = src`: it copies `x` and overwrites the view in
the copy. The copy has the strides and the whole storage of the original, so that the same view of both selects
the same elements.
"""

from minitorch.core.dtype cimport itemsizes
from minitorch.core.overlap cimport has_internal_overlap
from minitorch.core.tensor_impl cimport (
    TensorImpl, as_strided_impl, same_sizes, sizes, sizes_tuple, ndim, strides)
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, clone, copy_
from minitorch.ops.shape.complex_parts cimport view_as_complex, view_as_real
from minitorch.ops.shape.slices cimport (
    diagonal, narrow, select, slice, split, split_with_sizes, unbind, unfold)
from minitorch.ops.shape.transposes cimport permute, t, transpose
from minitorch.ops.shape.views cimport (
    alias, as_strided, expand, squeeze, squeeze_dim, squeeze_dims, unsqueeze, view, view_dtype)


cdef TensorImpl clone_preserve_strides(TensorImpl self):
    cdef Py_ssize_t length, step = 1
    cdef TensorImpl whole
    if has_internal_overlap(self):
        return clone(self)
    length = self.storage.nbytes // itemsizes[self.dtype]
    whole = clone(as_strided_impl(self, 1, &length, &step, 0))
    return as_strided_impl(whole, ndim(self), sizes(self), strides(self), self.storage_offset)


cdef TensorImpl _written(TensorImpl result, TensorImpl part, TensorImpl src):
    if not same_sizes(src.geometry, part.geometry):
        raise RuntimeError("expected src to have a size equal to the slice of self. src size = "
                           f"{list(sizes_tuple(src))}, slice size = {list(sizes_tuple(part))}")
    copy_(part, src)
    return result


cdef TensorImpl select_scatter(TensorImpl self, TensorImpl src, Py_ssize_t dim, Py_ssize_t index):
    cdef TensorImpl result = clone_preserve_strides(self)
    return _written(result, select(result, dim, index), src)


cdef TensorImpl slice_scatter(TensorImpl self, TensorImpl src, Py_ssize_t dim=0, object start=None,
                              object end=None, Py_ssize_t step=1):
    cdef TensorImpl result = clone_preserve_strides(self)
    return _written(result, slice(result, dim, start, end, step), src)


cdef TensorImpl diagonal_scatter(TensorImpl self, TensorImpl src, Py_ssize_t offset=0,
                                 Py_ssize_t dim1=0, Py_ssize_t dim2=1):
    cdef TensorImpl result = clone_preserve_strides(self)
    return _written(result, diagonal(result, offset, dim1, dim2), src)


cdef TensorImpl as_strided_scatter(TensorImpl self, TensorImpl src, tuple size, tuple stride,
                                   object storage_offset=None):
    cdef TensorImpl result = clone_preserve_strides(self)
    return _written(result, as_strided(result, size, stride, storage_offset), src)


# ---- copies of views

cdef TensorImpl alias_copy(TensorImpl self):
    return clone(alias(self), CONTIGUOUS_FORMAT)


cdef TensorImpl as_strided_copy(TensorImpl self, tuple size, tuple stride,
                                object storage_offset=None):
    return clone(as_strided(self, size, stride, storage_offset), CONTIGUOUS_FORMAT)


cdef TensorImpl diagonal_copy(TensorImpl self, Py_ssize_t offset=0, Py_ssize_t dim1=0,
                              Py_ssize_t dim2=1):
    return clone(diagonal(self, offset, dim1, dim2), CONTIGUOUS_FORMAT)


cdef TensorImpl expand_copy(TensorImpl self, tuple size, bint implicit=False):
    return clone(expand(self, size, implicit), CONTIGUOUS_FORMAT)


cdef TensorImpl narrow_copy(TensorImpl self, Py_ssize_t dim, Py_ssize_t start,
                            Py_ssize_t length):
    if ndim(self) and dim >= ndim(self):
        raise RuntimeError(
            "Expected dim < static_cast<int64_t>(self_sizes.size()) to be true, but got false.  "
            "(Could this error message be improved?  If so, please report an enhancement request "
            "to PyTorch.)")
    if length < 0:
        narrow(self, dim, 0, 0)         # raises for a wrong dimension first
        size = sizes(self)[dim if dim >= 0 else dim + ndim(self)]
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return clone(narrow(self, dim, start, length), CONTIGUOUS_FORMAT)


cdef TensorImpl permute_copy(TensorImpl self, tuple dims):
    return clone(permute(self, dims), CONTIGUOUS_FORMAT)


cdef TensorImpl select_copy(TensorImpl self, Py_ssize_t dim, Py_ssize_t index):
    return clone(select(self, dim, index), CONTIGUOUS_FORMAT)


cdef TensorImpl slice_copy(TensorImpl self, Py_ssize_t dim=0, object start=None, object end=None,
                           Py_ssize_t step=1):
    return clone(slice(self, dim, start, end, step), CONTIGUOUS_FORMAT)


cdef TensorImpl squeeze_copy(TensorImpl self):
    return clone(squeeze(self), CONTIGUOUS_FORMAT)


cdef TensorImpl squeeze_copy_dim(TensorImpl self, Py_ssize_t dim):
    return clone(squeeze_dim(self, dim), CONTIGUOUS_FORMAT)


cdef TensorImpl squeeze_copy_dims(TensorImpl self, tuple dim):
    return clone(squeeze_dims(self, dim), CONTIGUOUS_FORMAT)


cdef TensorImpl t_copy(TensorImpl self):
    return clone(t(self), CONTIGUOUS_FORMAT)


cdef TensorImpl transpose_copy(TensorImpl self, Py_ssize_t dim0, Py_ssize_t dim1):
    return clone(transpose(self, dim0, dim1), CONTIGUOUS_FORMAT)


cdef TensorImpl unfold_copy(TensorImpl self, Py_ssize_t dimension, Py_ssize_t size,
                            Py_ssize_t step):
    return clone(unfold(self, dimension, size, step), CONTIGUOUS_FORMAT)


cdef TensorImpl unsqueeze_copy(TensorImpl self, Py_ssize_t dim):
    return clone(unsqueeze(self, dim), CONTIGUOUS_FORMAT)


cdef TensorImpl view_copy(TensorImpl self, tuple size):
    return view(clone(self, CONTIGUOUS_FORMAT), size)


cdef TensorImpl view_copy_dtype(TensorImpl self, int dtype):
    return clone(view_dtype(self, dtype), CONTIGUOUS_FORMAT)


cdef TensorImpl view_as_real_copy(TensorImpl self):
    return clone(view_as_real(self), CONTIGUOUS_FORMAT)


cdef TensorImpl view_as_complex_copy(TensorImpl self):
    return clone(view_as_complex(self), CONTIGUOUS_FORMAT)


cdef list _copies(list views):
    cdef TensorImpl part
    return [clone(part, CONTIGUOUS_FORMAT) for part in views]


cdef list split_copy(TensorImpl self, Py_ssize_t split_size, Py_ssize_t dim=0):
    return _copies(split(self, split_size, dim))


cdef list split_with_sizes_copy(TensorImpl self, tuple split_sizes, Py_ssize_t dim=0):
    return _copies(split_with_sizes(self, split_sizes, dim))


cdef list unbind_copy(TensorImpl self, Py_ssize_t dim=0):
    return _copies(unbind(self, dim))
