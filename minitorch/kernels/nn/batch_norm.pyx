"""batch_norm and its derivative over contiguous (n, c, s) arrays.

With spatial elements (s > 1), a channel consists of n contiguous rows of s elements. Without (s == 1), the
channels are adjacent and are processed CHANNELS at a time, so that loops run along memory. In both cases a unit
of work is a range of channels, and all sums are float64.

Derivative: with xh = (x - mean) invstd, dbeta = sum(grad), dgamma = sum(grad xh) and
dx = gamma invstd (grad - dbeta / N - xh dgamma / N); in evaluation the last two terms are left out.
"""

from libc.math cimport sqrt

from cython.parallel cimport prange

from minitorch.core.dtype cimport Float32, Float64
from minitorch.kernels.common.always_inline cimport inlined
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.nn.row_moments cimport ROW_LANES, add_products, add_squares, add_sum, clear_lanes
from minitorch.kernels.reduction.fold cimport FOLD_SUM, fold_lanes

cdef enum:
    CHANNELS = 64         # channels in a unit when s == 1
    ROWS = 16             # rows added in the element type before they are added to doubles,
    LONG_ROW = 256        # except for longer rows, which are added one by one

cdef struct Job:
    const char* grad
    const char* x
    const char* gamma
    const char* beta
    char* out             # dx in the backward
    char* mean            # the saved mean; in evaluation the running mean
    char* invstd
    char* running_mean
    char* running_var
    char* dgamma
    char* dbeta
    bint training
    double momentum, eps
    Py_ssize_t n, c, s
    int dtype


# -- sums of the channels of a unit: width channels from the channel `first` ----------------------

cdef inline inlined _column_sums(const Real* x, Py_ssize_t n, Py_ssize_t width, Py_ssize_t c,
                                 const double* shift, bint square, double* sums) noexcept nogil:
    # sum(x), or sum((x - shift)**2)
    cdef Real[CHANNELS] part
    cdef Real[CHANNELS] center
    cdef Real d
    cdef Py_ssize_t i = 0, j, end
    for j in range(width):
        sums[j] = 0
        center[j] = <Real>shift[j] if square else 0
    while i < n:
        end = i + ROWS if n - i > ROWS else n
        for j in range(width):
            part[j] = 0
        while i < end:
            for j in range(width):
                d = x[i * c + j] - center[j]
                part[j] += d * d if square else d
            i += 1
        for j in range(width):
            sums[j] += part[j]


cdef inline inlined _column_products(const Real* g, const Real* x, Py_ssize_t n,
                                     Py_ssize_t width, Py_ssize_t c, const Real* mean,
                                     double* sum_g, double* sum_gx) noexcept nogil:
    cdef Real[CHANNELS] part
    cdef Real[CHANNELS] product
    cdef Real[CHANNELS] center
    cdef Py_ssize_t i = 0, j, end
    for j in range(width):
        sum_g[j] = 0
        sum_gx[j] = 0
        center[j] = mean[j]
    while i < n:
        end = i + ROWS if n - i > ROWS else n
        for j in range(width):
            part[j] = 0
            product[j] = 0
        while i < end:
            for j in range(width):
                part[j] += g[i * c + j]
                product[j] += g[i * c + j] * (x[i * c + j] - center[j])
            i += 1
        for j in range(width):
            sum_g[j] += part[j]
            sum_gx[j] += product[j]


# -- forward --------------------------------------------------------------------------------------

cdef inline void _note_statistics(const Job* job, Real* tag, Py_ssize_t channel, double mean,
                                  double m2) noexcept nogil:
    # m2 is the sum of squared differences from the mean
    cdef double count = <double>job.n * job.s, unbiased, k = job.momentum
    cdef Real* running
    (<Real*>job.mean)[channel] = <Real>mean
    (<Real*>job.invstd)[channel] = <Real>(1 / sqrt(m2 / count + job.eps))
    if job.running_mean != NULL:
        running = <Real*>job.running_mean + channel
        running[0] = <Real>(k * mean + (1 - k) * running[0])
    if job.running_var != NULL:
        running = <Real*>job.running_var + channel
        unbiased = m2 / (count - 1)
        running[0] = <Real>(k * unbiased + (1 - k) * running[0])


cdef inline inlined _spatial_forward(const Job* job, Real* tag,
                                     Py_ssize_t channel) noexcept nogil:
    cdef Py_ssize_t s = job.s, step = job.c * s, i, j
    cdef const Real* x = <const Real*>job.x + channel * s
    cdef Real* out = <Real*>job.out + channel * s
    cdef double mean = 0, m2 = 0, invstd
    cdef Real[ROW_LANES] lane
    cdef Real a, b
    if job.training:
        clear_lanes(lane)
        for i in range(job.n):
            add_sum(x + i * step, s, lane)
            if i % ROWS == ROWS - 1 or s > LONG_ROW or i == job.n - 1:
                fold_lanes(lane, FOLD_SUM)
                mean += lane[0]
                clear_lanes(lane)
        mean /= <double>job.n * s
        for i in range(job.n):
            add_squares(x + i * step, s, <Real>mean, lane)
            if i % ROWS == ROWS - 1 or s > LONG_ROW or i == job.n - 1:
                fold_lanes(lane, FOLD_SUM)
                m2 += lane[0]
                clear_lanes(lane)
        _note_statistics(job, tag, channel, mean, m2)
        invstd = (<Real*>job.invstd)[channel]
    else:
        mean = (<const Real*>job.running_mean)[channel]
        invstd = 1 / sqrt((<const Real*>job.running_var)[channel] + job.eps)
    a = <Real>(invstd * ((<const Real*>job.gamma)[channel] if job.gamma != NULL else 1))
    b = <Real>(((<const Real*>job.beta)[channel] if job.beta != NULL else 0) - mean * a)
    for i in range(job.n):
        for j in range(s):
            out[i * step + j] = x[i * step + j] * a + b


cdef inline inlined _flat_forward(const Job* job, Real* tag, Py_ssize_t first,
                                  Py_ssize_t width) noexcept nogil:
    cdef Py_ssize_t n = job.n, c = job.c, i, j
    cdef const Real* x = <const Real*>job.x + first
    cdef Real* out = <Real*>job.out + first
    cdef double[CHANNELS] mean
    cdef double[CHANNELS] m2
    cdef Real[CHANNELS] a
    cdef Real[CHANNELS] b
    cdef double invstd
    if job.training:
        _column_sums(x, n, width, c, <const double*>NULL, False, mean)
        for j in range(width):
            mean[j] /= n
        _column_sums(x, n, width, c, mean, True, m2)
    for j in range(width):
        if job.training:
            _note_statistics(job, tag, first + j, mean[j], m2[j])
            invstd = (<Real*>job.invstd)[first + j]
        else:
            mean[j] = (<const Real*>job.running_mean)[first + j]
            invstd = 1 / sqrt((<const Real*>job.running_var)[first + j] + job.eps)
        a[j] = <Real>(invstd * ((<const Real*>job.gamma)[first + j]
                                if job.gamma != NULL else 1))
        b[j] = <Real>(((<const Real*>job.beta)[first + j]
                       if job.beta != NULL else 0) - mean[j] * a[j])
    for i in range(n):
        for j in range(width):
            out[i * c + j] = x[i * c + j] * a[j] + b[j]


# -- derivative -----------------------------------------------------------------------------------

cdef inline double _invstd(const Job* job, Real* tag, Py_ssize_t channel) noexcept nogil:
    if job.invstd != NULL:
        return (<const Real*>job.invstd)[channel]
    return 1 / sqrt((<const Real*>job.running_var)[channel] + job.eps)


cdef inline inlined _finish_channel(const Job* job, Py_ssize_t channel, double sum_g,
                                    double sum_gx, Real* a, Real* b,
                                    Real* d) noexcept nogil:
    # store dgamma and dbeta of the channel; dx = a grad + b (x - mean) + d
    cdef double invstd = _invstd(job, a, channel), scale = invstd
    cdef double count = <double>job.n * job.s
    if job.gamma != NULL:
        scale *= (<const Real*>job.gamma)[channel]
    if job.dgamma != NULL:
        (<Real*>job.dgamma)[channel] = <Real>(sum_gx * invstd)
    if job.dbeta != NULL:
        (<Real*>job.dbeta)[channel] = <Real>sum_g
    a[0] = <Real>scale
    b[0] = <Real>(-scale * invstd * invstd * sum_gx / count) if job.training else 0
    d[0] = <Real>(-scale * sum_g / count) if job.training else 0


cdef inline inlined _spatial_backward(const Job* job, Real* tag,
                                      Py_ssize_t channel) noexcept nogil:
    cdef Py_ssize_t s = job.s, step = job.c * s, i, j
    cdef const Real* g = <const Real*>job.grad + channel * s
    cdef const Real* x = <const Real*>job.x + channel * s
    cdef Real* dx = <Real*>job.out + channel * s
    cdef Real mean = (<const Real*>job.mean)[channel], a, b, d
    cdef Real[ROW_LANES] lane
    cdef Real[ROW_LANES] product
    cdef double sum_g = 0, sum_gx = 0
    if job.training or job.dgamma != NULL or job.dbeta != NULL:
        clear_lanes(lane)
        clear_lanes(product)
        for i in range(job.n):
            add_products(g + i * step, x + i * step, s, mean, lane, product)
            if i % ROWS == ROWS - 1 or s > LONG_ROW or i == job.n - 1:
                fold_lanes(lane, FOLD_SUM)
                sum_g += lane[0]
                fold_lanes(product, FOLD_SUM)
                sum_gx += product[0]
                clear_lanes(lane)
                clear_lanes(product)
    _finish_channel(job, channel, sum_g, sum_gx, &a, &b, &d)
    if job.out == NULL:
        return
    for i in range(job.n):
        if job.training:
            for j in range(s):
                dx[i * step + j] = a * g[i * step + j] + (b * (x[i * step + j] - mean) + d)
        else:
            for j in range(s):
                dx[i * step + j] = a * g[i * step + j]


cdef inline inlined _flat_backward(const Job* job, Real* tag, Py_ssize_t first,
                                   Py_ssize_t width) noexcept nogil:
    cdef Py_ssize_t n = job.n, c = job.c, i, j
    cdef const Real* g = <const Real*>job.grad + first
    cdef const Real* x = <const Real*>job.x + first
    cdef Real* dx = <Real*>job.out + first
    cdef Real[CHANNELS] mean
    cdef double[CHANNELS] sum_g
    cdef double[CHANNELS] sum_gx
    cdef Real[CHANNELS] a
    cdef Real[CHANNELS] b
    cdef Real[CHANNELS] d
    for j in range(width):
        mean[j] = (<const Real*>job.mean)[first + j]
    _column_products(g, x, n, width, c, mean, sum_g, sum_gx)
    for j in range(width):
        _finish_channel(job, first + j, sum_g[j], sum_gx[j], a + j, b + j, d + j)
    if job.out == NULL:
        return
    for i in range(n):
        for j in range(width):
            dx[i * c + j] = a[j] * g[i * c + j] + (b[j] * (x[i * c + j] - mean[j]) + d[j])


# -- units and threads ----------------------------------------------------------------------------

cdef simd _units(const Job* job, Real* tag, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    # process the channels begin .. end - 1
    cdef Py_ssize_t channel = begin, width
    while channel < end:
        width = 1
        if job.s == 1:
            width = end - channel if end - channel < CHANNELS else CHANNELS
            if job.grad == NULL:
                _flat_forward(job, tag, channel, width)
            else:
                _flat_backward(job, tag, channel, width)
        elif job.grad == NULL:
            _spatial_forward(job, tag, channel)
        else:
            _spatial_backward(job, tag, channel)
        channel += width


cdef void _range(const Job* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    if job.dtype == Float32:
        _units(job, <float*>NULL, begin, end)
    else:
        _units(job, <double*>NULL, begin, end)


cdef int _run(const Job* job) noexcept nogil:
    cdef int t, threads
    if job.dtype != Float32 and job.dtype != Float64:
        return 1
    threads = threads_for(job.n * job.c * job.s // (4 if job.grad == NULL else 3))
    threads = threads if threads < job.c else <int>job.c
    if threads <= 1:
        _range(job, 0, job.c)
    else:
        for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
            _range(job, job.c * t // threads, job.c * (t + 1) // threads)
    return 0


cdef int batch_norm_kernel(const char* x, const char* gamma, const char* beta, char* running_mean,
                           char* running_var, bint training, double momentum, double eps,
                           char* out, char* save_mean, char* save_invstd, Py_ssize_t n,
                           Py_ssize_t c, Py_ssize_t s, int dtype) noexcept nogil:
    cdef Job job
    job.grad = NULL
    job.x = x
    job.gamma = gamma
    job.beta = beta
    job.out = out
    job.mean = save_mean
    job.invstd = save_invstd
    job.running_mean = running_mean
    job.running_var = running_var
    job.training = training
    job.momentum = momentum
    job.eps = eps
    job.n = n
    job.c = c
    job.s = s
    job.dtype = dtype
    return _run(&job)


cdef int batch_norm_backward_kernel(const char* grad, const char* x, const char* gamma,
                                    const char* mean, const char* invstd, const char* running_var,
                                    bint training, double eps, char* dx, char* dgamma, char* dbeta,
                                    Py_ssize_t n, Py_ssize_t c, Py_ssize_t s,
                                    int dtype) noexcept nogil:
    cdef Job job
    job.grad = grad
    job.x = x
    job.gamma = gamma
    job.out = dx
    job.mean = <char*>mean
    job.invstd = <char*>invstd
    job.running_var = <char*>running_var
    job.dgamma = dgamma
    job.dbeta = dbeta
    job.training = training
    job.eps = eps
    job.n = n
    job.c = c
    job.s = s
    job.dtype = dtype
    return _run(&job)
