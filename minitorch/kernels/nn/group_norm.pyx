# distutils: extra_compile_args = -ffp-contract=off
"""group_norm and its derivative over contiguous (n, c, s) arrays.

A group of one sample is one contiguous row of c / groups * s elements, in which gamma and beta change every s
elements. Such a row is the unit of work.

Derivative: with xh = (x - mean) rstd and h = grad gamma, for each group
dx = rstd (h - mean(h) - xh mean(h xh)). This needs only the sums of grad and grad (x - mean) over the s elements
of every channel. They are stored as (n, c); dgamma and dbeta are their sums over n.
"""

from libc.math cimport sqrt
from libc.stdlib cimport free, malloc

from cython.parallel cimport prange

from minitorch.core.dtype cimport Float32, Float64
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.nn.row_moments cimport row_products, row_squares, row_sum

cdef struct Job:
    const char* grad
    const char* x
    const char* gamma
    const char* beta
    char* out                # dx in the backward
    char* mean
    char* rstd
    double* sums             # (n, c, 2): sum(grad), sum(grad (x - mean))
    Py_ssize_t n, c, s, groups
    double eps
    int dtype


cdef simd _forward(const Job* job, Real* tag, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t s = job.s, channels = job.c // job.groups, size = channels * s, row, k, j, c
    cdef const Real* x
    cdef const Real* gamma = <const Real*>job.gamma
    cdef const Real* beta = <const Real*>job.beta
    cdef Real* out
    cdef double mean, var
    cdef Real a, b
    for row in range(begin, end):
        x = <const Real*>job.x + row * size
        out = <Real*>job.out + row * size
        row_sum(x, size, &mean)
        mean /= size
        row_squares(x, size, <Real>mean, &var)
        var = 1 / sqrt(var / size + job.eps)
        (<Real*>job.mean)[row] = <Real>mean
        (<Real*>job.rstd)[row] = <Real>var
        c = row % job.groups * channels
        for k in range(channels):
            a = <Real>(var * (gamma[c + k] if gamma != NULL else 1))
            b = <Real>((beta[c + k] if beta != NULL else 0) - mean * a)
            for j in range(s):
                out[k * s + j] = x[k * s + j] * a + b


cdef simd _backward(const Job* job, Real* tag, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t s = job.s, channels = job.c // job.groups, size = channels * s, row, k, j, c
    cdef const Real* g
    cdef const Real* x
    cdef const Real* gamma = <const Real*>job.gamma
    cdef Real* dx
    cdef Real mean, rstd, a, b, d
    cdef double* sums
    cdef double sum_h, sum_hx, weight
    for row in range(begin, end):
        g = <const Real*>job.grad + row * size
        x = <const Real*>job.x + row * size
        mean = (<const Real*>job.mean)[row]
        rstd = (<const Real*>job.rstd)[row]
        sums = job.sums + row * channels * 2
        c = row % job.groups * channels
        sum_h = 0
        sum_hx = 0
        for k in range(channels):
            row_products(g + k * s, x + k * s, s, mean, sums + 2 * k, sums + 2 * k + 1)
            weight = gamma[c + k] if gamma != NULL else 1
            sum_h += weight * sums[2 * k]
            sum_hx += weight * sums[2 * k + 1]
            sums[2 * k + 1] *= rstd
        if job.out == NULL:
            continue
        dx = <Real*>job.out + row * size
        b = <Real>(-sum_hx / size * rstd * rstd * rstd)
        d = <Real>(-sum_h / size * rstd)
        for k in range(channels):
            a = rstd * gamma[c + k] if gamma != NULL else rstd
            for j in range(k * s, k * s + s):
                dx[j] = a * g[j] + (b * (x[j] - mean) + d)


cdef void _range(const Job* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    if job.dtype == Float32:
        if job.grad == NULL:
            _forward(job, <float*>NULL, begin, end)
        else:
            _backward(job, <float*>NULL, begin, end)
    elif job.grad == NULL:
        _forward(job, <double*>NULL, begin, end)
    else:
        _backward(job, <double*>NULL, begin, end)


cdef int _run(const Job* job) noexcept nogil:
    cdef Py_ssize_t rows = job.n * job.groups
    cdef int t, threads
    if job.dtype != Float32 and job.dtype != Float64:
        return 1
    threads = threads_for(job.n * job.c * job.s // (4 if job.grad == NULL else 3))
    threads = threads if threads < rows else <int>rows
    if threads <= 1:
        _range(job, 0, rows)
    else:
        for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
            _range(job, rows * t // threads, rows * (t + 1) // threads)
    return 0


cdef int group_norm_kernel(const char* x, const char* gamma, const char* beta, char* out,
                           char* mean, char* rstd, Py_ssize_t n, Py_ssize_t c, Py_ssize_t s,
                           Py_ssize_t groups, double eps, int dtype) noexcept nogil:
    cdef Job job
    job.grad = NULL
    job.x = x
    job.gamma = gamma
    job.beta = beta
    job.out = out
    job.mean = mean
    job.rstd = rstd
    job.n = n
    job.c = c
    job.s = s
    job.groups = groups
    job.eps = eps
    job.dtype = dtype
    return _run(&job)


cdef int group_norm_backward_kernel(const char* grad, const char* x, const char* mean,
                                    const char* rstd, const char* gamma, char* dx, char* dgamma,
                                    char* dbeta, Py_ssize_t n, Py_ssize_t c, Py_ssize_t s,
                                    Py_ssize_t groups, int dtype) noexcept nogil:
    cdef Job job
    cdef Py_ssize_t i, k
    cdef int part
    cdef double total
    cdef char* result
    job.grad = grad
    job.x = x
    job.gamma = gamma
    job.out = dx
    job.mean = <char*>mean
    job.rstd = <char*>rstd
    job.n = n
    job.c = c
    job.s = s
    job.groups = groups
    job.dtype = dtype
    job.sums = <double*>malloc((n * c * 2 + 1) * sizeof(double))
    if job.sums == NULL:
        return 1
    if _run(&job):
        free(job.sums)
        return 1
    for part in range(2):
        result = dgamma if part else dbeta
        if result == NULL:
            continue
        for k in range(c):
            total = 0
            for i in range(n):
                total += job.sums[(i * c + k) * 2 + part]
            if dtype == Float32:
                (<float*>result)[k] = <float>total
            else:
                (<double*>result)[k] = total
    free(job.sums)
    return 0
