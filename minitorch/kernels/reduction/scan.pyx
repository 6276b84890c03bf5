"""Cumulative sums, products, extremes and logsumexp.

Lines with inner == 1 are scanned element by element. With inner > 1, a block of up to BLOCK adjacent lines is
scanned together, so that memory is read in order. A unit is a line or such a block.

Note [Scanning in fours]
A cumulative sum depends on the sum before it. Along a line, four elements are therefore first summed among
themselves and then added to the previous sum, so the chain of dependencies is a quarter as long.
"""

from libc.math cimport INFINITY, NAN, atan2, cos, exp, hypot, isfinite, isnan, log, log1p, sin
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t

from cython.parallel cimport prange

from minitorch.core.dtype cimport (
    BFloat16, Bool, Complex128, Complex64, Float16, Float32, Float64, Int16, Int32, Int64, Int8,
    has_float_kernels)
from minitorch.kernels.common.always_inline cimport inlined
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, store_float, to_float
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Complex, Floating, Numeric, complex128, complex64

cdef enum Op:
    CUMSUM
    CUMPROD
    CUMMAX
    CUMMIN
    LOGCUMSUMEXP

cdef enum:
    BLOCK = 256

cdef struct Job:
    char* input
    char* out
    int64_t* indices
    Py_ssize_t outer, n, inner
    Py_ssize_t blocks         # of lines, per outer index
    int op, dtype


# -- one element ----------------------------------------------------------------------------------

cdef inline double _real(Numeric v) noexcept nogil:
    if Numeric in narrow_t:
        return to_float(v)
    else:
        return <double>v


cdef inline void _store(double v, Numeric* out) noexcept nogil:
    if Numeric in narrow_t:
        store_float(out, <float>v)
    else:
        out[0] = <Numeric>v


cdef inline double _join(double a, double b, const int op) noexcept nogil:
    return a * b if op == CUMPROD else a + b


cdef inline uint64_t _join_integers(uint64_t a, uint64_t b, const int op) noexcept nogil:
    return a * b if op == CUMPROD else a + b


# -- sums and products ----------------------------------------------------------------------------

cdef inline inlined _accumulate_line(const Numeric* x, Numeric* out, Py_ssize_t n,
                                     const int op) noexcept nogil:
    cdef double s = 1 if op == CUMPROD else 0, a, b, c, d
    cdef uint64_t u = 1 if op == CUMPROD else 0, p, q, r, t
    cdef Py_ssize_t i = 0
    if Numeric in Floating:
        while i + 4 <= n:
            a = _real(x[i])
            b = _join(a, _real(x[i + 1]), op)
            c = _join(b, _real(x[i + 2]), op)
            d = _join(c, _real(x[i + 3]), op)
            _store(_join(s, a, op), out + i)
            _store(_join(s, b, op), out + i + 1)
            _store(_join(s, c, op), out + i + 2)
            s = _join(s, d, op)
            _store(s, out + i + 3)
            i += 4
        while i < n:
            s = _join(s, _real(x[i]), op)
            _store(s, out + i)
            i += 1
    else:
        while i + 4 <= n:
            p = <uint64_t>x[i]
            q = _join_integers(p, <uint64_t>x[i + 1], op)
            r = _join_integers(q, <uint64_t>x[i + 2], op)
            t = _join_integers(r, <uint64_t>x[i + 3], op)
            out[i] = <Numeric>_join_integers(u, p, op)
            out[i + 1] = <Numeric>_join_integers(u, q, op)
            out[i + 2] = <Numeric>_join_integers(u, r, op)
            u = _join_integers(u, t, op)
            out[i + 3] = <Numeric>u
            i += 4
        while i < n:
            u = _join_integers(u, <uint64_t>x[i], op)
            out[i] = <Numeric>u
            i += 1


cdef inline inlined _accumulate_block(const Numeric* x, Numeric* out, Py_ssize_t n, Py_ssize_t m,
                                      Py_ssize_t step, const int op) noexcept nogil:
    cdef double[BLOCK] s
    cdef uint64_t[BLOCK] u
    cdef Py_ssize_t i, j
    for j in range(m):
        s[j] = 1 if op == CUMPROD else 0
        u[j] = 1 if op == CUMPROD else 0
    for i in range(n):
        for j in range(m):
            if Numeric in Floating:
                s[j] = _join(s[j], _real(x[i * step + j]), op)
                _store(s[j], out + i * step + j)
            else:
                u[j] = _join_integers(u[j], <uint64_t>x[i * step + j], op)
                out[i * step + j] = <Numeric>u[j]


cdef simd _accumulate(int op, const Numeric* x, Numeric* out, Py_ssize_t n, Py_ssize_t m,
                      Py_ssize_t step) noexcept nogil:
    if step == 1:
        if op == CUMPROD:
            _accumulate_line(x, out, n, CUMPROD)
        else:
            _accumulate_line(x, out, n, CUMSUM)
    elif op == CUMPROD:
        _accumulate_block(x, out, n, m, step, CUMPROD)
    else:
        _accumulate_block(x, out, n, m, step, CUMSUM)


cdef inline void _store_parts(Complex* out, double real, double imag) noexcept nogil:
    # writing it as real + imag * 1j would make the real part nan if the imaginary part is infinite
    if Complex is complex64:
        (<float*>out)[0] = <float>real
        (<float*>out)[1] = <float>imag
    else:
        (<double*>out)[0] = real
        (<double*>out)[1] = imag


cdef void _complex_product(const Complex* x, Complex* out, Py_ssize_t n, Py_ssize_t m,
                           Py_ssize_t step) noexcept nogil:
    # computed from the parts, since C's product has special rules for infinities
    cdef double real, imag, a, b
    cdef Py_ssize_t i, j
    for j in range(m):
        real, imag = 1, 0
        for i in range(n):
            a, b = x[i * step + j].real, x[i * step + j].imag
            real, imag = real * a - imag * b, real * b + imag * a
            _store_parts(&out[i * step + j], real, imag)


# -- extremes -------------------------------------------------------------------------------------

cdef inline bint _takes_over(Numeric v, Numeric best, const int op) noexcept nogil:
    cdef double a, b
    if Numeric in narrow_t:
        a = to_float(v)
        b = to_float(best)
        if op == CUMMAX:
            return (a != a) | ((b == b) & (a >= b))
        return (a != a) | ((b == b) & (a <= b))
    else:
        if op == CUMMAX:
            return (v != v) | ((best == best) & (v >= best))
        return (v != v) | ((best == best) & (v <= best))


cdef inline inlined _extremes(const Numeric* x, Numeric* out, int64_t* indices, Py_ssize_t n,
                              Py_ssize_t m, Py_ssize_t step, const int op) noexcept nogil:
    cdef Numeric[BLOCK] best
    cdef int64_t[BLOCK] where
    cdef Py_ssize_t i, j
    for j in range(m):
        best[j] = x[j]
        where[j] = 0
    for i in range(n):
        for j in range(m):
            if _takes_over(x[i * step + j], best[j], op):
                best[j] = x[i * step + j]
                where[j] = i
            out[i * step + j] = best[j]
            indices[i * step + j] = where[j]


cdef inline inlined _extremes_of_line(const Numeric* x, Numeric* out, int64_t* indices,
                                      Py_ssize_t n, const int op) noexcept nogil:
    # A branch, since new extremes are rare along most lines. It is also taken if a nan makes the comparison
    # false.
    cdef Numeric best = x[0]
    cdef Py_ssize_t i, where = 0
    for i in range(n):
        if not (x[i] < best if op == CUMMAX else x[i] > best):
            if _takes_over(x[i], best, op):
                best = x[i]
                where = i
        out[i] = best
        indices[i] = where


cdef void _extreme(int op, const Numeric* x, Numeric* out, int64_t* indices, Py_ssize_t n,
                   Py_ssize_t m, Py_ssize_t step) noexcept nogil:
    if Numeric not in narrow_t:
        if step == 1:
            if op == CUMMAX:
                _extremes_of_line(x, out, indices, n, CUMMAX)
            else:
                _extremes_of_line(x, out, indices, n, CUMMIN)
            return
    if op == CUMMAX:
        _extremes(x, out, indices, n, m, step, CUMMAX)
    else:
        _extremes(x, out, indices, n, m, step, CUMMIN)


# -- logcumsumexp ---------------------------------------------------------------------------------

cdef inline double _log_add_exp(double a, double b) noexcept nogil:
    # the sum a + b is nan if either is, whatever the comparisons give
    cdef double high = a if a >= b else b, low = b if a >= b else a
    if high - high != 0:
        return a + b if a != a or b != b else high
    return high + log1p(exp(low - high))


cdef void _log_sums(const Floating* x, Floating* out, Py_ssize_t n, Py_ssize_t m,
                    Py_ssize_t step) noexcept nogil:
    cdef double[BLOCK] s
    cdef Py_ssize_t i, j
    for j in range(m):
        s[j] = _real(x[j])
        out[j] = x[j]
    for i in range(1, n):
        for j in range(m):
            s[j] = _log_add_exp(s[j], _real(x[i * step + j]))
            _store(s[j], out + i * step + j)


cdef inline void _add_exp(double x, double y, double* sum_real, double* sum_imag) noexcept nogil:
    """Add exp(x + iy) to the sum whose logarithm is given, factoring out the larger real part.

    The imaginary part of the result is that of the larger number plus an angle, so it may be outside of [-pi,
    pi].
    """
    cdef double low = sum_real[0], low_imag = sum_imag[0], high = x, high_imag = y
    cdef double size, a, b, r
    if isnan(x) or isnan(y) or isnan(low) or isnan(low_imag):
        sum_real[0] = sum_imag[0] = NAN
        return
    if high < low:
        low, low_imag, high, high_imag = high, high_imag, low, low_imag
    if low == high and not isfinite(low):
        # real parts -inf: the new number is ignored; +inf: the angles of both are combined
        sum_real[0] = low
        sum_imag[0] = low_imag if low < 0 else atan2(
            exp(low) * sin(low_imag) + exp(high) * sin(high_imag),
            exp(low) * cos(low_imag) + exp(high) * cos(high_imag))
        return
    size = exp(low - high)
    a = size * cos(low_imag - high_imag)
    b = size * sin(low_imag - high_imag)
    if hypot(a, b) < 0.5:
        r = a * (2 + a) + b * b
        sum_real[0] = high + (a if r == 0 else 0.5 * log1p(r))
    else:
        sum_real[0] = high + log(hypot(a + 1, b))
    sum_imag[0] = high_imag + atan2(b, a + 1)


cdef void _complex_log_sums(const Complex* x, Complex* out, Py_ssize_t n, Py_ssize_t m,
                            Py_ssize_t step) noexcept nogil:
    cdef double real, imag
    cdef Py_ssize_t i, j
    for j in range(m):
        real, imag = -INFINITY, 0
        for i in range(n):
            _add_exp(x[i * step + j].real, x[i * step + j].imag, &real, &imag)
            _store_parts(&out[i * step + j], real, imag)


# -- units and threads ----------------------------------------------------------------------------

cdef inline void _unit(const Job* job, Numeric* tag, Py_ssize_t unit) noexcept nogil:
    cdef Py_ssize_t first = unit % job.blocks * BLOCK, m = job.inner - first
    cdef Py_ssize_t start = unit // job.blocks * job.n * job.inner + first
    cdef const Numeric* x = <const Numeric*>job.input + start
    cdef Numeric* out = <Numeric*>job.out + start
    m = BLOCK if m > BLOCK else m
    if job.op == CUMMAX or job.op == CUMMIN:
        _extreme(job.op, x, out, job.indices + start, job.n, m, job.inner)
    elif job.op == LOGCUMSUMEXP:
        if Numeric in Floating:
            _log_sums(x, out, job.n, m, job.inner)
    else:
        _accumulate(job.op, x, out, job.n, m, job.inner)


cdef inline void _complex_unit(const Job* job, Complex* tag, Py_ssize_t unit) noexcept nogil:
    cdef Py_ssize_t first = unit % job.blocks * BLOCK, m = job.inner - first
    cdef Py_ssize_t start = unit // job.blocks * job.n * job.inner + first
    m = BLOCK if m > BLOCK else m
    if job.op == LOGCUMSUMEXP:
        _complex_log_sums(<const Complex*>job.input + start, <Complex*>job.out + start, job.n, m, job.inner)
    else:
        _complex_product(<const Complex*>job.input + start, <Complex*>job.out + start, job.n, m, job.inner)


cdef void _units(const Job* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t unit
    for unit in range(begin, end):
        if job.dtype == Float32:
            _unit(job, <float*>NULL, unit)
        elif job.dtype == Float64:
            _unit(job, <double*>NULL, unit)
        elif job.dtype == Int64:
            _unit(job, <int64_t*>NULL, unit)
        elif job.dtype == Int32:
            _unit(job, <int32_t*>NULL, unit)
        elif job.dtype == Int16:
            _unit(job, <int16_t*>NULL, unit)
        elif job.dtype == Int8:
            _unit(job, <int8_t*>NULL, unit)
        elif job.dtype == Float16:
            _unit(job, <half_t*>NULL, unit)
        elif job.dtype == BFloat16:
            _unit(job, <bfloat16_t*>NULL, unit)
        elif job.dtype == Complex64:
            _complex_unit(job, <complex64*>NULL, unit)
        elif job.dtype == Complex128:
            _complex_unit(job, <complex128*>NULL, unit)
        else:
            _unit(job, <uint8_t*>NULL, unit)


cdef int _run(int op, char* input, char* out, char* indices, Py_ssize_t outer, Py_ssize_t n,
              Py_ssize_t inner, int dtype) noexcept nogil:
    cdef Job job
    cdef Py_ssize_t units
    cdef int t, threads
    cdef bint of_complex = dtype == Complex64 or dtype == Complex128
    if of_complex and op == CUMSUM:
        dtype = Float32 if dtype == Complex64 else Float64
        inner *= 2
    elif of_complex and op != CUMPROD and op != LOGCUMSUMEXP:
        return 1
    elif op == LOGCUMSUMEXP and not (has_float_kernels(dtype) or of_complex):
        return 1
    elif dtype == Bool and op <= CUMPROD:
        return 1
    elif dtype > Float64 and dtype != Bool and dtype != BFloat16 and not of_complex:
        return 1
    if outer * n * inner == 0:
        return 0
    job.input = input
    job.out = out
    job.indices = <int64_t*>indices
    job.outer = outer
    job.n = n
    job.inner = inner
    job.blocks = (inner + BLOCK - 1) // BLOCK
    job.op = op
    job.dtype = dtype
    units = outer * job.blocks
    threads = threads_for(outer * n * inner * (20 if op == LOGCUMSUMEXP else 1))
    threads = threads if threads < units else <int>units
    if threads <= 1:
        _units(&job, 0, units)
    else:
        for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
            _units(&job, units * t // threads, units * (t + 1) // threads)
    return 0


cdef int cumsum_kernel(char* input, char* out, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner,
                       int dtype) noexcept nogil:
    return _run(CUMSUM, input, out, NULL, outer, n, inner, dtype)


cdef int cumprod_kernel(char* input, char* out, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner,
                        int dtype) noexcept nogil:
    return _run(CUMPROD, input, out, NULL, outer, n, inner, dtype)


cdef int cummax_kernel(char* input, char* values, char* indices, Py_ssize_t outer, Py_ssize_t n,
                       Py_ssize_t inner, int dtype) noexcept nogil:
    return _run(CUMMAX, input, values, indices, outer, n, inner, dtype)


cdef int cummin_kernel(char* input, char* values, char* indices, Py_ssize_t outer, Py_ssize_t n,
                       Py_ssize_t inner, int dtype) noexcept nogil:
    return _run(CUMMIN, input, values, indices, outer, n, inner, dtype)


cdef int logcumsumexp_kernel(char* input, char* out, Py_ssize_t outer, Py_ssize_t n,
                             Py_ssize_t inner, int dtype) noexcept nogil:
    return _run(LOGCUMSUMEXP, input, out, NULL, outer, n, inner, dtype)
