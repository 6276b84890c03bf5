# Arithmetic on two tensors. A Python number is passed as a 0-dim tensor with is_wrapped_number.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl add(TensorImpl self, TensorImpl other, object alpha=*, TensorImpl out=*)
cdef TensorImpl sub(TensorImpl self, TensorImpl other, object alpha=*, TensorImpl out=*)
cdef TensorImpl rsub(TensorImpl self, TensorImpl other, object alpha=*, TensorImpl out=*)
cdef TensorImpl mul(TensorImpl self, TensorImpl other, TensorImpl out=*)
# rounding_mode: None (true division), "trunc" or "floor"
cdef TensorImpl div(TensorImpl self, TensorImpl other, object rounding_mode=*, TensorImpl out=*)
cdef TensorImpl floor_divide(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl remainder(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl fmod(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl pow(TensorImpl self, TensorImpl exponent, TensorImpl out=*)
cdef TensorImpl maximum(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl minimum(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl fmax(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl fmin(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl atan2(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl hypot(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl copysign(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl nextafter(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl logaddexp(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl logaddexp2(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl xlogy(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl gcd(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl lcm(TensorImpl self, TensorImpl other, TensorImpl out=*)
