# The elements of one tensor in another order, or repeated: repeat, roll, flip, triangles.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl repeat(TensorImpl self, tuple repeats)
cdef TensorImpl repeat_backward(TensorImpl grad, tuple repeats, tuple input_shape)
cdef TensorImpl tile(TensorImpl self, tuple dims)
cdef TensorImpl roll(TensorImpl self, tuple shifts, tuple dims)
cdef TensorImpl flip(TensorImpl self, tuple dims)
cdef TensorImpl fliplr(TensorImpl self)
cdef TensorImpl flipud(TensorImpl self)
cdef TensorImpl rot90(TensorImpl self, Py_ssize_t k=*, tuple dims=*)
cdef TensorImpl tril(TensorImpl self, Py_ssize_t diagonal=*, TensorImpl out=*)
cdef TensorImpl triu(TensorImpl self, Py_ssize_t diagonal=*, TensorImpl out=*)
