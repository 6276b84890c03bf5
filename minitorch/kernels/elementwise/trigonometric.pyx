# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""Sine and cosine in float64, for which NumPy has no vectorised loops, and atan2 in float32.

The argument of a sine is reduced by multiples of pi / 2 in three parts. The first two have 33 bits, so their
products with the multiple are exact up to 2**20. A chunk with a larger argument is computed by libm, element by
element.

References
----------
Cody and Waite 1980 (the reduction).
"""

from libc.math cimport INFINITY
from libc.math cimport cos as libm_cos
from libc.math cimport sin as libm_sin
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from minitorch.core.dtype cimport Float32, Float64
from minitorch.kernels.common.blocks cimport BLOCK, Block, set_block
from minitorch.kernels.common.horner cimport horner
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.vmath cimport absolute, with_sign

cdef extern from *:
    """
    static const double minitorch_sine[] = {
        -7.5854864852359381307e-13, 1.6058510875319194912e-10, -2.505210610025598923e-8,
        2.7557319218954762264e-6, -0.00019841269841264565895, 0.0083333333333333312588,
        -0.16666666666666666665};
    static const double minitorch_cosine[] = {
        -1.1380868171449913372e-11, 2.0876121534608455566e-9, -2.7557317151858864553e-7,
        0.000024801587298532259045, -0.0013888888888887241376, 0.041666666666666665227};
    static const double minitorch_arctangent[] = {
        0.04, 0.043478260869565217391, 0.047619047619047619048, 0.052631578947368421053, 0.058823529411764705882,
        0.066666666666666666667, 0.076923076923076923077, 0.090909090909090909091, 0.11111111111111111111,
        0.14285714285714285714, 0.2, 0.33333333333333333333};
    """
    const double* ARCTANGENT "minitorch_arctangent"
    const double* SINE "minitorch_sine"
    const double* COSINE "minitorch_cosine"


cdef inline double _sine(double x, uint64_t quarter) noexcept nogil:
    """Return the sine of x + quarter * pi / 2, for x of moderate size."""
    cdef double magic = 6755399441055744.0          # vmath.pxd, Note [Rounding by a magic number]
    cdef double t = x * 0.63661977236758134308 + magic, n = t - magic, r, z, s, c, half
    cdef uint64_t q
    memcpy(&q, &t, 8)
    q += quarter
    r = x - n * 1.57079632673412561417e+00
    r = r - n * 6.07710050630396597660e-11
    r = r - n * 2.02226624879595063154e-21
    z = r * r
    s = horner(SINE, z)
    s = r if z == 0 else r + r * z * s              # -0 gives -0
    c = horner(COSINE, z)
    half = 0.5 * z
    t = 1 - half
    c = t + (((1 - t) - half) + z * z * c)
    s = c if q & 1 else s
    return -s if q & 2 else s


cdef simd _sines(const double* x, double* out, Py_ssize_t n, uint64_t quarter,
                 bint* failed) noexcept nogil:
    cdef Py_ssize_t i
    cdef bint fail = False
    for i in range(n):
        fail |= not (absolute(x[i]) < 1e6)
        out[i] = _sine(x[i], quarter)
    failed[0] = fail


cdef inline void _run(double** args, Py_ssize_t n, uint64_t quarter) noexcept nogil:
    cdef double result[BLOCK]
    cdef Py_ssize_t start = 0, count, i
    cdef double x
    cdef bint failed
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        _sines(args[0] + start, result, count, quarter, &failed)
        if failed:
            for i in range(count):
                x = args[0][start + i]
                result[i] = libm_cos(x) if quarter else libm_sin(x)
        memcpy(args[1] + start, result, count * sizeof(double))
        start += count


cdef void sin(double** args, Py_ssize_t n, const double* _) noexcept nogil:
    _run(args, n, 0)


cdef void cos(double** args, Py_ssize_t n, const double* _) noexcept nogil:
    _run(args, n, 1)


# ---- atan2 of float, computed in double and rounded once

cdef simd atan2(float** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const float* y = args[0]
    cdef const float* x = args[1]
    cdef float* out = args[2]
    cdef double a, b, t, z, p, angle
    cdef double infinity = INFINITY
    cdef Py_ssize_t i
    for i in range(n):
        a = absolute(<double>x[i])
        b = absolute(<double>y[i])
        # the smaller over the larger; if both are 0 or infinite, the quotient would be nan
        t = (a if a < b else b) / (b if a < b else a)
        t = <double>0.0 if b == 0 else t
        t = <double>1.0 if (a == infinity) & (b == infinity) else t
        # atan(t) = pi / 4 + atan((t - 1) / (t + 1)) leaves |t| <= tan(pi / 8) for Taylor's series
        angle = 0.78539816339744830962 if t > 0.41421356237309504880 else 0.0
        t = (t - 1) / (t + 1) if t > 0.41421356237309504880 else t
        z = t * t
        p = horner(ARCTANGENT, -z)
        angle += t - t * z * p
        angle = 1.5707963267948966192 - angle if b > a else angle
        angle = 3.1415926535897932385 - angle if with_sign(<float>1.0, x[i]) < 0 else angle
        angle = a + b if (a != a) | (b != b) else angle
        out[i] = <float>with_sign(angle, <double>y[i])


cdef void register() except *:
    set_block(&binary_row(ATAN2)[<int>Float32], <Block>atan2, 2, 4, 4, 8)
    set_block(&unary_row(SIN)[<int>Float64], <Block>sin, 1, 8, 8, 9)
    set_block(&unary_row(COS)[<int>Float64], <Block>cos, 1, 8, 8, 9)
