# Copies of a tensor with another tensor written into a part of it, and copies of views, with PyTorch's names.

from minitorch.core.tensor_impl cimport TensorImpl

# A copy of the whole storage, with the strides and the offset of `self`
cdef TensorImpl clone_preserve_strides(TensorImpl self)

# `src` must have the shape of the part
cdef TensorImpl select_scatter(TensorImpl self, TensorImpl src, Py_ssize_t dim, Py_ssize_t index)
cdef TensorImpl slice_scatter(TensorImpl self, TensorImpl src, Py_ssize_t dim=*, object start=*,
                              object end=*, Py_ssize_t step=*)
cdef TensorImpl diagonal_scatter(TensorImpl self, TensorImpl src, Py_ssize_t offset=*,
                                 Py_ssize_t dim1=*, Py_ssize_t dim2=*)
cdef TensorImpl as_strided_scatter(TensorImpl self, TensorImpl src, tuple size, tuple stride,
                                   object storage_offset=*)

# The view of the same name, copied to new memory
cdef TensorImpl alias_copy(TensorImpl self)
cdef TensorImpl as_strided_copy(TensorImpl self, tuple size, tuple stride,
                                object storage_offset=*)
cdef TensorImpl diagonal_copy(TensorImpl self, Py_ssize_t offset=*, Py_ssize_t dim1=*,
                              Py_ssize_t dim2=*)
cdef TensorImpl expand_copy(TensorImpl self, tuple size, bint implicit=*)
cdef TensorImpl narrow_copy(TensorImpl self, Py_ssize_t dim, Py_ssize_t start, Py_ssize_t length)
cdef TensorImpl permute_copy(TensorImpl self, tuple dims)
cdef TensorImpl select_copy(TensorImpl self, Py_ssize_t dim, Py_ssize_t index)
cdef TensorImpl slice_copy(TensorImpl self, Py_ssize_t dim=*, object start=*, object end=*,
                           Py_ssize_t step=*)
cdef TensorImpl squeeze_copy(TensorImpl self)
cdef TensorImpl squeeze_copy_dim(TensorImpl self, Py_ssize_t dim)
cdef TensorImpl squeeze_copy_dims(TensorImpl self, tuple dim)
cdef TensorImpl t_copy(TensorImpl self)
cdef TensorImpl transpose_copy(TensorImpl self, Py_ssize_t dim0, Py_ssize_t dim1)
cdef TensorImpl unfold_copy(TensorImpl self, Py_ssize_t dimension, Py_ssize_t size,
                            Py_ssize_t step)
cdef TensorImpl unsqueeze_copy(TensorImpl self, Py_ssize_t dim)
cdef TensorImpl view_copy(TensorImpl self, tuple size)
cdef TensorImpl view_copy_dtype(TensorImpl self, int dtype)
cdef TensorImpl view_as_real_copy(TensorImpl self)
cdef TensorImpl view_as_complex_copy(TensorImpl self)
cdef list split_copy(TensorImpl self, Py_ssize_t split_size, Py_ssize_t dim=*)
cdef list split_with_sizes_copy(TensorImpl self, tuple split_sizes, Py_ssize_t dim=*)
cdef list unbind_copy(TensorImpl self, Py_ssize_t dim=*)
