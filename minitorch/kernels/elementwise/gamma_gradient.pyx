"""The implicit derivative of a gamma sample with respect to its parameter.

A sample x of Gamma(a, 1) at a fixed quantile satisfies P(a, x) = const, where P is the regularised incomplete
gamma function. So dx/da = -(dP/da) / (dP/dx). P is differentiated term by term: below x = a + 1 as a power
series, above it as Legendre's continued fraction of Q = 1 - P. Both are divided by the density dP/dx, which
cancels the exponentials. From a = 100,000 on, the quantile is computed by Wilson and Hilferty's cube, which is
exact to a millionth there.

References
----------
Abramowitz and Stegun 6.5.29 (the series), 6.5.31 (the fraction), 26.4.17 (the cube); M. Figurnov, S. Mohamed and
A. Mnih, "Implicit reparameterization gradients" (2018). PyTorch's counterpart is ``standard_gamma_grad`` in
``ATen/native/Distributions.h``, which is accurate to about a thousandth.
"""

from libc.math cimport cbrt, fabs, log, sqrt

cdef enum:
    MANY = 100000                       # maximum number of terms; never reached


cdef double _digamma(double x) noexcept nogil:
    """Return digamma of a positive number, by the recurrence and Stirling's series."""
    cdef double result = 0, r
    while x < 10:
        result -= 1 / x
        x += 1
    r = 1 / (x * x)
    return result + log(x) - 0.5 / x - r * (1 / 12. - r * (1 / 120. - r * (
        1 / 252. - r * (1 / 240. - r / 132.))))


cdef double _by_series(double a, double x) noexcept nogil:
    # P / density = sum of c_n = x**(n + 1) / (a (a + 1) ... (a + n)); dc_n/da involves digamma
    cdef double term = x / a, slope = _digamma(a + 1) - log(x), total = term * slope
    cdef int n
    for n in range(1, MANY):
        term *= x / (a + n)
        slope += 1 / (a + n)
        total += term * slope
        if a + n > x and term * fabs(slope) < 1e-17 * fabs(total):
            break
    return total


cdef double _by_fraction(double a, double x) noexcept nogil:
    # Lentz's evaluation of h with Q = density * x * h; names with _prime are derivatives with respect to a
    cdef double tiny = 1e-300
    cdef double b = x + 1 - a, b_prime = -1
    cdef double c = 1 / tiny, c_prime = 0
    cdef double d = 1 / b, d_prime = 1 / (b * b)
    cdef double h = d, h_prime = d_prime
    cdef double an, an_prime, factor, factor_prime, u
    cdef int n
    for n in range(1, MANY):
        an, an_prime = -n * (n - a), n
        b += 2
        u = an * d + b
        d_prime = -(an_prime * d + an * d_prime + b_prime) / (u * u)
        d = 1 / u
        c_prime = b_prime + an_prime / c - an * c_prime / (c * c)
        c = b + an / c
        factor, factor_prime = c * d, c_prime * d + c * d_prime
        h_prime = h_prime * factor + h * factor_prime
        h *= factor
        if fabs(factor - 1) < 1e-16 and fabs(factor_prime * h) <= 1e-16 * fabs(h_prime):
            break
    return x * (h * (log(x) - _digamma(a)) + h_prime)


cdef double _by_cube(double a, double x) noexcept nogil:
    cdef double w = cbrt(x / a), z = 3 * sqrt(a) * (w - 1 + 1 / (9 * a))
    return x / a + 3 * a * w * w * (1 / (9 * a * a) - z / (6 * a * sqrt(a)))


cdef void standard_gamma_grad(const double* a, const double* x, double* out,
                              Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef double slope
    for i in range(n):
        if not x[i] > 0:
            slope = 0 if x[i] == 0 else x[i]
        elif a[i] > 1e5:
            slope = _by_cube(a[i], x[i])
        elif x[i] <= a[i] + 1:
            slope = _by_series(a[i], x[i])
        else:
            slope = _by_fraction(a[i], x[i])
        out[i] = slope if slope == slope else 0
