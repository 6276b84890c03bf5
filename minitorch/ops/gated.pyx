"""glu: one half of a dimension, gated by the other."""

from minitorch.core.dtype cimport is_floating
from minitorch.core.tensor_impl cimport TensorImpl, ndim, sizes, wrap_dim
from minitorch.ops.binary cimport mul
from minitorch.ops.checks cimport not_implemented
from minitorch.ops.slices cimport slice_dim
from minitorch.ops.unary cimport sigmoid


cdef TensorImpl glu(TensorImpl self, Py_ssize_t dim=-1):
    cdef int d
    cdef Py_ssize_t size
    if ndim(self) == 0:
        raise RuntimeError("glu does not support 0-dimensional tensors")
    d = wrap_dim(dim, ndim(self))
    size = sizes(self)[d]
    if size % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {d} is size {size}")
    if not is_floating(self.dtype):
        raise not_implemented("glu_cpu", self.dtype)
    return mul(slice_dim(self, d, 0, size // 2, 1), sigmoid(slice_dim(self, d, size // 2, size, 1)))
