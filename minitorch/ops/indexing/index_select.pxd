# Whole slices along one dimension, selected by an index of at most one dimension.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl index_select(TensorImpl self, Py_ssize_t dim, TensorImpl index, TensorImpl out=*)
cdef TensorImpl index_select_backward(TensorImpl grad, tuple self_sizes, Py_ssize_t dim,
                                      TensorImpl index)
cdef TensorImpl index_add(TensorImpl self, Py_ssize_t dim, TensorImpl index, TensorImpl source,
                          object alpha=*, TensorImpl out=*)
cdef TensorImpl index_copy(TensorImpl self, Py_ssize_t dim, TensorImpl index, TensorImpl source,
                           TensorImpl out=*)
# out is `self` or None: index_fill has no out=
cdef TensorImpl index_fill(TensorImpl self, Py_ssize_t dim, TensorImpl index, object value,
                           TensorImpl out=*)
cdef TensorImpl index_fill_tensor(TensorImpl self, Py_ssize_t dim, TensorImpl index,
                                  TensorImpl value, TensorImpl out=*)
# reduce: "prod", "mean", "amax" or "amin"
cdef TensorImpl index_reduce(TensorImpl self, Py_ssize_t dim, TensorImpl index, TensorImpl source,
                             str reduce, bint include_self=*, TensorImpl out=*)
