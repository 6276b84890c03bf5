# Cumulative sums, products and extremes along one dimension.

from minitorch.core.tensor_impl cimport TensorImpl

# dtype of the computation and the result; integers and bool are added and multiplied in int64
cdef TensorImpl cumsum(TensorImpl self, Py_ssize_t dim, int dtype=*, TensorImpl out=*)
cdef TensorImpl cumprod(TensorImpl self, Py_ssize_t dim, int dtype=*, TensorImpl out=*)
cdef TensorImpl logcumsumexp(TensorImpl self, Py_ssize_t dim, TensorImpl out=*)
# (values, indices)
cdef tuple cummax(TensorImpl self, Py_ssize_t dim, TensorImpl values=*, TensorImpl indices=*)
cdef tuple cummin(TensorImpl self, Py_ssize_t dim, TensorImpl values=*, TensorImpl indices=*)
