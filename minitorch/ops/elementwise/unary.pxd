# Functions of one tensor.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl neg(TensorImpl self, TensorImpl out=*)
cdef TensorImpl abs(TensorImpl self, TensorImpl out=*)
cdef TensorImpl sign(TensorImpl self, TensorImpl out=*)
cdef TensorImpl sgn(TensorImpl self, TensorImpl out=*)
cdef TensorImpl signbit(TensorImpl self, TensorImpl out=*)
cdef TensorImpl square(TensorImpl self, TensorImpl out=*)

# integers and bool are computed in the default floating-point type
cdef TensorImpl sqrt(TensorImpl self, TensorImpl out=*)
cdef TensorImpl rsqrt(TensorImpl self, TensorImpl out=*)
cdef TensorImpl reciprocal(TensorImpl self, TensorImpl out=*)
cdef TensorImpl exp(TensorImpl self, TensorImpl out=*)
cdef TensorImpl exp2(TensorImpl self, TensorImpl out=*)
cdef TensorImpl expm1(TensorImpl self, TensorImpl out=*)
cdef TensorImpl log(TensorImpl self, TensorImpl out=*)
cdef TensorImpl log2(TensorImpl self, TensorImpl out=*)
cdef TensorImpl log10(TensorImpl self, TensorImpl out=*)
cdef TensorImpl log1p(TensorImpl self, TensorImpl out=*)
cdef TensorImpl sin(TensorImpl self, TensorImpl out=*)
cdef TensorImpl cos(TensorImpl self, TensorImpl out=*)
cdef TensorImpl tan(TensorImpl self, TensorImpl out=*)
cdef TensorImpl asin(TensorImpl self, TensorImpl out=*)
cdef TensorImpl acos(TensorImpl self, TensorImpl out=*)
cdef TensorImpl atan(TensorImpl self, TensorImpl out=*)
cdef TensorImpl sinh(TensorImpl self, TensorImpl out=*)
cdef TensorImpl cosh(TensorImpl self, TensorImpl out=*)
cdef TensorImpl tanh(TensorImpl self, TensorImpl out=*)
cdef TensorImpl asinh(TensorImpl self, TensorImpl out=*)
cdef TensorImpl acosh(TensorImpl self, TensorImpl out=*)
cdef TensorImpl atanh(TensorImpl self, TensorImpl out=*)
cdef TensorImpl sigmoid(TensorImpl self, TensorImpl out=*)
cdef TensorImpl erf(TensorImpl self, TensorImpl out=*)
cdef TensorImpl erfc(TensorImpl self, TensorImpl out=*)
cdef TensorImpl erfinv(TensorImpl self, TensorImpl out=*)
cdef TensorImpl lgamma(TensorImpl self, TensorImpl out=*)
cdef TensorImpl digamma(TensorImpl self, TensorImpl out=*)

# rounding: integers are unchanged
cdef TensorImpl floor(TensorImpl self, TensorImpl out=*)
cdef TensorImpl ceil(TensorImpl self, TensorImpl out=*)
cdef TensorImpl trunc(TensorImpl self, TensorImpl out=*)
cdef TensorImpl round(TensorImpl self, Py_ssize_t decimals=*, TensorImpl out=*)
cdef TensorImpl frac(TensorImpl self, TensorImpl out=*)

# predicates: Bool
cdef TensorImpl isnan(TensorImpl self)
cdef TensorImpl isinf(TensorImpl self)
cdef TensorImpl isfinite(TensorImpl self)

# nan, posinf, neginf: a number or None for PyTorch's default
cdef TensorImpl nan_to_num(TensorImpl self, object nan=*, object posinf=*, object neginf=*,
                           TensorImpl out=*)
# The conjugate, computed immediately; `self` if it is real
cdef TensorImpl conj(TensorImpl self)
cdef TensorImpl conj_physical(TensorImpl self, TensorImpl out=*)
cdef TensorImpl angle(TensorImpl self, TensorImpl out=*)
