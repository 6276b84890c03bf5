# Operators whose second operand is a Python number, where PyTorch's derivative differs from the
# tensor form's.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl pow_scalar(TensorImpl self, object exponent, TensorImpl out=*)
cdef TensorImpl pow_number(object self, TensorImpl exponent, TensorImpl out=*)
