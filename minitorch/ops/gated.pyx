"""glu: one half of a dimension, gated by the other."""

from minitorch.core.dtype cimport Float32, is_floating, is_reduced_floating
from minitorch.core.tensor_impl cimport TensorImpl, ndim, sizes, wrap_dim, wrap_number
from minitorch.ops.binary cimport mul, sub
from minitorch.ops.checks cimport not_implemented
from minitorch.ops.copy cimport cast
from minitorch.ops.joining cimport cat
from minitorch.ops.slices cimport slice_dim
from minitorch.ops.unary cimport sigmoid


cdef TensorImpl glu(TensorImpl self, Py_ssize_t dim=-1):
    cdef int d
    cdef Py_ssize_t size
    cdef TensorImpl wide
    if ndim(self) == 0:
        raise RuntimeError("glu does not support 0-dimensional tensors")
    d = wrap_dim(dim, ndim(self))
    size = sizes(self)[d]
    if size % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {d} is size {size}")
    if not is_floating(self.dtype):
        raise not_implemented("glu_cpu", self.dtype)
    wide = cast(self, Float32) if is_reduced_floating(self.dtype) else self
    return cast(mul(slice_dim(wide, d, 0, size // 2, 1),
                    sigmoid(slice_dim(wide, d, size // 2, size, 1))), self.dtype)


cdef TensorImpl glu_backward(TensorImpl grad_output, TensorImpl self, Py_ssize_t dim):
    cdef int d = wrap_dim(dim, ndim(self))
    cdef Py_ssize_t size = sizes(self)[d]
    cdef TensorImpl value = slice_dim(self, d, 0, size // 2, 1)
    cdef TensorImpl gate = sigmoid(slice_dim(self, d, size // 2, size, 1))
    cdef TensorImpl slope = mul(mul(mul(grad_output, value), gate), sub(wrap_number(1), gate))
    return cat([mul(grad_output, gate), slope], d)
