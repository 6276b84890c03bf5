"""Operators with a Python number: the tensor form, with the number wrapped in a tensor."""

from minitorch.core.dtype cimport is_complex
from minitorch.core.tensor_impl cimport TensorImpl, wrap_number
from minitorch.ops.elementwise.binary cimport add, mul, sub
from minitorch.ops.elementwise.binary_functions cimport pow
from minitorch.ops.elementwise.division cimport div


cdef TensorImpl pow_scalar(TensorImpl self, object exponent, TensorImpl out=None):
    return pow(self, wrap_number(exponent), out)


cdef TensorImpl pow_number(object self, TensorImpl exponent, TensorImpl out=None):
    return pow(wrap_number(self), exponent, out)


cdef TensorImpl add_scalar(TensorImpl self, object other):
    return add(self, wrap_number(other))


cdef TensorImpl sub_scalar(TensorImpl self, object other):
    return sub(self, wrap_number(other))


cdef TensorImpl subtract_scalar(TensorImpl self, object other, object alpha, TensorImpl out=None):
    return sub(self, wrap_number(other), alpha, out)


cdef TensorImpl mul_scalar(TensorImpl self, object other, TensorImpl out=None):
    return mul(self, wrap_number(other), out)


cdef TensorImpl div_scalar(TensorImpl self, object other, TensorImpl out=None):
    return div(self, wrap_number(other), None, out)


cdef TensorImpl _turned(TensorImpl self, double factor, str name, TensorImpl out):
    if is_complex(self.dtype):
        raise RuntimeError(f"{name} is not supported for complex tensors.")
    return mul(self, wrap_number(factor), out)


cdef TensorImpl deg2rad(TensorImpl self, TensorImpl out=None):
    return _turned(self, 0.017453292519943295, "deg2rad", out)


cdef TensorImpl rad2deg(TensorImpl self, TensorImpl out=None):
    return _turned(self, 57.29577951308232, "rad2deg", out)
