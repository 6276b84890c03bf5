"""Operators with a Python number: the tensor form with the number wrapped."""

from minitorch.core.tensor_impl cimport TensorImpl, wrap_number
from minitorch.ops.binary cimport pow


cdef TensorImpl pow_scalar(TensorImpl self, object exponent, TensorImpl out=None):
    return pow(self, wrap_number(exponent), out)


cdef TensorImpl pow_number(object self, TensorImpl exponent, TensorImpl out=None):
    return pow(wrap_number(self), exponent, out)
