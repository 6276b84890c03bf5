# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""Arithmetic on floating-point numbers.

These loops are our own where they are faster than NumPy's, above all for a single element, and where NumPy has
none or defines the operation differently. ``sign(nan)`` is 0, as in PyTorch.
"""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from minitorch.kernels.common.blocks cimport Block, run_floating, set_floating, set_floating_loops
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.vmath cimport (
    absolute, exp2_, exp_, floored, log1p_unit, square_root, truncated, with_sign)


# ---- unary

cdef simd neg(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = -x[i]


cdef simd abs_(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = absolute(x[i])


cdef simd sign(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real one = 1, zero = 0
    for i in range(n):
        out[i] = (one if x[i] > 0 else zero) - (one if x[i] < 0 else zero)


cdef simd reciprocal(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = 1 / x[i]


cdef simd rsqrt(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = 1 / square_root(x[i])


cdef simd exp(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = exp_(x[i])


cdef simd exp2(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = exp2_(x[i])


cdef simd floor(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = floored(x[i])


cdef simd trunc(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = truncated(x[i])


cdef simd frac(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = x[i] - truncated(x[i])


# ---- unary with parameters

cdef simd nan_to_num(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real nan = params[0], posinf = params[1], neginf = params[2], y
    cdef Real largest = <Real>(3.4028234663852886e38 if Real is float
                               else 1.7976931348623157e308)
    for i in range(n):
        y = nan if x[i] != x[i] else x[i]
        y = posinf if x[i] > largest else y
        out[i] = neginf if x[i] < -largest else y


cdef simd clamp(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real low = params[0], high = params[1], y
    for i in range(n):
        y = low if low > x[i] else x[i]
        out[i] = high if high < y else y


cdef simd threshold(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real limit = params[0], value = params[1]
    for i in range(n):
        out[i] = value if x[i] <= limit else x[i]


# ---- binary

cdef simd maximum(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real y
    for i in range(n):
        y = a[i] if a[i] > b[i] else b[i]        # b if either is nan
        out[i] = a[i] if a[i] != a[i] else y


cdef simd minimum(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real y
    for i in range(n):
        y = a[i] if a[i] < b[i] else b[i]
        out[i] = a[i] if a[i] != a[i] else y


cdef simd fmax(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real y
    for i in range(n):
        y = a[i] if a[i] > b[i] else b[i]
        out[i] = a[i] if b[i] != b[i] else y


cdef simd fmin(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real y
    for i in range(n):
        y = a[i] if a[i] < b[i] else b[i]
        out[i] = a[i] if b[i] != b[i] else y


cdef simd copysign(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = with_sign(a[i], b[i])


cdef simd hypot(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef double wide_a, wide_b
    cdef Real p, q, large, ratio, y
    cdef Real infinity = <Real>(1e300 * 1e300)
    for i in range(n):
        p = absolute(a[i])
        q = absolute(b[i])
        if Real is float:
            # the square of a float fits in a double
            wide_a = a[i]
            wide_b = b[i]
            y = <float>square_root(wide_a * wide_a + wide_b * wide_b)
        else:
            large = p if p > q else q
            ratio = (q if p > q else p) / large
            y = large * square_root(1 + ratio * ratio)
            y = p + q if (p == 0) | (q == 0) else y
        out[i] = infinity if (p == infinity) | (q == infinity) else y


cdef simd logaddexp(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real large, d, y
    for i in range(n):
        large = a[i] if a[i] > b[i] else b[i]
        d = a[i] - b[i]
        d = 0 if a[i] == b[i] else d                # also if both are infinite
        y = large + log1p_unit(exp_(-absolute(d)))
        out[i] = a[i] if a[i] != a[i] else y


cdef simd logaddexp2(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real large, d, y, log2 = 0.69314718055994530942, log2e = 1.44269504088896340736
    for i in range(n):
        large = a[i] if a[i] > b[i] else b[i]
        d = a[i] - b[i]
        d = 0 if a[i] == b[i] else d
        y = large + log2e * log1p_unit(exp_(-absolute(d) * log2))
        out[i] = a[i] if a[i] != a[i] else y


cdef simd heaviside(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef const Real* at_zero = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real y, one = 1, zero = 0
    for i in range(n):
        y = one if x[i] > 0 else zero               # 0 for nan
        out[i] = at_zero[i] if x[i] == 0 else y


cdef simd squared_difference(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real d
    for i in range(n):
        d = a[i] - b[i]
        out[i] = d * d


# ---- registration

cdef void nan_to_num_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                          void* data) noexcept nogil:
    run_floating(1, args, n, steps, data, <Block>nan_to_num[float], <Block>nan_to_num[double])


cdef void clamp_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                     void* data) noexcept nogil:
    run_floating(1, args, n, steps, data, <Block>clamp[float], <Block>clamp[double])


cdef void threshold_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                         void* data) noexcept nogil:
    run_floating(1, args, n, steps, data, <Block>threshold[float], <Block>threshold[double])


# ---- nextafter: adjacent numbers of the same sign are adjacent as integers

cdef simd nextafter_float(float** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const float* x = args[0]
    cdef const float* y = args[1]
    cdef float* out = args[2]
    cdef int32_t bits, sign
    cdef float next
    cdef Py_ssize_t i
    for i in range(n):
        memcpy(&bits, &x[i], 4)
        memcpy(&sign, &y[i], 4)
        sign = (sign & <int32_t>0x80000000) | 1                 # the smallest number with the sign of y
        bits = bits + (1 if (y[i] > x[i]) == (x[i] > 0) else -1)
        bits = sign if x[i] == 0 else bits
        memcpy(&next, &bits, 4)
        next = y[i] if x[i] == y[i] else next
        out[i] = x[i] + y[i] if (x[i] != x[i]) | (y[i] != y[i]) else next


cdef simd nextafter_double(double** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const double* x = args[0]
    cdef const double* y = args[1]
    cdef double* out = args[2]
    cdef int64_t bits, sign
    cdef double next
    cdef Py_ssize_t i
    for i in range(n):
        memcpy(&bits, &x[i], 8)
        memcpy(&sign, &y[i], 8)
        sign = (sign & <int64_t>0x8000000000000000ULL) | 1
        bits = bits + (1 if (y[i] > x[i]) == (x[i] > 0) else -1)
        bits = sign if x[i] == 0 else bits
        memcpy(&next, &bits, 8)
        next = y[i] if x[i] == y[i] else next
        out[i] = x[i] + y[i] if (x[i] != x[i]) | (y[i] != y[i]) else next


cdef void register() except *:
    set_floating(binary_row(NEXTAFTER), 2, <Block>nextafter_float, <Block>nextafter_double, 2)
    set_floating(unary_row(NEG), 1, <Block>neg[float], <Block>neg[double], 1)
    set_floating(unary_row(ABS), 1, <Block>abs_[float], <Block>abs_[double], 1)
    set_floating(unary_row(SIGN), 1, <Block>sign[float], <Block>sign[double], 1)
    set_floating(unary_row(SGN), 1, <Block>sign[float], <Block>sign[double], 1)
    set_floating(unary_row(RECIPROCAL), 1, <Block>reciprocal[float], <Block>reciprocal[double], 2)
    set_floating(unary_row(RSQRT), 1, <Block>rsqrt[float], <Block>rsqrt[double], 4)
    set_floating(unary_row(EXP), 1, <Block>exp[float], <Block>exp[double], 2)
    set_floating(unary_row(EXP2), 1, <Block>exp2[float], <Block>exp2[double], 2)
    set_floating(unary_row(FLOOR), 1, <Block>floor[float], <Block>floor[double], 1)
    set_floating(unary_row(TRUNC), 1, <Block>trunc[float], <Block>trunc[double], 1)
    set_floating(unary_row(FRAC), 1, <Block>frac[float], <Block>frac[double], 1)
    set_floating_loops(unary_row(NAN_TO_NUM), <Loop>nan_to_num_loop[float],
                       <Loop>nan_to_num_loop[double], 1)
    set_floating_loops(unary_row(CLAMP), <Loop>clamp_loop[float], <Loop>clamp_loop[double], 1)
    set_floating_loops(unary_row(THRESHOLD), <Loop>threshold_loop[float],
                       <Loop>threshold_loop[double], 1)
    set_floating(binary_row(MAXIMUM), 2, <Block>maximum[float], <Block>maximum[double], 1)
    set_floating(binary_row(MINIMUM), 2, <Block>minimum[float], <Block>minimum[double], 1)
    set_floating(binary_row(FMAX), 2, <Block>fmax[float], <Block>fmax[double], 1)
    set_floating(binary_row(FMIN), 2, <Block>fmin[float], <Block>fmin[double], 1)
    set_floating(binary_row(COPYSIGN), 2, <Block>copysign[float], <Block>copysign[double], 1)
    set_floating(binary_row(HYPOT), 2, <Block>hypot[float], <Block>hypot[double], 6)
    set_floating(binary_row(LOGADDEXP), 2, <Block>logaddexp[float], <Block>logaddexp[double], 5)
    set_floating(binary_row(LOGADDEXP2), 2, <Block>logaddexp2[float], <Block>logaddexp2[double], 5)
    set_floating(binary_row(HEAVISIDE), 2, <Block>heaviside[float], <Block>heaviside[double], 1)
    set_floating(binary_row(SQUARED_DIFFERENCE), 2, <Block>squared_difference[float],
                 <Block>squared_difference[double], 1)
