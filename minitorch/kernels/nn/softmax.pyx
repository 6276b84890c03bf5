"""softmax and log_softmax with their derivatives.

The work is divided into units: several whole rows (inner == 1), or a block of columns of one outer index. All
passes over a unit (maximum, exponentials and their sum, scaling) find it in the cache. Several short rows are
processed together, so that the exponentials run over one long block.

Interface: the four kernels. Note [narrow units]: a unit of float16 or bfloat16 is converted to float32 scratch
memory, computed there in place, and converted back.
"""

from libc.math cimport INFINITY
from libc.stdlib cimport free, malloc

from cython.parallel cimport prange

from minitorch.core.dtype cimport BFloat16, Float16, Float32, Float64, is_reduced_floating
from minitorch.kernels.common.always_inline cimport inlined
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, store_float, to_float
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.softmax_math cimport exp_nonpositive, log_above_one
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.reduction.fold cimport (
    FOLD_MAX, FOLD_SUM, fold_extreme_row, fold_join, fold_lanes)

cdef enum:
    SHORT_ROW = 64        # shorter rows are processed several at a time
    SCRATCH = 1024        # elements of the block they are gathered in
    SHORT_ROWS = 128      # maximum rows of that block
    COLUMNS = 256         # maximum columns of a unit
    LANES = 32


# -- rows -----------------------------------------------------------------------------------------

cdef inline inlined _exp_sum(const Real* x, Real* out, Py_ssize_t n, Real shift, bint keep,
                             Real* result) noexcept nogil:
    # returns the sum of exp(x - shift); with `keep` the exponentials are stored in out
    cdef Real[LANES] lane
    cdef Real[LANES] rest
    cdef Real e
    cdef Py_ssize_t i = 0, j
    for j in range(LANES):
        lane[j] = 0
    while i + LANES <= n:
        for j in range(LANES):
            e = exp_nonpositive(x[i + j] - shift)
            lane[j] += e
            if keep:
                out[i + j] = e
        i += LANES
    if i < n:
        # a padded full block is faster than element by element
        for j in range(LANES):
            rest[j] = x[i + j] - shift if j < n - i else -INFINITY
        for j in range(LANES):
            rest[j] = exp_nonpositive(rest[j])
            lane[j] += rest[j]
        if keep:
            for j in range(LANES):
                if j < n - i:
                    out[i + j] = rest[j]
    fold_lanes(lane, FOLD_SUM)
    result[0] = lane[0]


cdef inline inlined _long_row(const Real* x, Real* out, Py_ssize_t n,
                              bint logarithm) noexcept nogil:
    cdef Real most, total
    cdef Py_ssize_t i
    fold_extreme_row(x, n, &most, FOLD_MAX)
    if logarithm:
        _exp_sum(x, out, n, most, False, &total)
        total = log_above_one(total)
        for i in range(n):
            out[i] = (x[i] - most) - total
    else:
        _exp_sum(x, out, n, most, True, &total)
        total = 1 / total
        for i in range(n):
            out[i] *= total


cdef inline Real _short_fold(const Real* x, Py_ssize_t n, const int op) noexcept nogil:
    cdef Real v = x[0]
    cdef Py_ssize_t i
    for i in range(1, n):
        v = fold_join(v, x[i], op)
    return v


cdef inline inlined _short_rows(const Real* x, Real* out, Py_ssize_t rows, Py_ssize_t n,
                                bint logarithm) noexcept nogil:
    cdef Real[SCRATCH] block
    cdef Real[SHORT_ROWS] sums
    cdef Real most, total
    cdef Real* p
    cdef Real* q
    cdef Py_ssize_t i, r, count
    while rows > 0:
        count = SCRATCH // n if n > SCRATCH // SHORT_ROWS else SHORT_ROWS
        count = count if count < rows else rows
        for r in range(count):
            most = _short_fold(x + r * n, n, FOLD_MAX)
            p = block + r * n
            for i in range(n):
                p[i] = x[r * n + i] - most
        if logarithm:
            for i in range(count * n):
                out[i] = block[i]
        for i in range(count * n):
            block[i] = exp_nonpositive(block[i])
        for r in range(count):
            sums[r] = _short_fold(block + r * n, n, FOLD_SUM)
        for r in range(count):
            sums[r] = log_above_one(sums[r]) if logarithm else 1 / sums[r]
        for r in range(count):
            p = block + r * n
            q = out + r * n
            total = sums[r]
            for i in range(n):
                q[i] = q[i] - total if logarithm else p[i] * total
        x += count * n
        out += count * n
        rows -= count


cdef inline inlined _softmax_rows(const Real* x, Real* out, Py_ssize_t rows, Py_ssize_t n,
                                  bint logarithm) noexcept nogil:
    cdef Py_ssize_t r
    if n < SHORT_ROW:
        _short_rows(x, out, rows, n, logarithm)
    else:
        for r in range(rows):
            _long_row(x + r * n, out + r * n, n, logarithm)


cdef inline inlined _backward_rows(const Real* g, const Real* y, Real* out,
                                   Py_ssize_t rows, Py_ssize_t n,
                                   bint logarithm) noexcept nogil:
    cdef Real[LANES] lane
    cdef Real total
    cdef Py_ssize_t _, i, j
    for _ in range(rows):
        i = 0
        total = 0
        if n >= LANES:
            for j in range(LANES):
                lane[j] = 0
            while i + LANES <= n:
                for j in range(LANES):
                    lane[j] += g[i + j] if logarithm else g[i + j] * y[i + j]
                i += LANES
            fold_lanes(lane, FOLD_SUM)
            total = lane[0]
        while i < n:
            total += g[i] if logarithm else g[i] * y[i]
            i += 1
        if logarithm:
            for i in range(n):
                out[i] = g[i] - exp_nonpositive(y[i]) * total
        else:
            for i in range(n):
                out[i] = (g[i] - total) * y[i]
        g += n
        y += n
        out += n


# -- columns: n rows of m <= COLUMNS elements, `step` apart ----------------------------------------

cdef inline inlined _softmax_columns(const Real* x, Real* out, Py_ssize_t n, Py_ssize_t m,
                                     Py_ssize_t step, bint logarithm) noexcept nogil:
    cdef Real[COLUMNS] most
    cdef Real[COLUMNS] total
    cdef Real e
    cdef Py_ssize_t i, j
    cdef const Real* p
    cdef Real* q
    for j in range(m):
        most[j] = x[j]
        total[j] = 0
    for i in range(1, n):
        p = x + i * step
        for j in range(m):
            most[j] = fold_join(most[j], p[j], FOLD_MAX)
    for i in range(n):
        p = x + i * step
        q = out + i * step
        if logarithm:
            for j in range(m):
                total[j] += exp_nonpositive(p[j] - most[j])
        else:
            for j in range(m):
                e = exp_nonpositive(p[j] - most[j])
                total[j] += e
                q[j] = e
    for j in range(m):
        total[j] = log_above_one(total[j]) if logarithm else 1 / total[j]
    for i in range(n):
        p = x + i * step
        q = out + i * step
        if logarithm:
            for j in range(m):
                q[j] = (p[j] - most[j]) - total[j]
        else:
            for j in range(m):
                q[j] *= total[j]


cdef inline inlined _backward_columns(const Real* g, const Real* y, Real* out,
                                      Py_ssize_t n, Py_ssize_t m, Py_ssize_t step,
                                      bint logarithm) noexcept nogil:
    cdef Real[COLUMNS] total
    cdef Py_ssize_t i, j
    for j in range(m):
        total[j] = 0
    for i in range(n):
        for j in range(m):
            total[j] += g[i * step + j] if logarithm else g[i * step + j] * y[i * step + j]
    for i in range(n):
        if logarithm:
            for j in range(m):
                out[i * step + j] = g[i * step + j] - exp_nonpositive(y[i * step + j]) * total[j]
        else:
            for j in range(m):
                out[i * step + j] = (g[i * step + j] - total[j]) * y[i * step + j]


# -- units ----------------------------------------------------------------------------------------

cdef enum Op:
    SOFTMAX
    LOG_SOFTMAX
    SOFTMAX_BACKWARD
    LOG_SOFTMAX_BACKWARD


cdef struct Job:
    char* a                 # input, or the gradient
    char* b                 # the output, for the derivatives
    char* out
    Py_ssize_t outer, n, inner
    Py_ssize_t rows         # rows of a unit (inner == 1)
    Py_ssize_t columns      # columns of a unit (inner > 1)
    Py_ssize_t blocks       # units per outer index (inner > 1)
    Py_ssize_t units
    int op
    int dtype
    bint failed


cdef simd _rows(int op, const Real* a, const Real* b, Real* out, Py_ssize_t rows,
                Py_ssize_t n) noexcept nogil:
    if op == SOFTMAX:
        _softmax_rows(a, out, rows, n, False)
    elif op == LOG_SOFTMAX:
        _softmax_rows(a, out, rows, n, True)
    elif op == SOFTMAX_BACKWARD:
        _backward_rows(a, b, out, rows, n, False)
    else:
        _backward_rows(a, b, out, rows, n, True)


cdef simd _columns(int op, const Real* a, const Real* b, Real* out, Py_ssize_t n,
                   Py_ssize_t m, Py_ssize_t step) noexcept nogil:
    if op == SOFTMAX:
        _softmax_columns(a, out, n, m, step, False)
    elif op == LOG_SOFTMAX:
        _softmax_columns(a, out, n, m, step, True)
    elif op == SOFTMAX_BACKWARD:
        _backward_columns(a, b, out, n, m, step, False)
    else:
        _backward_columns(a, b, out, n, m, step, True)


cdef simd _widen(const narrow_t* src, Py_ssize_t step, float* dst, Py_ssize_t rows,
                 Py_ssize_t m) noexcept nogil:
    cdef Py_ssize_t i, j
    for i in range(rows):
        for j in range(m):
            dst[i * m + j] = to_float(src[i * step + j])


cdef simd _narrow(const float* src, narrow_t* dst, Py_ssize_t step, Py_ssize_t rows,
                  Py_ssize_t m) noexcept nogil:
    cdef Py_ssize_t i, j
    for i in range(rows):
        for j in range(m):
            store_float(dst + i * step + j, src[i * m + j])


cdef simd _narrow_log_rows(const narrow_t* tag, float* x, Py_ssize_t rows,
                           Py_ssize_t n) noexcept nogil:
    """Compute log_softmax in place; like PyTorch, round the sum and its logarithm."""
    cdef narrow_t rounded
    cdef float most, total
    cdef Py_ssize_t i, _
    for _ in range(rows):
        fold_extreme_row(x, n, &most, FOLD_MAX)
        _exp_sum(x, x, n, most, False, &total)
        store_float(&rounded, total)
        store_float(&rounded, log_above_one(to_float(rounded)))
        total = to_float(rounded)
        for i in range(n):
            x[i] = (x[i] - most) - total
        x += n


cdef void _narrow_unit(const Job* job, const narrow_t* a, const narrow_t* b, narrow_t* out,
                       float* scratch, Py_ssize_t height, Py_ssize_t width) noexcept nogil:
    cdef float* other = scratch + height * width
    _widen(a, job.inner, scratch, height, width)
    if job.op >= SOFTMAX_BACKWARD:
        _widen(b, job.inner, other, height, width)
    if job.inner == 1 and job.op == LOG_SOFTMAX:
        _narrow_log_rows(a, scratch, width // job.n, job.n)
    elif job.inner == 1:
        _rows(job.op, <const float*>scratch, <const float*>other, scratch, width // job.n, job.n)
    else:
        _columns(job.op, <const float*>scratch, <const float*>other, scratch, job.n, width, width)
    _narrow(scratch, out, job.inner, height, width)


cdef void _unit(const Job* job, Real* scratch, Py_ssize_t unit) noexcept nogil:
    cdef Py_ssize_t n = job.n, step = job.inner, start, height, width
    cdef Py_ssize_t size = 2 if is_reduced_floating(job.dtype) else sizeof(Real)
    cdef const Real* a
    cdef const Real* b
    cdef Real* out
    if job.inner == 1:
        # for the conversions, all the rows form a single line
        start = unit * job.rows * n
        height = 1
        width = job.rows if (unit + 1) * job.rows <= job.outer else job.outer - unit * job.rows
        width *= n
    else:
        start = unit // job.blocks * n * step + unit % job.blocks * job.columns
        height = n
        width = step - unit % job.blocks * job.columns
        width = job.columns if width > job.columns else width
    a = <const Real*>(job.a + start * size)
    b = <const Real*>(job.b + start * size)
    out = <Real*>(job.out + start * size)
    if Real is float:
        if job.dtype == Float16:
            _narrow_unit(job, <half_t*>a, <half_t*>b, <half_t*>out, scratch, height, width)
            return
        if job.dtype == BFloat16:
            _narrow_unit(job, <bfloat16_t*>a, <bfloat16_t*>b, <bfloat16_t*>out, scratch, height,
                         width)
            return
    if job.inner == 1:
        _rows(job.op, a, b, out, width // n, n)
    else:
        _columns(job.op, a, b, out, n, width, step)


cdef void _units(Job* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t unit, size
    cdef float* scratch = NULL
    if job.dtype == Float64:
        for unit in range(begin, end):
            _unit(job, <double*>NULL, unit)
        return
    if is_reduced_floating(job.dtype):
        size = job.n * (job.rows if job.inner == 1 else job.columns)
        scratch = <float*>malloc(2 * size * sizeof(float))
        if scratch == NULL:
            job.failed = True
            return
    for unit in range(begin, end):
        _unit(job, scratch, unit)
    free(scratch)


cdef int _run(int op, char* a, char* b, char* out, Py_ssize_t outer, Py_ssize_t n,
              Py_ssize_t inner, int dtype) noexcept nogil:
    cdef Job job
    cdef Py_ssize_t total = outer * n * inner
    cdef int threads, t
    if dtype != Float32 and dtype != Float64 and not is_reduced_floating(dtype):
        return 1
    if total == 0:
        return 0
    job.a = a
    job.b = b
    job.out = out
    job.outer = outer
    job.n = n
    job.inner = inner
    job.op = op
    job.dtype = dtype
    job.failed = False
    threads = threads_for(total // (1 if dtype == Float64 else 2))
    if inner == 1:
        job.rows = 4096 // n if n < 4096 else 1
        job.units = (outer + job.rows - 1) // job.rows
    else:
        # n rows of a unit should stay in the second-level cache
        job.columns = 65536 // n // 16 * 16
        job.columns = 16 if job.columns < 16 else COLUMNS if job.columns > COLUMNS else job.columns
        job.columns = inner if inner < job.columns else job.columns
        job.blocks = (inner + job.columns - 1) // job.columns
        job.units = outer * job.blocks
    threads = threads if threads < job.units else <int>job.units
    if threads == 1:
        _units(&job, 0, job.units)
    else:
        for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
            _units(&job, job.units * t // threads, job.units * (t + 1) // threads)
    return job.failed


cdef int softmax_kernel(char* input, char* out, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner,
                        int dtype) noexcept nogil:
    return _run(SOFTMAX, input, input, out, outer, n, inner, dtype)


cdef int log_softmax_kernel(char* input, char* out, Py_ssize_t outer, Py_ssize_t n,
                            Py_ssize_t inner, int dtype) noexcept nogil:
    return _run(LOG_SOFTMAX, input, input, out, outer, n, inner, dtype)


cdef int softmax_backward_kernel(char* grad, char* output, char* grad_input, Py_ssize_t outer,
                                 Py_ssize_t n, Py_ssize_t inner, int dtype) noexcept nogil:
    return _run(SOFTMAX_BACKWARD, grad, output, grad_input, outer, n, inner, dtype)


cdef int log_softmax_backward_kernel(char* grad, char* output, char* grad_input, Py_ssize_t outer,
                                     Py_ssize_t n, Py_ssize_t inner, int dtype) noexcept nogil:
    return _run(LOG_SOFTMAX_BACKWARD, grad, output, grad_input, outer, n, inner, dtype)
