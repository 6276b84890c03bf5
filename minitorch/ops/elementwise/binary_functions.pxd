# Powers, maxima and other functions of two tensors, elementwise.

from minitorch.core.tensor_impl cimport TensorImpl

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
