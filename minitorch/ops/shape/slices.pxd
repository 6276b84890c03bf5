# Views of a part: select, slice, split, diagonal, windows. The result shares storage and version counter with
# `self`. Operators with several results return a list.

from minitorch.core.tensor_impl cimport TensorImpl

# slice() for a dimension that has been checked; start and end follow Python's slices and are clamped here
cdef TensorImpl slice_dim(TensorImpl self, int dim, Py_ssize_t start, Py_ssize_t end,
                          Py_ssize_t step)
# select() for a dimension and an index that have been checked
cdef TensorImpl select_dim(TensorImpl self, int dim, Py_ssize_t index)

cdef TensorImpl select(TensorImpl self, Py_ssize_t dim, Py_ssize_t index)
cdef TensorImpl slice(TensorImpl self, Py_ssize_t dim=*, object start=*, object end=*,
                      Py_ssize_t step=*)
cdef TensorImpl narrow(TensorImpl self, Py_ssize_t dim, Py_ssize_t start, Py_ssize_t length)
cdef list split(TensorImpl self, Py_ssize_t split_size, Py_ssize_t dim=*)
cdef list split_with_sizes(TensorImpl self, tuple split_sizes, Py_ssize_t dim=*)
cdef list chunk(TensorImpl self, Py_ssize_t chunks, Py_ssize_t dim=*)
cdef list tensor_split_sections(TensorImpl self, Py_ssize_t sections, Py_ssize_t dim=*)
cdef list tensor_split_indices(TensorImpl self, tuple indices, Py_ssize_t dim=*)
cdef list tensor_split_tensor(TensorImpl self, TensorImpl tensor_indices_or_sections,
                              Py_ssize_t dim=*)
cdef list unbind(TensorImpl self, Py_ssize_t dim=*)
cdef TensorImpl diagonal(TensorImpl self, Py_ssize_t offset=*, Py_ssize_t dim1=*, Py_ssize_t dim2=*)
cdef TensorImpl unfold(TensorImpl self, Py_ssize_t dimension, Py_ssize_t size, Py_ssize_t step)
# The same, but the results have version counters of their own: a write to one of them is not noticed for the
# others
cdef list unsafe_split(TensorImpl self, Py_ssize_t split_size, Py_ssize_t dim=*)
cdef list unsafe_split_with_sizes(TensorImpl self, tuple split_sizes, Py_ssize_t dim=*)
