"""Hurwitz' zeta function, trigamma, and sin(x) / x.

All functions except trigamma are computed in float64.

References
----------
DLMF 25.11.5: the sum up to a large argument, and the Euler-Maclaurin formula for the rest.
Abramowitz and Stegun 6.4.6, 6.4.7 and 6.4.12 (trigamma), 10.1.1 (the spherical Bessel function).
"""

from libc.math cimport INFINITY, NAN, floor, isinf, pow, sin, sinf

from minitorch.kernels.common.blocks cimport Block, set_floating
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Real

cdef double PI = 3.14159265358979323846

# B(2k) / (2k)! for k = 1, 2, ..., in the series of the tail
cdef double[12] BERNOULLI = [
    1 / 12., -1 / 720., 1 / 30240., -1 / 1209600., 1 / 47900160., -691 / 1307674368000.,
    1 / 74724249600., -3617 / 10670622842880000., 43867 / 5109094217170944000.,
    -174611 / 802857662698291200000., 77683 / 14101100039391805440000.,
    -236364091 / 1693824136731743669452800000.]


cdef double _zeta(double x, double q) noexcept nogil:
    """Return the sum of (q + k)**-x over k = 0, 1, ..."""
    cdef double total, term, w, power, factor, fraction
    cdef int k
    if x == 1:
        return INFINITY
    if not x > 1:
        return NAN
    if q <= 0:
        if q == floor(q):
            return INFINITY
        if x != floor(x):
            return NAN
    total = term = pow(q, -x)
    w = q
    k = 0
    while k < 9 or w <= 9:
        k += 1
        w += 1
        term = pow(w, -x)
        total += term
        if -1e-16 * total < term < 1e-16 * total:
            return total
    total += term * w / (x - 1) - 0.5 * term
    # x (x + 1) ... (x + 2k) w**-(x + 2k + 1)
    factor = x
    power = term / w
    for k in range(12):
        fraction = factor * power * BERNOULLI[k]
        total += fraction
        if -1e-16 * total < fraction < 1e-16 * total:
            break
        factor *= (x + 2 * k + 1) * (x + 2 * k + 2)
        power /= w * w
    return total


cdef Real _trigamma(Real x) noexcept nogil:
    # in the precision of the data, as in PyTorch, since rounding matters at a pole
    cdef Real sign = 1, total = 0, inverse, s
    cdef int _
    if x < 0.5:
        s = sinf(<float>PI * x) if Real is float else sin(PI * x)
        total = -(<Real>(PI * PI)) / (s * s)
        sign = -1
        x = 1 - x
    for _ in range(6):
        total += 1 / (x * x)
        x += 1
    inverse = 1 / (x * x)
    total += (1 + 1 / (2 * x) + inverse * (
        <Real>(1 / 6.) - inverse * (<Real>(1 / 30.) - inverse * <Real>(1 / 42.)))) / x
    return sign * total


cdef inline double _spherical_j0(double x) noexcept nogil:
    cdef double z = x * x
    if isinf(x):
        return 0
    if -0.5 < x < 0.5:
        return 1 - z / 6 * (1 - z / 20 * (1 - z / 42 * (1 - z / 72 * (1 - z / 110 * (1 - z / 156)))))
    return sin(x) / x


cdef void zeta(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[2][i] = <Real>_zeta(args[0][i], args[1][i])


cdef void trigamma(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[1][i] = _trigamma(args[0][i])


cdef void spherical_j0(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[1][i] = <Real>_spherical_j0(args[0][i])


cdef void register() except *:
    set_floating(binary_row(ZETA), 2, <Block>zeta[float], <Block>zeta[double], 2000)
    set_floating(unary_row(TRIGAMMA), 1, <Block>trigamma[float], <Block>trigamma[double], 150)
    set_floating(unary_row(SPHERICAL_J0), 1, <Block>spherical_j0[float],
                 <Block>spherical_j0[double], 100)
