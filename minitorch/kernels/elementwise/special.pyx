# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""The error function and related functions, and x log y.

They use polynomials of our own (vmath.pxd, Note [Polynomials]), since SciPy's loops are scalar. float32 is
computed in float64 where that is cheaper than controlling the rounding.

References
----------
erfc: Shepherd and Laframboise 1981, with the variable t = (x - k) / (x + k) for exp(x**2) erfc(x). erfinv: Giles
2010, polynomials in w = -log(1 - x**2) and its root; Halley's iteration.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from minitorch.core.dtype cimport Float32, Float64
from minitorch.kernels.common.blocks cimport BLOCK, Block, set_floating
from minitorch.kernels.common.horner cimport horner
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.vmath cimport absolute, erf_, exp_, exp_moderate, square_root, with_sign

# SCALED: (1 + 2 x) exp(x**2) erfc(x). ERFINV: erfinv(x) / x, for small and large w and for small x
cdef extern from *:
    """
    static const double minitorch_scaled_coarse[] = {
        0.00111963062097604207, 0.00237546563776005261, -0.00987046829638196969, 0.0280406274073370976,
        -0.0587515671655873292, 0.0923554806602496831, -0.108790219285129941, 0.0822736403089551379,
        0.00358465601480164264, -0.140240541004843466, 1.23751263680815949};
    static const double minitorch_scaled[] = {
        2.98646148754486184e-10, -9.72906077941567269e-11, -5.16162949612189269e-9, -2.4601175705978546e-9,
        3.94910110636712466e-8, 2.15652916086983581e-8, -2.60336552845689832e-7, -5.60130043109673337e-8,
        1.75326901813022824e-6, -9.74033080738658293e-7, -0.0000114450950813030922,
        0.0000223843225804389038, 0.0000516494491051210325, -0.000290154073644500255,
        0.000293713582661316875, 0.00175562584650087332, -0.00974657954574372082, 0.0283622774202174737,
        -0.0586933985907038213, 0.0923043211602656093, -0.108803930141701103, 0.0822767384901493963,
        0.00358541548546359306, -0.140240598585547007, 1.23751263083782758};
    static const double minitorch_erfinv_low[] = {
        4.6719333263585131978e-10, -8.7390108222773904849e-9, 1.5984305004972474929e-8,
        4.6541741199787414206e-7, -3.423414268859681049e-6, -4.9596918003629764977e-6,
        0.00021825772395367961861, -0.0012527485028324899279, -0.0041773200405336137995,
        0.2466402894274515475, 1.5014093511107912905};
    static const double minitorch_erfinv_high[] = {
        -0.000853133463898345954, 0.00106597184814222201, 0.00198984599667862403, -0.00374573068506986824,
        0.00143741317171136137, -0.000401120696389608307, 0.00161285522494310447, -0.00236861103860731276,
        0.00328003019774903074, -0.00484521015933115676, 0.00344061403675017033, 1.90539284098508362,
        3.96400330172085052};
    static const double minitorch_erfinv_small[] = {
        0.12003690619362008078, -0.096422745271036434077, 0.087228664466981355274,
        -0.0014607021070302691966, 0.030910158235606016218, 0.026969129751201435987, 0.03181283844468518642,
        0.036455131845540663453, 0.042837381929296245158, 0.051731254341286519389, 0.064959618496860323797,
        0.086552129229282284396, 0.12755617530570252285, 0.23201366653465414253, 0.88622692545275801384};
    """
    const double* SCALED_COARSE "minitorch_scaled_coarse"
    const double* SCALED "minitorch_scaled"
    const double* ERFINV_LOW "minitorch_erfinv_low"
    const double* ERFINV_HIGH "minitorch_erfinv_high"
    const double* ERFINV_SMALL "minitorch_erfinv_small"


cdef simd erf(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real moderate, y
    cdef Real tiny = 1e-12 if Real is float else 1e-100
    for i in range(n):
        # the powers of a tiny x would be subnormal, which is slow
        moderate = x[i] if absolute(x[i]) > tiny else 0
        y = erf_(moderate)
        out[i] = y if absolute(x[i]) > tiny else x[i] * <Real>1.1283791670955125739


# ---- erfc: accurate in relative terms until it underflows

cdef inline double _erfc_coarse(double x) noexcept nogil:
    """Return erfc for float32, with a relative error of 1e-8."""
    cdef double a = absolute(x), t, p
    a = 10.1 if 10.1 < a else a
    t = (a - 3.75) / (a + 3.75)
    p = horner(SCALED_COARSE, t)
    p = exp_(-a * a) * p / (1 + 2 * a)
    p = 0 if absolute(x) > 10.1 else p
    return 2 - p if x < 0 else p


cdef inline double _erfc_fine(double x) noexcept nogil:
    # a*a is split, since its rounding error would be a relative error of exp: high has 26 bits, so that its
    # square is exact, and the rest of the exponent is small.
    cdef double a = absolute(x), t, p, high, rest
    cdef uint64_t bits
    a = 27.3 if 27.3 < a else a
    t = (a - 3.75) / (a + 3.75)
    p = horner(SCALED, t)
    memcpy(&bits, &a, 8)
    bits &= <uint64_t>0xfffffffff8000000
    memcpy(&high, &bits, 8)
    rest = (high - a) * (high + a)
    p = p * (1 + rest * (1 + rest * (0.5 + rest * 0.16666666666666666667)))
    p = exp_(-high * high) * p / (1 + 2 * a)
    p = 1 - a * 1.12837916709551257390 if a < 1e-9 else p               # exactly 1 at 0
    return 2 - p if x < 0 else p


cdef simd erfc(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = <Real>(_erfc_coarse(x[i]) if Real is float else _erfc_fine(x[i]))


# ---- erfinv

cdef void _apply(int op, const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    """Apply the unary loop of an operator to contiguous elements."""
    cdef Kernel* k = &unary_row(op)[<int>(Float32 if Real is float else Float64)]
    cdef Py_ssize_t* steps = [sizeof(Real), sizeof(Real)]
    cdef char** operands = [<char*>x, <char*>out]
    k.loop(operands, &n, steps, k.data)


cdef simd _complements(const Real* x, double* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = (1 - <double>x[i]) * (1 + <double>x[i])


cdef inline double _erfinv_start(double a, double w) noexcept nogil:
    """Return erfinv of a in [0, 1), with a relative error of 3e-8."""
    cdef double u = w - 2.5, s = (square_root(w) - 4.1230339887498948482) * 0.52995125192398415792
    cdef double p, q
    p = horner(ERFINV_LOW, u)
    q = horner(ERFINV_HIGH, s)
    p = q if w > 5 else p
    return a * p


cdef simd _erfinv_starts(const Real* x, const double* log, double* y,
                         Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        y[i] = _erfinv_start(absolute(<double>x[i]), -log[i])


cdef inline double _erfinv_small(double x) noexcept nogil:
    """Return erfinv of |x| <= 1/2."""
    cdef double z = x * x, p
    p = horner(ERFINV_SMALL, z)
    return x * p


# For float64: below 1/2 the polynomial; above, one step of Halley's method towards erfc(y) = 1 - |x|.
cdef simd _refine(const double* x, double* y, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef double a, u, near_one
    for i in range(n):
        a = absolute(x[i])
        u = ((1 - a) - _erfc_fine(y[i])) * 0.88622692545275801365          # sqrt(pi) / 2
        u = u * exp_moderate(y[i] * y[i])
        near_one = y[i] - u / (1 + y[i] * u)
        u = _erfinv_small(a)
        y[i] = near_one if a > 0.5 else u


cdef simd _with_ends(const Real* x, const double* y, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef double infinity = 1e300 * 1e300, a, z
    for i in range(n):
        a = absolute(<double>x[i])
        z = infinity if a == 1 else y[i]
        z = infinity - infinity if not a <= 1 else z
        out[i] = with_sign(<Real>z, x[i])


cdef void erfinv(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef double log[BLOCK]
    cdef double y[BLOCK]
    cdef const Real* x
    cdef Py_ssize_t start = 0, count
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        x = args[0] + start
        _complements(x, log, count)
        _apply(LOG, log, log, count)
        _erfinv_starts(x, log, y, count)
        if Real is double:
            _refine(x, y, count)
        _with_ends(x, y, args[1] + start, count)
        start += count


# ---- x log y, which is 0 where x is 0

cdef simd _x_times(const Real* x, const Real* log, const Real* y, Real* out,
                   Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef Real product, zero = 0
    for i in range(n):
        product = x[i] * log[i]
        out[i] = zero if (x[i] == 0) & (y[i] == y[i]) else product


cdef inline void _xlog(int op, Real** args, Py_ssize_t n) noexcept nogil:
    cdef Real log[BLOCK]
    cdef Py_ssize_t start = 0, count
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        _apply(op, args[1] + start, log, count)
        _x_times(args[0] + start, log, args[1] + start, args[2] + start, count)
        start += count


cdef void xlogy(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    _xlog(LOG, args, n)


cdef void xlog1py(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    _xlog(LOG1P, args, n)


cdef void register() except *:
    set_floating(unary_row(ERF), 1, <Block>erf[float], <Block>erf[double], 5)
    set_floating(unary_row(ERFC), 1, <Block>erfc[float], <Block>erfc[double], 8)
    set_floating(unary_row(ERFINV), 1, <Block>erfinv[float], <Block>erfinv[double], 15)
    set_floating(binary_row(XLOGY), 2, <Block>xlogy[float], <Block>xlogy[double], 4)
    set_floating(binary_row(XLOG1PY), 2, <Block>xlog1py[float], <Block>xlog1py[double], 4)
