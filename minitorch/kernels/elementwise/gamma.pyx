# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""The logarithm of the gamma function, and digamma, its derivative.

Both are computed in float64. Positive arguments are vectorised: the recurrence gamma(x + 1) = x gamma(x) shifts
them upwards to where Stirling's series holds, and NumPy's loop computes the logarithms. Negative arguments use
reflection, vectorised for lgamma and element by element for digamma. libm computes lgamma of arguments that are
not finite, and of negative arguments close to its zeros, where the terms of the reflection cancel.

References
----------
Abramowitz and Stegun 6.1.15, 6.1.17 and 6.1.41 (log gamma), 6.3.6, 6.3.7 and 6.3.18 (digamma).
"""

from libc.math cimport INFINITY, NAN, copysign, log, modf, tan

from minitorch.core.dtype cimport Float64
from minitorch.kernels.common.blocks cimport BLOCK, Block, set_floating
from minitorch.kernels.common.horner cimport horner
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.vmath cimport absolute, truncated


cdef extern from "<math.h>" nogil:
    double lgamma_r(double x, int* sign) noexcept


# The series of `_sine`, `_finish_lgamma` and `_series`; those named COARSE are for float32
cdef extern from *:
    """
    static const double minitorch_sine[] = {
        1.9572941063391261e-20, -8.2206352466243297e-18, 2.8114572543455208e-15, -7.6471637318198165e-13,
        1.6059043836821615e-10, -2.5052108385441719e-8, 2.7557319223985891e-6, -1.9841269841269841e-4,
        8.3333333333333333e-3, -0.16666666666666667};
    static const double minitorch_near_coarse[] = {
        8.04241367048e-7, -3.56599852676e-6, 1.42326297633e-5, -6.55741599538e-5, 0.000312434769948,
        -0.00154810965049, 0.008241248672, -0.0501586443894, 0.422784335098};
    static const double minitorch_near[] = {
        4.5910913820443959888e-13, -1.9267924064320765165e-12, 5.9260635562245926144e-12,
        -2.5051841561037665056e-11, 1.1062078570020366652e-10, -4.7074140738738744813e-10,
        2.007196857664515955e-9, -8.6231416099956804527e-9, 3.7274374972562918537e-8,
        -1.6229545557682995988e-7, 7.1309623032675701627e-7, -3.1695889763926270146e-6,
        0.000014302764412205335094, -0.000065879088569481710762, 0.00031241507279346576554,
        -0.0015480240241709334492, 0.0082412501552889584677, -0.050158650837176968525,
        0.42278433509846713939};
    static const double minitorch_stirling[] = {
        0.0064102564102564102564, -0.0019175269175269175269, 0.00084175084175084175084,
        -0.00059523809523809523810, 0.00079365079365079365079, -0.0027777777777777777778,
        0.083333333333333333333};
    static const double minitorch_stirling_coarse[] = {
        0.00079365079365079365079, -0.0027777777777777777778, 0.083333333333333333333};
    static const double minitorch_digamma_series[] = {
        0.083333333333333333333, -0.021092796092796092796, 0.0075757575757575757576,
        -0.0041666666666666666667, 0.0039682539682539682540, -0.0083333333333333333333,
        0.083333333333333333333};
    """
    const double* SINE "minitorch_sine"
    const double* NEAR_COARSE "minitorch_near_coarse"
    const double* NEAR "minitorch_near"
    const double* STIRLING "minitorch_stirling"
    const double* STIRLING_COARSE "minitorch_stirling_coarse"
    const double* DIGAMMA_SERIES "minitorch_digamma_series"

# Smaller results for negative arguments are left to libm; limits for float and for double
cdef double[2] NEAR_ZERO = [0.02, 1]


cdef void _log(double* x, Py_ssize_t n) noexcept nogil:
    cdef Kernel* k = &unary_row(LOG)[<int>Float64]
    cdef Py_ssize_t* steps = [8, 8]
    cdef char** operands = [<char*>x, <char*>x]
    k.loop(operands, &n, steps, k.data)


# ---- lgamma
#
# Below 2.5 the argument is moved to w in [1.5, 2.5], where log gamma(w) = (w - 1)(w - 2) r(w) keeps its relative
# accuracy around the zeros. Above 2.5 it is moved to at least 10 (float: 5), for Stirling's series. In both cases
# the product of the steps is divided out. An argument x that is not positive is replaced by 1 - x, with gamma(x)
# = pi / (sin(pi x) gamma(1 - x)).

cdef simd _shift_lgamma(const Real* x, double* moved, double* product, double* log_moved,
                        Py_ssize_t n) noexcept nogil:
    # gcc vectorises selections, but not branches
    cdef Py_ssize_t i
    cdef double w, p, start, below, enough = 5 if Real is float else 10
    cdef int _
    for i in range(n):
        start = x[i]
        start = start if start > 0 else 1 - start
        w = start
        p = 1
        for _ in range(3 if Real is float else 8):
            p = p * w if w < enough else p
            w = w + 1 if w < enough else w
        below = start if start >= 0.5 else start * (start + 1)
        p = p if start >= 2.5 else below if start < 1.5 else 1
        below = start + 1 if start >= 0.5 else start + 2
        w = w if start >= 2.5 else below if start < 1.5 else start
        moved[i] = w
        product[i] = p
        log_moved[i] = w


cdef simd _sine(const Real* x, double* sine, Py_ssize_t n) noexcept nogil:
    """Store |sin(pi x)| for the negative elements and 1 for the others, by Taylor's series."""
    cdef Py_ssize_t i
    cdef double a, r, z, p
    for i in range(n):
        a = absolute(<double>x[i])
        r = a - truncated(a)
        r = 1 - r if r > 0.5 else r
        r = r * 3.14159265358979323846
        z = r * r
        p = horner(SINE, z)
        sine[i] = 1.0 if x[i] > 0 else r + r * z * p


cdef simd _reflect(const Real* x, double* log_product, const double* log_sine,
                   Py_ssize_t n) noexcept nogil:
    """Change the term subtracted from log gamma(1 - x) for the reflection, which negates the result."""
    cdef Py_ssize_t i
    cdef double p
    for i in range(n):
        p = log_product[i]
        log_product[i] = p if x[i] > 0 else log_sine[i] - p - 1.1447298858494002


cdef simd _finish_lgamma(const Real* x, const double* moved, const double* log_product,
                         const double* log_moved, Real* out, Py_ssize_t n,
                         bint* failed) noexcept nogil:
    cdef Py_ssize_t i
    cdef double w, t, r, s, inverse, stirling, near_zeros, near = NEAR_ZERO[sizeof(Real) == 8]
    cdef bint fail = False
    for i in range(n):
        w = moved[i]
        fail |= not (absolute(x[i]) < <Real>1e30)
        t = 2 * (w - 2)
        if Real is float:
            r = horner(NEAR_COARSE, t)
        else:
            r = horner(NEAR, t)
        near_zeros = (w - 1) * (w - 2) * r
        inverse = 1 / w
        s = inverse * inverse
        if Real is float:
            r = horner(STIRLING_COARSE, s)
        else:
            r = horner(STIRLING, s)
        stirling = (w - 0.5) * log_moved[i] - w + 0.91893853320467274178 + r * inverse
        r = near_zeros if w < 2.5 else stirling
        r = (r if x[i] > 0 else -r) - log_product[i]
        fail |= (x[i] < 0) & (absolute(r) < near)
        out[i] = <Real>r
    failed[0] = fail


cdef bint _positive(const Real* x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if not x[i] > 0:
            return False
    return True


cdef void lgamma(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef double moved[BLOCK]
    cdef double product[BLOCK]
    cdef double log_moved[BLOCK]
    cdef double sine[BLOCK]
    cdef Real result[BLOCK]
    cdef Real x
    cdef Py_ssize_t start = 0, count, i
    cdef int sign
    cdef bint failed
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        _shift_lgamma(args[0] + start, moved, product, log_moved, count)
        _log(product, count)
        _log(log_moved, count)
        if not _positive(args[0] + start, count):
            _sine(args[0] + start, sine, count)
            _log(sine, count)
            _reflect(args[0] + start, product, sine, count)
        _finish_lgamma(args[0] + start, moved, product, log_moved, result, count, &failed)
        for i in range(count):
            x = args[0][start + i]
            if failed and (not absolute(x) < <Real>1e30
                           or x < 0 and absolute(result[i]) < NEAR_ZERO[sizeof(Real) == 8]):
                result[i] = <Real>lgamma_r(x, &sign)
            args[1][start + i] = result[i]
        start += count


# ---- digamma

cdef inline double _series(double w, double log_w) noexcept nogil:
    """Return the asymptotic series, for w of at least 10."""
    cdef double inverse = 1 / w
    cdef double s = inverse * inverse
    cdef double r = horner(DIGAMMA_SERIES, s)
    return log_w - 0.5 * inverse - r * s


cdef simd _shift_digamma(const Real* x, double* moved, double* log_moved, double* steps,
                         Py_ssize_t n) noexcept nogil:
    # The sum of 1 / (x + k) is p' / p for the product p, which takes a single division.
    cdef Py_ssize_t i
    cdef double w, p, derivative
    cdef int _
    for i in range(n):
        w = x[i]
        p = 1
        derivative = 0
        if w < 10:
            for _ in range(10):
                derivative = derivative * w + p
                p = p * w
                w = w + 1
        moved[i] = w
        log_moved[i] = w
        steps[i] = derivative / p


cdef simd _finish_digamma(const Real* x, const double* moved, const double* log_moved,
                          const double* steps, Real* out, Py_ssize_t n,
                          bint* failed) noexcept nogil:
    cdef Py_ssize_t i
    cdef bint fail = False
    for i in range(n):
        fail |= not (x[i] > 0)
        out[i] = <Real>(_series(moved[i], log_moved[i]) - steps[i])
    failed[0] = fail


cdef double _digamma(double x) noexcept nogil:
    """Return digamma of any argument."""
    cdef double whole, part, result = 0
    if x == 0:
        return copysign(INFINITY, -x)
    if x < 0:
        part = modf(x, &whole)
        if part == 0 or x == -INFINITY:
            return NAN
        return _digamma(1 - x) - 3.14159265358979323846 / tan(3.14159265358979323846 * part)
    while x < 10:
        result -= 1 / x
        x += 1
    return result + _series(x, log(x))


cdef void digamma(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef double moved[BLOCK]
    cdef double log_moved[BLOCK]
    cdef double steps[BLOCK]
    cdef Real result[BLOCK]
    cdef Py_ssize_t start = 0, count, i
    cdef bint failed
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        _shift_digamma(args[0] + start, moved, log_moved, steps, count)
        _log(log_moved, count)
        _finish_digamma(args[0] + start, moved, log_moved, steps, result, count, &failed)
        for i in range(count):
            if failed and not args[0][start + i] > 0:
                result[i] = <Real>_digamma(args[0][start + i])
            args[1][start + i] = result[i]
        start += count


cdef void register() except *:
    set_floating(unary_row(LGAMMA), 1, <Block>lgamma[float], <Block>lgamma[double], 20)
    set_floating(unary_row(DIGAMMA), 1, <Block>digamma[float], <Block>digamma[double], 15)
