# Reductions over all dimensions, for PyTorch's overloads without `dim`.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl sum_all(TensorImpl self, int dtype)
cdef TensorImpl mean_all(TensorImpl self, int dtype)
cdef TensorImpl trace(TensorImpl self)                # of a matrix
