# distutils: extra_compile_args = -ffp-contract=off
"""layer_norm and rms_norm over contiguous rows, with their derivatives.

rms_norm is layer_norm without the mean: one template with a constant `center`.

Note [Gradients of gamma and beta]
The gradients are sums over all rows, elementwise along a row. While a row is in the cache for its dx, it is added
to two rows of floats or doubles. Every FLUSH rows these are added to rows of doubles, so that the error does not
grow with the number of rows. Every thread has its own such rows; they are added at the end.

Derivative: with xh = (x - mean) rstd and h = grad gamma,
dx = rstd (h - mean(h) - xh mean(h xh)); without centering mean(h) is left out.
"""

from libc.math cimport sqrt
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from cython.parallel cimport prange

from minitorch.core.dtype cimport Float32, Float64
from minitorch.kernels.common.always_inline cimport inlined
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.nn.row_moments cimport ROW_LANES, row_squares, row_sum
from minitorch.kernels.reduction.fold cimport FOLD_SUM, fold_lanes

cdef enum:
    FLUSH = 64

cdef struct Job:
    const char* grad
    const char* x
    const char* gamma
    const char* beta
    char* out               # dx in the backward
    char* mean
    char* rstd
    bint dgamma, dbeta      # whether they are computed
    bint center
    Py_ssize_t m, n
    double eps
    int dtype
    char* sums              # for each thread: 2 n elements, then 2 n doubles
    Py_ssize_t sums_size


# -- forward --------------------------------------------------------------------------------------

cdef inline inlined _affine(const Real* x, Real* out, Py_ssize_t n, Real mean, Real rstd,
                            const Real* gamma, const Real* beta) noexcept nogil:
    cdef Py_ssize_t i
    cdef Real shift = -mean * rstd
    if gamma != NULL and beta != NULL:
        for i in range(n):
            out[i] = (x[i] * rstd + shift) * gamma[i] + beta[i]
    elif gamma != NULL:
        for i in range(n):
            out[i] = (x[i] * rstd + shift) * gamma[i]
    elif beta != NULL:
        for i in range(n):
            out[i] = (x[i] * rstd + shift) + beta[i]
    else:
        for i in range(n):
            out[i] = x[i] * rstd + shift


cdef simd _forward(const Job* job, Real* tag, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t n = job.n, row
    cdef const Real* x
    cdef double mean, var
    for row in range(begin, end):
        x = <const Real*>job.x + row * n
        mean = 0
        if job.center:
            row_sum(x, n, &mean)
            mean /= n
            (<Real*>job.mean)[row] = <Real>mean
        row_squares(x, n, <Real>mean, &var)
        var = 1 / sqrt(var / n + job.eps)
        (<Real*>job.rstd)[row] = <Real>var
        _affine(x, <Real*>job.out + row * n, n, <Real>mean, <Real>var,
                <const Real*>job.gamma, <const Real*>job.beta)


# -- derivative -----------------------------------------------------------------------------------

cdef inline inlined _weighted_products(const Real* g, const Real* x, const Real* gamma,
                                       Py_ssize_t n, Real mean, double* sum_h,
                                       double* sum_hx) noexcept nogil:
    # sum(h) and sum(h (x - mean)), h = g gamma
    cdef Real[ROW_LANES] lane
    cdef Real[ROW_LANES] product
    cdef Real h
    cdef double a = 0, b = 0
    cdef Py_ssize_t i = 0, j
    if n >= ROW_LANES:
        for j in range(ROW_LANES):
            lane[j] = 0
            product[j] = 0
        while i + ROW_LANES <= n:
            for j in range(ROW_LANES):
                h = g[i + j] * gamma[i + j] if gamma != NULL else g[i + j]
                lane[j] += h
                product[j] += h * (x[i + j] - mean)
            i += ROW_LANES
        fold_lanes(lane, FOLD_SUM)
        a = lane[0]
        fold_lanes(product, FOLD_SUM)
        b = product[0]
    while i < n:
        h = g[i] * gamma[i] if gamma != NULL else g[i]
        a += h
        b += h * (x[i] - mean)
        i += 1
    sum_h[0] = a
    sum_hx[0] = b


cdef simd _backward(const Job* job, Real* sums, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t n = job.n, row, i
    cdef const Real* g
    cdef const Real* x
    cdef const Real* gamma = <const Real*>job.gamma
    cdef Real* dx
    cdef Real* dgamma = sums
    cdef Real* dbeta = sums + n
    cdef double* totals = <double*>(sums + 2 * n)
    cdef Real mean, rstd, a, b
    cdef double sum_h, sum_hx
    for row in range(begin, end):
        g = <const Real*>job.grad + row * n
        x = <const Real*>job.x + row * n
        mean = (<const Real*>job.mean)[row] if job.center else 0
        rstd = (<const Real*>job.rstd)[row]
        if job.dgamma:
            for i in range(n):
                dgamma[i] += g[i] * ((x[i] - mean) * rstd)
        if job.dbeta:
            for i in range(n):
                dbeta[i] += g[i]
        if (job.dgamma or job.dbeta) and ((row - begin) % FLUSH == FLUSH - 1 or row == end - 1):
            for i in range(2 * n):
                totals[i] += sums[i]
            memset(sums, 0, 2 * n * sizeof(Real))
        if job.out != NULL:
            dx = <Real*>job.out + row * n
            if gamma != NULL:
                _weighted_products(g, x, gamma, n, mean, &sum_h, &sum_hx)
            else:
                _weighted_products(g, x, <const Real*>NULL, n, mean, &sum_h, &sum_hx)
            # dx = rstd h + a (x - mean) + b
            a = <Real>(-sum_hx / n * rstd * rstd * rstd)
            b = <Real>(-sum_h / n * rstd) if job.center else 0
            if gamma != NULL:
                for i in range(n):
                    dx[i] = rstd * (g[i] * gamma[i]) + (a * (x[i] - mean) + b)
            else:
                for i in range(n):
                    dx[i] = rstd * g[i] + (a * (x[i] - mean) + b)


# -- threads --------------------------------------------------------------------------------------

cdef void _forward_range(const Job* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    if job.dtype == Float32:
        _forward(job, <float*>NULL, begin, end)
    else:
        _forward(job, <double*>NULL, begin, end)


cdef void _backward_range(const Job* job, int t, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef char* sums = job.sums + t * job.sums_size
    if job.dtype == Float32:
        _backward(job, <float*>sums, begin, end)
    else:
        _backward(job, <double*>sums, begin, end)


cdef int _run_forward(Job* job) noexcept nogil:
    cdef int t, threads
    if job.dtype != Float32 and job.dtype != Float64:
        return 1
    threads = threads_for(job.m * job.n // 4)
    threads = threads if threads < job.m else <int>job.m
    if threads <= 1:
        _forward_range(job, 0, job.m)
    else:
        for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
            _forward_range(job, job.m * t // threads, job.m * (t + 1) // threads)
    return 0


cdef void _store(const Job* job, const double* totals, char* out) noexcept nogil:
    cdef Py_ssize_t i
    if out == NULL:
        return
    for i in range(job.n):
        if job.dtype == Float32:
            (<float*>out)[i] = <float>totals[i]
        else:
            (<double*>out)[i] = totals[i]


cdef int _run_backward(Job* job, char* dgamma, char* dbeta) noexcept nogil:
    cdef int t, threads
    cdef Py_ssize_t i, size = 4 if job.dtype == Float32 else 8
    cdef double* totals
    cdef double* other
    if job.dtype != Float32 and job.dtype != Float64:
        return 1
    threads = threads_for(job.m * job.n // 2)
    threads = threads if threads < job.m else <int>job.m
    threads = threads if threads > 1 else 1
    job.dgamma = dgamma != NULL
    job.dbeta = dbeta != NULL
    job.sums_size = (2 * job.n * (size + 8) + 63) // 64 * 64 + 64
    job.sums = <char*>calloc(threads, job.sums_size)
    if job.sums == NULL:
        return 1
    if threads == 1:
        _backward_range(job, 0, 0, job.m)
    else:
        for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
            _backward_range(job, t, job.m * t // threads, job.m * (t + 1) // threads)
    totals = <double*>(job.sums + 2 * job.n * size)
    for t in range(1, threads):
        other = <double*>(job.sums + t * job.sums_size + 2 * job.n * size)
        for i in range(2 * job.n):
            totals[i] += other[i]
    _store(job, totals, dgamma)
    _store(job, totals + job.n, dbeta)
    free(job.sums)
    return 0


# -- interface ------------------------------------------------------------------------------------

cdef inline Job _job(const char* grad, const char* x, const char* gamma, char* out, char* mean,
                     char* rstd, Py_ssize_t m, Py_ssize_t n, int dtype) noexcept nogil:
    cdef Job job
    job.grad = grad
    job.x = x
    job.gamma = gamma
    job.beta = NULL
    job.out = out
    job.mean = mean
    job.rstd = rstd
    job.center = mean != NULL
    job.m = m
    job.n = n
    job.eps = 0
    job.dtype = dtype
    return job


cdef int layer_norm_kernel(const char* x, const char* gamma, const char* beta, char* out,
                           char* mean, char* rstd, Py_ssize_t m, Py_ssize_t n, double eps,
                           int dtype) noexcept nogil:
    cdef Job job = _job(NULL, x, gamma, out, mean, rstd, m, n, dtype)
    job.beta = beta
    job.eps = eps
    return _run_forward(&job)


cdef int layer_norm_backward_kernel(const char* grad, const char* x, const char* mean,
                                    const char* rstd, const char* gamma, char* dx, char* dgamma,
                                    char* dbeta, Py_ssize_t m, Py_ssize_t n,
                                    int dtype) noexcept nogil:
    cdef Job job = _job(grad, x, gamma, dx, <char*>mean, <char*>rstd, m, n, dtype)
    return _run_backward(&job, dgamma, dbeta)


cdef int rms_norm_kernel(const char* x, const char* gamma, char* out, char* rstd, Py_ssize_t m,
                         Py_ssize_t n, double eps, int dtype) noexcept nogil:
    cdef Job job = _job(NULL, x, gamma, out, NULL, rstd, m, n, dtype)
    job.eps = eps
    return _run_forward(&job)


cdef int rms_norm_backward_kernel(const char* grad, const char* x, const char* rstd,
                                  const char* gamma, char* dx, char* dgamma, Py_ssize_t m,
                                  Py_ssize_t n, int dtype) noexcept nogil:
    cdef Job job = _job(grad, x, gamma, dx, NULL, <char*>rstd, m, n, dtype)
    return _run_backward(&job, dgamma, NULL)
