# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""Operators on complex numbers that NumPy's loops do not cover.

``ABS`` and ``ANGLE`` return the real type. Arithmetic is written on the interleaved parts, so that it can be
vectorised. The derivatives follow PyTorch's convention: the gradient is multiplied by the conjugate of the
holomorphic derivative.

References
----------
Division: R. L. Smith 1962, with PyTorch's results for a divisor of 0.
"""

from libc.math cimport INFINITY, M_LN2, M_LN10, NAN, atan2, cos, exp, hypot, isfinite, isnan, log, log1p, sin

from minitorch.core.dtype cimport (
    BFloat16, Bool, Complex64, Complex128, Float16, Float32, Float64, Int8, Int16, Int32, Int64,
    UInt8)
from minitorch.kernels.common.blocks cimport BLOCK, Block, run_blocks, set_block, set_floating
from minitorch.kernels.common.cast cimport cast_table
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Real, complex128, complex64
from minitorch.kernels.common.vmath cimport absolute, square_root


cdef extern from "<complex.h>" nogil:
    float complex clogf(float complex x)
    double complex clog(double complex x)
    float complex cpowf(float complex x, float complex y)
    double complex cpow(double complex x, double complex y)


# ---- on the parts: n complex numbers are 2 n of Real

cdef simd neg(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(2 * n):
        out[i] = -x[i]


cdef inline void _add_scaled(Real** args, Py_ssize_t n, Real real, Real imag) noexcept nogil:
    # PyTorch multiplies even by 1 + 0j, which gives nan for a part whose other part is infinite
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Real re, im
    cdef Py_ssize_t i
    for i in range(n):
        re = a[2 * i] + (real * b[2 * i] - imag * b[2 * i + 1])
        im = a[2 * i + 1] + (real * b[2 * i + 1] + imag * b[2 * i])
        out[2 * i] = re
        out[2 * i + 1] = im


cdef simd add(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    _add_scaled(args, n, <Real>1, <Real>0)


cdef simd sub(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    _add_scaled(args, n, <Real>-1, <Real>0)


cdef simd sgn(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    # divide by the magnitude, computed like hypot (arithmetic.pyx)
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef double re, im, p, q, large, ratio, size
    cdef double infinity = 1e300 * 1e300
    for i in range(n):
        re = x[2 * i]
        im = x[2 * i + 1]
        if Real is float:
            size = square_root(re * re + im * im)
        else:
            p = absolute(re)
            q = absolute(im)
            large = p if p > q else q
            ratio = (q if p > q else p) / large
            size = large * square_root(1 + ratio * ratio)
            size = infinity if (p == infinity) | (q == infinity) else size
        size = 1 if (re == 0) & (im == 0) else size
        size = infinity - infinity if size == infinity else size        # no direction: nan, nan
        out[2 * i] = <Real>(re / size)
        out[2 * i + 1] = <Real>(im / size)


cdef void _log_over(Real** args, Py_ssize_t n, double divisor) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef complex64 single
    cdef complex128 z
    cdef Py_ssize_t i
    for i in range(n):
        if Real is float:
            single = clogf((<const complex64*>x)[i])
            out[2 * i] = single.real / <Real>divisor
            out[2 * i + 1] = single.imag / <Real>divisor
        else:
            z = clog((<const complex128*>x)[i])
            out[2 * i] = z.real / divisor
            out[2 * i + 1] = z.imag / divisor


cdef void log2(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    _log_over(args, n, M_LN2)


cdef void log10(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    _log_over(args, n, M_LN10)


cdef inline void _log_one_plus(double re, double im, double* out) noexcept nogil:
    # the logarithm of the magnitude, and the angle; near 0 log1p keeps the small excess of the magnitude over 1
    cdef double more
    if hypot(re, im) < 0.5:
        more = re * (2 + re) + im * im
        out[0] = 0.5 * log1p(more) if more != 0 else re
    else:
        out[0] = log(hypot(1 + re, im))
    out[1] = atan2(im, 1 + re)


cdef void log_one_plus(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef double[2] result
    cdef Py_ssize_t i
    for i in range(n):
        _log_one_plus(args[0][2 * i], args[0][2 * i + 1], result)
        if isnan(result[0]) or isnan(result[1]):
            result[0] = result[1] = NAN
        args[1][2 * i], args[1][2 * i + 1] = <Real>result[0], <Real>result[1]


cdef inline double _scaled(double size, double direction) noexcept nogil:
    """Return a part of a number in polar form; size 0 or direction 0 gives 0, not nan."""
    return size * direction if size != 0 and direction != 0 else 0


cdef inline void _add_exponentials(const double* small, const double* large, double* out) noexcept nogil:
    """Compute log(exp(a) + exp(b)) of two numbers; `large` has the larger real part."""
    cdef double re = small[0] - large[0], im = small[1] - large[1], size
    if isnan(re) and small[0] < 0:                      # both -inf
        out[0], out[1] = small[0], small[1]
    elif isnan(re) and not isfinite(im):
        out[0], out[1] = INFINITY, NAN
    elif isnan(re):                                     # both inf
        re = _scaled(INFINITY, cos(small[1])) + _scaled(INFINITY, cos(large[1])) - 1
        im = _scaled(INFINITY, sin(small[1])) + _scaled(INFINITY, sin(large[1]))
        _log_one_plus(re, im, out)
    else:
        size = exp(re)
        _log_one_plus(_scaled(size, cos(im)), _scaled(size, sin(im)), out)
        out[0] += large[0]
        out[1] += large[1]


cdef void log_add_exp(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef double[2] x, y, result
    cdef Py_ssize_t i
    for i in range(n):
        x[0], x[1] = args[0][2 * i], args[0][2 * i + 1]
        y[0], y[1] = args[1][2 * i], args[1][2 * i + 1]
        if isnan(x[0]) or isnan(x[1]) or isnan(y[0]) or isnan(y[1]):
            result[0] = result[1] = NAN
        elif x[0] < y[0]:
            _add_exponentials(x, y, result)
        else:
            _add_exponentials(y, x, result)
        args[2][2 * i], args[2][2 * i + 1] = <Real>result[0], <Real>result[1]


cdef inline Real _quotient(Real a, Real b, Real c, Real d, Real* im) noexcept nogil:
    # (a + b i) / (c + d i) by Smith's method, scaled by the larger part of the divisor
    cdef bint swap = absolute(c) < absolute(d), zero = (c == 0) & (d == 0)
    cdef Real large = d if swap else c, small = c if swap else d
    cdef Real ratio = small / large
    cdef Real scale = 1 / (large + small * ratio)
    cdef Real p = b if swap else a, q = a if swap else b
    cdef Real re = (p + q * ratio) * scale
    cdef Real u = b * ratio - a, v = b - a * ratio, w
    u = (u if swap else v) * scale
    v = a / absolute(c)
    w = b / absolute(d)
    im[0] = w if zero else u
    return v if zero else re


cdef simd reciprocal(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real re, im, one = 1, zero = 0
    for i in range(n):
        re = _quotient(one, zero, x[2 * i], x[2 * i + 1], &im)
        out[2 * i] = re
        out[2 * i + 1] = im


cdef simd divide(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real re, im
    for i in range(n):
        re = _quotient(a[2 * i], a[2 * i + 1], b[2 * i], b[2 * i + 1], &im)
        out[2 * i] = re
        out[2 * i + 1] = im


cdef void angle(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef Kernel* k = &binary_row(ATAN2)[<int>(Float32 if Real is float else Float64)]
    cdef Py_ssize_t* steps = [2 * sizeof(Real), 2 * sizeof(Real), sizeof(Real)]
    cdef char** operands = [<char*>(args[0] + 1), <char*>args[0], <char*>args[1]]
    k.loop(operands, &n, steps, k.data)


cdef simd real_angle(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real pi = 3.14159265358979323846, y
    for i in range(n):
        y = pi if x[i] < 0 else 0
        out[i] = x[i] if x[i] != x[i] else y


# ---- on whole numbers

cdef void _apply(int op, Complex* x, Complex* out, Py_ssize_t n) noexcept nogil:
    """Apply one of NumPy's unary loops to contiguous elements."""
    cdef Kernel* k = &unary_row(op)[<int>(Complex64 if Complex is complex64 else Complex128)]
    cdef Py_ssize_t* steps = [sizeof(Complex), sizeof(Complex)]
    cdef char** operands = [<char*>x, <char*>out]
    k.loop(operands, &n, steps, k.data)


cdef void _invert(Complex* x, Py_ssize_t n) noexcept nogil:
    """Compute 1 / x like `reciprocal`; for an infinite divisor C gives 0, but PyTorch nan."""
    cdef Py_ssize_t i
    cdef float re, im
    cdef double wide_re, wide_im
    for i in range(n):
        if Complex is complex64:
            re = _quotient[float](1, 0, x[i].real, x[i].imag, &im)
            x[i].real, x[i].imag = re, im
        else:
            wide_re = _quotient[double](1, 0, x[i].real, x[i].imag, &wide_im)
            x[i].real, x[i].imag = wide_re, wide_im


cdef void rsqrt(Complex** args, Py_ssize_t n, const double* _) noexcept nogil:
    _apply(SQRT, args[0], args[1], n)
    _invert(args[1], n)


cdef void power(Complex** args, Py_ssize_t n, const double* _) noexcept nogil:
    # C's function computes 0 to the power of 0 as exp(0 log(0)), which is nan
    cdef Py_ssize_t i
    for i in range(n):
        if Complex is complex64:
            args[2][i] = cpowf(args[0][i], args[1][i])
        else:
            args[2][i] = cpow(args[0][i], args[1][i])


cdef inline void _sigmoid(const Complex* x, Complex* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef Complex one = 1
    for i in range(n):
        out[i] = -x[i]
    _apply(EXP, out, out, n)
    for i in range(n):
        out[i] = one + out[i]
    _invert(out, n)


cdef void sigmoid(Complex** args, Py_ssize_t n, const double* _) noexcept nogil:
    _sigmoid(args[0], args[1], n)


cdef void silu(Complex** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef Complex s[BLOCK]
    cdef Py_ssize_t start = 0, count, i
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        _sigmoid(args[0] + start, s, count)
        for i in range(count):
            args[1][start + i] = times(args[0][start + i], s[i])
        start += count


cdef inline Complex _conjugate(Complex z) noexcept nogil:
    z.imag = -z.imag
    return z


cdef simd tanh_backward(Complex** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Complex* grad = args[0]
    cdef const Complex* y = args[1]
    cdef Complex* out = args[2]
    cdef Py_ssize_t i
    cdef Complex one = 1
    for i in range(n):
        out[i] = times(grad[i], _conjugate(one - times(y[i], y[i])))


cdef simd sigmoid_backward(Complex** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Complex* grad = args[0]
    cdef const Complex* y = args[1]
    cdef Complex* out = args[2]
    cdef Py_ssize_t i
    cdef Complex one = 1
    for i in range(n):
        out[i] = times(grad[i], _conjugate(times(one - y[i], y[i])))


# ---- with a complex parameter, given as its two parts

cdef simd add_alpha(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    _add_scaled(args, n, <Real>params[0], <Real>params[1])


cdef simd sub_alpha(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    _add_scaled(args, n, <Real>-params[0], <Real>-params[1])


cdef inline Real _product(Real a, Real b, Real c, Real d, Real* imag) noexcept nogil:
    # (a + bi) (c + di) by the plain formula: like PyTorch, and unlike C, without a rule for infinities
    imag[0] = a * d + b * c
    return a * c - b * d


cdef simd addcmul(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef const Real* c = args[2]
    cdef Real* out = args[3]
    cdef Py_ssize_t i
    cdef Real real = <Real>params[0], imag = <Real>params[1], re, im
    for i in range(n):
        re = _product(real, imag, b[2 * i], b[2 * i + 1], &im)
        re = _product(re, im, c[2 * i], c[2 * i + 1], &im)
        out[2 * i] = a[2 * i] + re
        out[2 * i + 1] = a[2 * i + 1] + im


cdef simd addcdiv(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef const Real* c = args[2]
    cdef Real* out = args[3]
    cdef Py_ssize_t i
    cdef Real real = <Real>params[0], imag = <Real>params[1], re, im
    for i in range(n):
        re = _product(real, imag, b[2 * i], b[2 * i + 1], &im)
        re = _quotient(re, im, c[2 * i], c[2 * i + 1], &im)
        out[2 * i] = a[2 * i] + re
        out[2 * i + 1] = a[2 * i + 1] + im


cdef inline void _lerp(const Real* a, const Real* b, Real real, Real imag, Real* out) noexcept nogil:
    # the weight belongs to b; a large one is applied from b, so that 1 gives b exactly
    cdef bint small = real * real + imag * imag < <Real>0.25
    cdef Real im, re = _product(real if small else real - 1, imag, b[0] - a[0], b[1] - a[1], &im)
    re += a[0] if small else b[0]
    im += a[1] if small else b[1]
    out[0] = re
    out[1] = im


cdef simd lerp(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef const Real* weight = args[2]
    cdef Py_ssize_t i
    for i in range(n):
        _lerp(a + 2 * i, b + 2 * i, weight[2 * i], weight[2 * i + 1], args[3] + 2 * i)


cdef simd lerp_scalar(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        _lerp(a + 2 * i, b + 2 * i, <Real>params[0], <Real>params[1], args[2] + 2 * i)


cdef inline void _run(Block block, int inputs, Real** args, const Py_ssize_t* n,
                      const Py_ssize_t* steps, void* params) noexcept nogil:
    cdef int size = 2 * sizeof(Real)
    cdef int* sizes = [size, size, size, size]
    run_blocks(block, inputs, sizes, <char**>args, n[0], steps, <double*>params)


cdef void add_alpha_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                         void* data) noexcept nogil:
    _run(<Block>add_alpha[Real], 2, args, n, steps, data)


cdef void sub_alpha_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                         void* data) noexcept nogil:
    _run(<Block>sub_alpha[Real], 2, args, n, steps, data)


cdef void lerp_scalar_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                           void* data) noexcept nogil:
    _run(<Block>lerp_scalar[Real], 2, args, n, steps, data)


cdef void addcmul_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                       void* data) noexcept nogil:
    _run(<Block>addcmul[Real], 3, args, n, steps, data)


cdef void addcdiv_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                       void* data) noexcept nogil:
    _run(<Block>addcdiv[Real], 3, args, n, steps, data)


# ---- registration

cdef void _register(int dtype, Complex** _) except *:
    cdef int size = sizeof(Complex)
    set_block(&unary_row(RSQRT)[dtype], <Block>rsqrt[Complex], 1, size, size, 200)
    set_block(&unary_row(SIGMOID)[dtype], <Block>sigmoid[Complex], 1, size, size, 300)
    set_block(&unary_row(SILU)[dtype], <Block>silu[Complex], 1, size, size, 300)
    set_block(&binary_row(TANH_BACKWARD)[dtype], <Block>tanh_backward[Complex], 2, size, size, 10)
    set_block(&binary_row(SIGMOID_BACKWARD)[dtype], <Block>sigmoid_backward[Complex], 2, size,
              size, 10)
    set_block(&binary_row(POW)[dtype], <Block>power[Complex], 2, size, size, 300)


cdef void _register_parts(int dtype, Real** _) except *:
    cdef int size = 2 * sizeof(Real)
    set_block(&unary_row(NEG)[dtype], <Block>neg[Real], 1, size, size, 3)
    set_block(&unary_row(SGN)[dtype], <Block>sgn[Real], 1, size, size, 10)
    set_block(&unary_row(LOG2)[dtype], <Block>log2[Real], 1, size, size, 150)
    set_block(&unary_row(LOG10)[dtype], <Block>log10[Real], 1, size, size, 150)
    set_block(&binary_row(LOGADDEXP)[dtype], <Block>log_add_exp[Real], 2, size, size, 300)
    set_block(&unary_row(LOG1P)[dtype], <Block>log_one_plus[Real], 1, size, size, 150)
    set_block(&unary_row(ANGLE)[dtype], <Block>angle[Real], 1, size, size // 2, 8)
    set_block(&unary_row(RECIPROCAL)[dtype], <Block>reciprocal[Real], 1, size, size, 10)
    set_block(&binary_row(ADD)[dtype], <Block>add[Real], 2, size, size, 5)
    set_block(&binary_row(SUB)[dtype], <Block>sub[Real], 2, size, size, 5)
    set_block(&binary_row(DIV)[dtype], <Block>divide[Real], 2, size, size, 10)
    set_block(&ternary_row(LERP)[dtype], <Block>lerp[Real], 3, size, size, 10)
    set_kernel(&binary_row(ADD_ALPHA)[dtype], <Loop>add_alpha_loop[Real], NULL, 5)
    set_kernel(&binary_row(SUB_ALPHA)[dtype], <Loop>sub_alpha_loop[Real], NULL, 5)
    set_kernel(&binary_row(LERP_SCALAR)[dtype], <Loop>lerp_scalar_loop[Real], NULL, 10)
    set_kernel(&ternary_row(ADDCMUL)[dtype], <Loop>addcmul_loop[Real], NULL, 10)
    set_kernel(&ternary_row(ADDCDIV)[dtype], <Loop>addcdiv_loop[Real], NULL, 30)


cdef void register() except *:
    cdef int dtype
    _register_parts[float](Complex64, NULL)
    _register_parts[double](Complex128, NULL)
    cdef Kernel* copy
    _register[complex64](Complex64, NULL)
    _register[complex128](Complex128, NULL)
    set_floating(unary_row(ANGLE), 1, <Block>real_angle[float], <Block>real_angle[double], 1)
    for dtype in (UInt8, Int8, Int16, Int32, Int64, Float16, BFloat16, Float32, Float64,
                  Bool):
        copy = &cast_table[dtype][dtype]
        set_kernel(&unary_row(CONJ)[dtype], copy.loop, copy.data, copy.cost)
