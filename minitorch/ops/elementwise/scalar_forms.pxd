# Operators whose second operand is a Python number, where PyTorch's derivative or node name differs from the
# tensor form.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl pow_scalar(TensorImpl self, object exponent, TensorImpl out=*)
cdef TensorImpl pow_number(object self, TensorImpl exponent, TensorImpl out=*)
cdef TensorImpl add_scalar(TensorImpl self, object other)
cdef TensorImpl sub_scalar(TensorImpl self, object other)
cdef TensorImpl subtract_scalar(TensorImpl self, object other, object alpha, TensorImpl out=*)
cdef TensorImpl mul_scalar(TensorImpl self, object other, TensorImpl out=*)
cdef TensorImpl div_scalar(TensorImpl self, object other, TensorImpl out=*)
cdef TensorImpl deg2rad(TensorImpl self, TensorImpl out=*)
cdef TensorImpl rad2deg(TensorImpl self, TensorImpl out=*)
