"""Gated linear units: one half of a dimension, gated by the other."""

from minitorch.core.dtype cimport Float32, class_name, has_float_kernels, is_complex, is_reduced_floating
from minitorch.core.tensor_impl cimport TensorImpl, empty_like, ndim, sizes, wrap_dim, wrap_number
from minitorch.ops.common.checks cimport not_implemented
from minitorch.ops.common.copy cimport cast, clone, contiguous
from minitorch.ops.common.output cimport check_can_cast
from minitorch.ops.elementwise.binary cimport mul, sub
from minitorch.ops.elementwise.unary cimport sigmoid
from minitorch.ops.shape.joining cimport cat
from minitorch.ops.shape.slices cimport slice_dim


cdef int _halved(TensorImpl self, Py_ssize_t dim) except -1:
    """Return the wrapped dimension; raise if its size is odd."""
    cdef int d
    if ndim(self) == 0:
        raise RuntimeError("glu does not support 0-dimensional tensors")
    d = wrap_dim(dim, ndim(self))
    if sizes(self)[d] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {d} is size {sizes(self)[d]}")
    return d


cdef TensorImpl glu(TensorImpl self, Py_ssize_t dim=-1):
    cdef int d = _halved(self, dim)
    cdef Py_ssize_t size = sizes(self)[d]
    cdef TensorImpl wide
    if not has_float_kernels(self.dtype):
        raise not_implemented("glu_cpu", self.dtype)
    wide = cast(self, Float32) if is_reduced_floating(self.dtype) else self
    return cast(mul(slice_dim(wide, d, 0, size // 2, 1),
                    sigmoid(slice_dim(wide, d, size // 2, size, 1))), self.dtype)


cdef TensorImpl glu_backward(TensorImpl grad_output, TensorImpl self, Py_ssize_t dim):
    cdef int d = _halved(self, dim)
    cdef Py_ssize_t size = sizes(self)[d]
    cdef TensorImpl value = slice_dim(self, d, 0, size // 2, 1)
    cdef TensorImpl gate = slice_dim(self, d, size // 2, size, 1), to_value, to_gate
    if not has_float_kernels(self.dtype) and not is_complex(self.dtype):
        check_can_cast(Float32, self.dtype)
    gate = sigmoid(gate)
    to_value = clone(gate) if gate.dtype == grad_output.dtype else empty_like(gate, grad_output.dtype)
    mul(to_value, grad_output, to_value)
    if self.dtype != grad_output.dtype:
        raise RuntimeError(f"Found dtype {class_name(grad_output.dtype)} but expected {class_name(self.dtype)}")
    if is_complex(self.dtype):
        raise not_implemented("glu_backward_cpu", self.dtype)
    to_gate = mul(mul(mul(grad_output, value), gate), sub(wrap_number(1), gate))
    return contiguous(cat([to_value, to_gate], d))
