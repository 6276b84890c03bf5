# Single elements along one dimension, or of the whole tensor, chosen by an index tensor.

from minitorch.core.tensor_impl cimport TensorImpl
from minitorch.kernels.indexing.scatter cimport ScatterOp

# The name of each PyTorch overload is part of the function name: scatter.src, .value, .reduce, .value_reduce, and
# scatter_reduce.two
cdef TensorImpl gather(TensorImpl self, Py_ssize_t dim, TensorImpl index, bint sparse_grad=*,
                       TensorImpl out=*)
cdef TensorImpl gather_backward(TensorImpl grad, tuple self_sizes, Py_ssize_t dim,
                                TensorImpl index)
cdef TensorImpl scatter_src(TensorImpl self, Py_ssize_t dim, TensorImpl index, TensorImpl src,
                            TensorImpl out=*)
cdef TensorImpl scatter_value(TensorImpl self, Py_ssize_t dim, TensorImpl index, object value,
                              TensorImpl out=*)
cdef TensorImpl scatter_src_reduce(TensorImpl self, Py_ssize_t dim, TensorImpl index,
                                   TensorImpl src, str reduce, TensorImpl out=*)
cdef TensorImpl scatter_value_reduce(TensorImpl self, Py_ssize_t dim, TensorImpl index,
                                     object value, str reduce, TensorImpl out=*)
cdef TensorImpl scatter_add(TensorImpl self, Py_ssize_t dim, TensorImpl index, TensorImpl src,
                            TensorImpl out=*)
cdef TensorImpl scatter_reduce(TensorImpl self, Py_ssize_t dim, TensorImpl index, TensorImpl src,
                               str reduce, bint include_self=*, TensorImpl out=*)
cdef TensorImpl take(TensorImpl self, TensorImpl index, TensorImpl out=*)
cdef TensorImpl take_backward(TensorImpl grad, tuple self_sizes, TensorImpl index)
# out is `self` or None
cdef TensorImpl put(TensorImpl self, TensorImpl index, TensorImpl source, bint accumulate=*,
                    TensorImpl out=*)
cdef TensorImpl take_along_dim(TensorImpl self, TensorImpl indices, object dim=*, TensorImpl out=*)

# The neutral element of a reduction in this dtype: 0 for a sum, 1 for a product
cdef object neutral_element(int dtype, ScatterOp op)
