# x[i, j] with index tensors and masks. `indices` is a list of TensorImpl and None, one entry for each dimension;
# a mask covers as many dimensions as it has. Missing entries at the end are None.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl index(TensorImpl self, list indices)
cdef TensorImpl index_put_(TensorImpl self, list indices, TensorImpl values, bint accumulate=*)
cdef TensorImpl index_put(TensorImpl self, list indices, TensorImpl values, bint accumulate=*)
# The gradient of index: summed into zeros of these sizes
cdef TensorImpl index_backward(TensorImpl grad, tuple self_sizes, list indices)
