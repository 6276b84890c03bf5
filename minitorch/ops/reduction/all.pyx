"""Reductions over all dimensions."""

from minitorch.core.dtype cimport Bool, NoType
from minitorch.core.tensor_impl cimport TensorImpl, ndim
from minitorch.ops.common.checks cimport CARRIED, not_implemented, reject_dtypes
from minitorch.ops.reduction.reduction cimport mean, sum
from minitorch.ops.shape.slices cimport diagonal


cdef TensorImpl sum_all(TensorImpl self, int dtype):
    return sum(self, None, False, dtype)


cdef TensorImpl mean_all(TensorImpl self, int dtype):
    return mean(self, None, False, dtype)


cdef TensorImpl trace(TensorImpl self):
    reject_dtypes(self.dtype, CARRIED, "trace")
    if self.dtype == Bool:
        raise not_implemented("trace", Bool)
    if ndim(self) != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {ndim(self)}")
    return sum(diagonal(self, 0, 0, 1), None, False, NoType)
