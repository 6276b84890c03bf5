# Rows of a table, and one-hot vectors.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl embedding(TensorImpl weight, TensorImpl indices, Py_ssize_t padding_idx=*,
                          bint scale_grad_by_freq=*, bint sparse=*)
cdef TensorImpl embedding_dense_backward(TensorImpl grad_output, TensorImpl indices,
                                         Py_ssize_t num_weights, Py_ssize_t padding_idx,
                                         bint scale_grad_by_freq)
cdef TensorImpl one_hot(TensorImpl self, Py_ssize_t num_classes=*)
