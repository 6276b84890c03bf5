"""Orthogonal polynomials in x, with a degree n for each element.

They are computed by the three-term recurrence. Inside (-1, 1) Chebyshev polynomials of higher degree are computed
from their definition with angles, whose cost does not grow with the degree. A negative degree gives 0. As in
PyTorch, a Hermite polynomial is nan if its coefficients overflow.

References
----------
Abramowitz and Stegun 22.3.15, 22.3.16 and 22.7; DLMF 18.5.1 to 18.5.4 (the third and fourth kind).
"""

from libc.math cimport NAN, acos, cos, sin

from minitorch.kernels.common.blocks cimport Block, set_floating
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.vmath cimport absolute

cdef enum:
    # degree from which angles are used
    ANGLES_T = 7
    ANGLES = 9


cdef inline long long _degree(Real n) noexcept nogil:
    """Return the integer part, or a number below all degrees if there is none."""
    return <long long>n if absolute(n) < 9e18 else -1


# ---- Chebyshev

cdef inline Real _three_terms(Real x, Real first, Real second, long long n) noexcept nogil:
    """Return p(n), n > 0, by p(k + 1) = 2 x p(k) - p(k - 1)."""
    cdef Real next
    cdef long long _
    for _ in range(1, n):
        next = 2 * x * second - first
        first = second
        second = next
        if second != second:
            break
    return second


cdef inline Real _chebyshev_t(Real x, Real degree) noexcept nogil:
    cdef long long n = _degree(degree)
    if n < 0:
        return 0
    if absolute(x) == 1:
        return 1 if x > 0 or n % 2 == 0 else -1
    if n >= ANGLES_T and absolute(x) < 1:
        return <Real>cos(n * acos(<double>x))
    return 1 if n == 0 else _three_terms(x, <Real>1, x, n)


cdef inline Real _chebyshev_u(Real x, Real degree) noexcept nogil:
    cdef long long n = _degree(degree)
    cdef double angle
    if n < 0:
        return 0
    if absolute(x) == 1:
        return <Real>(n + 1 if x > 0 or n % 2 == 0 else -(n + 1))
    if n >= ANGLES and absolute(x) < 1:
        angle = acos(<double>x)
        return <Real>(sin((n + 1) * angle) / sin(angle))
    return 1 if n == 0 else _three_terms(x, <Real>1, 2 * x, n)


cdef inline Real _chebyshev_v(Real x, Real degree) noexcept nogil:
    cdef long long n = _degree(degree)
    cdef double angle
    if n < 0:
        return 0
    if absolute(x) == 1:
        return <Real>(1 if x > 0 else 2 * n + 1 if n % 2 == 0 else -(2 * n + 1))
    if n >= ANGLES and absolute(x) < 1:
        angle = acos(<double>x)
        return <Real>(cos((n + 0.5) * angle) / cos(angle / 2))
    return 1 if n == 0 else _three_terms(x, <Real>1, 2 * x - 1, n)


cdef inline Real _chebyshev_w(Real x, Real degree) noexcept nogil:
    cdef long long n = _degree(degree)
    cdef double angle
    if n < 0:
        return 0
    if absolute(x) == 1:
        return <Real>(2 * n + 1 if x > 0 else 1 if n % 2 == 0 else -1)
    if n >= ANGLES and absolute(x) < 1:
        angle = acos(<double>x)
        return <Real>(sin((n + 0.5) * angle) / sin(angle / 2))
    return 1 if n == 0 else _three_terms(x, <Real>1, 2 * x + 1, n)


# ---- Hermite, Laguerre, Legendre

cdef inline bint _overflows(Real x, long long n) noexcept nogil:
    return n > (128 if sizeof(x) == 4 else 512)


cdef inline Real _hermite_h(Real x, Real degree) noexcept nogil:
    cdef long long n = _degree(degree), k
    cdef Real p = 1, q = 2 * x, r
    if n < 0:
        return 0
    if n == 0:
        return 1
    if _overflows(x, n):
        return <Real>NAN
    for k in range(1, n):
        r = 2 * x * q - 2 * k * p
        p = q
        q = r
    return q


cdef inline Real _hermite_he(Real x, Real degree) noexcept nogil:
    cdef long long n = _degree(degree), k
    cdef Real p = 1, q = x, r
    if n < 0:
        return 0
    if n == 0:
        return 1
    if _overflows(x, n):
        return <Real>NAN
    for k in range(1, n):
        r = x * q - k * p
        p = q
        q = r
    return q


cdef inline Real _laguerre(Real x, Real degree) noexcept nogil:
    cdef long long n = _degree(degree), k
    cdef Real p = 1, q = 1 - x, r
    if n < 0:
        return 0
    if n == 0 or x == 0:
        return 1
    for k in range(1, n):
        r = ((2 * k + 1 - x) * q - k * p) / (k + 1)
        p = q
        q = r
        if q != q:
            break
    return q


cdef inline Real _legendre(Real x, Real degree) noexcept nogil:
    cdef long long n = _degree(degree), k
    cdef Real p = 1, q = x, r
    if n < 0:
        return 0
    if absolute(x) == 1:
        return 1 if x > 0 or n % 2 == 0 else -1
    if n == 0:
        return 1
    for k in range(1, n):
        r = ((2 * k + 1) * x * q - k * p) / (k + 1)
        p = q
        q = r
        if q != q:
            break
    return q


# ---- the loops

cdef void chebyshev_t(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[2][i] = _chebyshev_t(args[0][i], args[1][i])


cdef void chebyshev_u(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[2][i] = _chebyshev_u(args[0][i], args[1][i])


cdef void chebyshev_v(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[2][i] = _chebyshev_v(args[0][i], args[1][i])


cdef void chebyshev_w(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[2][i] = _chebyshev_w(args[0][i], args[1][i])


cdef void hermite_h(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[2][i] = _hermite_h(args[0][i], args[1][i])


cdef void hermite_he(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[2][i] = _hermite_he(args[0][i], args[1][i])


cdef void laguerre(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[2][i] = _laguerre(args[0][i], args[1][i])


cdef void legendre(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[2][i] = _legendre(args[0][i], args[1][i])


cdef void shifted_chebyshev_t(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[2][i] = _chebyshev_t(2 * args[0][i] - 1, args[1][i])


cdef void shifted_chebyshev_u(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[2][i] = _chebyshev_u(2 * args[0][i] - 1, args[1][i])


cdef void shifted_chebyshev_v(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[2][i] = _chebyshev_v(2 * args[0][i] - 1, args[1][i])


cdef void shifted_chebyshev_w(Real** args, Py_ssize_t count, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        args[2][i] = _chebyshev_w(2 * args[0][i] - 1, args[1][i])


cdef void register() except *:
    set_floating(binary_row(CHEBYSHEV_T), 2, <Block>chebyshev_t[float],
                 <Block>chebyshev_t[double], 300)
    set_floating(binary_row(CHEBYSHEV_U), 2, <Block>chebyshev_u[float],
                 <Block>chebyshev_u[double], 300)
    set_floating(binary_row(CHEBYSHEV_V), 2, <Block>chebyshev_v[float],
                 <Block>chebyshev_v[double], 300)
    set_floating(binary_row(CHEBYSHEV_W), 2, <Block>chebyshev_w[float],
                 <Block>chebyshev_w[double], 300)
    set_floating(binary_row(SHIFTED_CHEBYSHEV_T), 2, <Block>shifted_chebyshev_t[float],
                 <Block>shifted_chebyshev_t[double], 300)
    set_floating(binary_row(SHIFTED_CHEBYSHEV_U), 2, <Block>shifted_chebyshev_u[float],
                 <Block>shifted_chebyshev_u[double], 300)
    set_floating(binary_row(SHIFTED_CHEBYSHEV_V), 2, <Block>shifted_chebyshev_v[float],
                 <Block>shifted_chebyshev_v[double], 300)
    set_floating(binary_row(SHIFTED_CHEBYSHEV_W), 2, <Block>shifted_chebyshev_w[float],
                 <Block>shifted_chebyshev_w[double], 300)
    set_floating(binary_row(HERMITE_H), 2, <Block>hermite_h[float], <Block>hermite_h[double], 300)
    set_floating(binary_row(HERMITE_HE), 2, <Block>hermite_he[float],
                 <Block>hermite_he[double], 300)
    set_floating(binary_row(LAGUERRE), 2, <Block>laguerre[float], <Block>laguerre[double], 300)
    set_floating(binary_row(LEGENDRE), 2, <Block>legendre[float], <Block>legendre[double], 300)
