# Special functions of torch.special, computed by SciPy's loops or by kernels of our own.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl i0(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_i0e(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_i1(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_i1e(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_entr(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_erfcx(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_ndtri(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_log_ndtr(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_bessel_j0(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_bessel_j1(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_bessel_y0(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_bessel_y1(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_modified_bessel_i0(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_modified_bessel_i1(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_modified_bessel_k0(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_modified_bessel_k1(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_scaled_modified_bessel_k0(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_scaled_modified_bessel_k1(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_spherical_bessel_j0(TensorImpl self, TensorImpl out=*)
cdef TensorImpl special_airy_ai(TensorImpl self, TensorImpl out=*)

# eps: a number or None
cdef TensorImpl logit(TensorImpl self, object eps=*, TensorImpl out=*)
cdef TensorImpl sinc(TensorImpl self, TensorImpl out=*)
# n: at least 0
cdef TensorImpl polygamma(Py_ssize_t n, TensorImpl self, TensorImpl out=*)
cdef TensorImpl mvlgamma(TensorImpl self, Py_ssize_t p, TensorImpl out=*)
cdef TensorImpl ldexp(TensorImpl self, TensorImpl other, TensorImpl out=*)
# mantissa, exponent
cdef tuple frexp(TensorImpl self)

# of two variables
cdef TensorImpl special_xlog1py(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl special_zeta(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl igamma(TensorImpl self, TensorImpl other, TensorImpl out=*)
cdef TensorImpl igammac(TensorImpl self, TensorImpl other, TensorImpl out=*)

# polynomials
cdef TensorImpl special_chebyshev_polynomial_t(TensorImpl x, TensorImpl n, TensorImpl out=*)
cdef TensorImpl special_chebyshev_polynomial_u(TensorImpl x, TensorImpl n, TensorImpl out=*)
cdef TensorImpl special_chebyshev_polynomial_v(TensorImpl x, TensorImpl n, TensorImpl out=*)
cdef TensorImpl special_chebyshev_polynomial_w(TensorImpl x, TensorImpl n, TensorImpl out=*)
cdef TensorImpl special_shifted_chebyshev_polynomial_t(TensorImpl x, TensorImpl n,
                                                       TensorImpl out=*)
cdef TensorImpl special_shifted_chebyshev_polynomial_u(TensorImpl x, TensorImpl n,
                                                       TensorImpl out=*)
cdef TensorImpl special_shifted_chebyshev_polynomial_v(TensorImpl x, TensorImpl n,
                                                       TensorImpl out=*)
cdef TensorImpl special_shifted_chebyshev_polynomial_w(TensorImpl x, TensorImpl n,
                                                       TensorImpl out=*)
cdef TensorImpl special_hermite_polynomial_h(TensorImpl x, TensorImpl n, TensorImpl out=*)
cdef TensorImpl special_hermite_polynomial_he(TensorImpl x, TensorImpl n, TensorImpl out=*)
cdef TensorImpl special_laguerre_polynomial_l(TensorImpl x, TensorImpl n, TensorImpl out=*)
cdef TensorImpl special_legendre_polynomial_p(TensorImpl x, TensorImpl n, TensorImpl out=*)
