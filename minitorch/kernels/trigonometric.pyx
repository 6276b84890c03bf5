# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""Sine and cosine in float64, for which NumPy has no vectors.

The argument is reduced by multiples of pi / 2 in three parts, of which the first two have 33 bits,
so that their products with the multiple are exact up to 2**20; a chunk with a larger argument goes
through libm, element by element.

References
----------
Cody and Waite 1980 (the reduction).
"""

from libc.math cimport cos as libm_cos
from libc.math cimport sin as libm_sin
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from minitorch.core.dtype cimport Float64
from minitorch.kernels.blocks cimport BLOCK, Block, set_block
from minitorch.kernels.simd cimport simd
from minitorch.kernels.table cimport *
from minitorch.kernels.vmath cimport absolute


cdef inline double _sine(double x, uint64_t quarter) noexcept nogil:
    """The sine of x + quarter * pi / 2; of x moderate."""
    cdef double magic = 6755399441055744.0          # vmath.pxd, Note [Rounding by a magic number]
    cdef double t = x * 0.63661977236758134308 + magic, n = t - magic, r, z, s, c, half
    cdef uint64_t q
    memcpy(&q, &t, 8)
    q += quarter
    r = x - n * 1.57079632673412561417e+00
    r = r - n * 6.07710050630396597660e-11
    r = r - n * 2.02226624879595063154e-21
    z = r * r
    s = -7.5854864852359381307e-13
    s = s * z + 1.6058510875319194912e-10
    s = s * z + -2.505210610025598923e-8
    s = s * z + 2.7557319218954762264e-6
    s = s * z + -0.00019841269841264565895
    s = s * z + 0.0083333333333333312588
    s = s * z + -0.16666666666666666665
    s = r if z == 0 else r + r * z * s              # of -0 it is -0
    c = -1.1380868171449913372e-11
    c = c * z + 2.0876121534608455566e-9
    c = c * z + -2.7557317151858864553e-7
    c = c * z + 0.000024801587298532259045
    c = c * z + -0.0013888888888887241376
    c = c * z + 0.041666666666666665227
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


cdef void register() except *:
    set_block(&unary_row(SIN)[<int>Float64], <Block>sin, 1, 8, 8, 9)
    set_block(&unary_row(COS)[<int>Float64], <Block>cos, 1, 8, 8, 9)
