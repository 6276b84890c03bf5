# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""Rounded division and remainders of floating-point numbers.

All of them use C's ``fmod``, which is exact. If the quotients of a chunk are small enough, it is computed with
one division. Otherwise float32 uses a long division in float64, and float64 calls libm for each element.

References
----------
The floor of a quotient is computed from the remainder, so that it agrees with ``remainder``, with the method of
CPython's ``float_divmod``.
"""

from libc.math cimport fmod as libm_fmod
from libc.string cimport memcpy

from minitorch.kernels.common.blocks cimport BLOCK, Block, set_floating
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.vmath cimport __builtin_fma, absolute, floored, truncated, with_sign


cdef simd _fast_fmod(const Real* a, const Real* b, Real* out, Py_ssize_t n,
                     bint* failed) noexcept nogil:
    # float: the quotient of two 24-bit numbers, if below 2**28, is never rounded up to the next integer in
    # double, and its product with b is exact. double: the truncated quotient may be one too large; the fused
    # operation is exact, so this shows in the sign of the remainder.
    cdef Py_ssize_t i
    cdef Real r, q
    cdef double wide_q
    cdef bint fail = False
    for i in range(n):
        if Real is float:
            wide_q = truncated(<double>a[i] / <double>b[i])
            fail |= not (absolute(wide_q) < 268435456.0)
            r = <float>(<double>a[i] - wide_q * <double>b[i])
        else:
            q = truncated(a[i] / b[i])
            fail |= not (absolute(q) < 4503599627370496.0)
            r = __builtin_fma(-q, b[i], a[i])
            q = r + with_sign(absolute(b[i]), a[i])
            r = q if with_sign(r, a[i]) != r else r
        r = a[i] if absolute(a[i]) < absolute(b[i]) else r
        out[i] = with_sign(r, a[i])
    failed[0] = fail


cdef simd _long_fmod(const float* a, const float* b, float* out, Py_ssize_t n) noexcept nogil:
    # Computes 48 bits of the quotient at a time. A quotient of two floats is below 2**278, and b * 2**240 is a
    # double. With the reciprocal, a digit of the quotient is off by at most one. Remainders are multiples of the
    # last bit of a or b and below 2 * b, so the fused operation is exact.
    cdef Py_ssize_t i
    cdef int _digit
    cdef double r, divisor, inverse
    for i in range(n):
        r = absolute(<double>a[i])
        divisor = absolute(<double>b[i]) * 1.7668470647783843e72                     # 2**240
        inverse = 1 / divisor
        for _digit in range(6):
            r = __builtin_fma(-truncated(r * inverse), divisor, r)
            r = r + divisor if r < 0 else r
            r = r - divisor if r >= divisor else r
            divisor = divisor * 3.552713678800501e-15                                # 2**-48
            inverse = inverse * 281474976710656.0
        r = absolute(<double>a[i]) if absolute(a[i]) < absolute(b[i]) else r
        out[i] = with_sign(<float>r, a[i])


cdef void _fmod(const Real* a, const Real* b, Real* out, Py_ssize_t n) noexcept nogil:
    cdef bint failed
    cdef Py_ssize_t i
    _fast_fmod(a, b, out, n, &failed)
    if failed:
        if Real is float:
            _long_fmod(a, b, out, n)
        else:
            for i in range(n):
                out[i] = libm_fmod(a[i], b[i])


cdef void fmod(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef Real mod[BLOCK]
    cdef Py_ssize_t start = 0, count
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        _fmod(args[0] + start, args[1] + start, mod, count)
        memcpy(args[2] + start, mod, count * sizeof(Real))
        start += count


cdef simd _remainder(const Real* mod, const Real* b, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef Real shifted
    for i in range(n):
        shifted = mod[i] + b[i]
        out[i] = shifted if (mod[i] != 0) & ((b[i] < 0) != (mod[i] < 0)) else mod[i]


cdef void remainder(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef Real mod[BLOCK]
    cdef Py_ssize_t start = 0, count
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        _fmod(args[0] + start, args[1] + start, mod, count)
        _remainder(mod, args[1] + start, args[2] + start, count)
        start += count


cdef simd _floor_divide(const Real* mod, const Real* a, const Real* b, Real* out,
                        Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef Real quotient, div, down, up, one = 1, half = 0.5, zero = 0
    for i in range(n):
        quotient = a[i] / b[i]
        div = (a[i] - mod[i]) / b[i]
        div = div - one if (mod[i] != 0) & ((b[i] < 0) != (mod[i] < 0)) else div
        down = floored(div)
        up = down + one
        down = up if div - down > half else down
        down = with_sign(zero, quotient) if div == 0 else down
        out[i] = quotient if b[i] == 0 else down


cdef void floor_divide(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef Real mod[BLOCK]
    cdef Py_ssize_t start = 0, count
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        _fmod(args[0] + start, args[1] + start, mod, count)
        _floor_divide(mod, args[0] + start, args[1] + start, args[2] + start, count)
        start += count


cdef simd trunc_divide(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = truncated(a[i] / b[i])


cdef void register() except *:
    set_floating(binary_row(FMOD), 2, <Block>fmod[float], <Block>fmod[double], 4)
    set_floating(binary_row(REMAINDER), 2, <Block>remainder[float], <Block>remainder[double], 5)
    set_floating(binary_row(FLOOR_DIVIDE), 2, <Block>floor_divide[float],
                 <Block>floor_divide[double], 7)
    set_floating(binary_row(TRUNC_DIVIDE), 2, <Block>trunc_divide[float],
                 <Block>trunc_divide[double], 3)
