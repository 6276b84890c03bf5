# Quotients and remainders of two tensors, elementwise.

from minitorch.core.tensor_impl cimport TensorImpl

# rounding_mode: None (true division), "trunc" or "floor"
cdef TensorImpl div(TensorImpl self, TensorImpl other, object rounding_mode=*, TensorImpl out=*)
cdef TensorImpl floor_divide(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl remainder(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl fmod(TensorImpl self, TensorImpl other, TensorImpl out=*)
