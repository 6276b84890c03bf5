"""Reductions whose accumulators hold several numbers: variance and logsumexp.

Note [Merging moments]
The variance of a chunk is computed in two passes (mean, then squared differences) while it is in the cache, in
float64. Chunks are merged by

    mean = mean_a + d n_b / n,   m2 = m2_a + m2_b + d**2 n_a n_b / n,   d = mean_b - mean_a

(T. F. Chan, G. H. Golub, R. J. LeVeque, "Updating formulae and a pairwise algorithm for computing
sample variances", 1979), so memory is read once and there is no cancellation.

Note [Merging exponentials]
logsumexp keeps the largest element and the sum of exp(x - largest). A larger element scales the sum down. If the
result is inf or nan, it is stored as the largest element, and the sum is ignored.
"""

from libc.math cimport INFINITY, NAN, exp, isinf, log, sqrt
from libc.string cimport memcpy

from minitorch.core.dtype cimport Float32, Float64, is_reduced_floating
from minitorch.kernels.common.always_inline cimport inlined
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.softmax_math cimport exp_nonpositive
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.widening cimport load_function, store_real
from minitorch.kernels.reduction.fold cimport (
    FOLD_MAX, FOLD_SUM, MAP_NONE, fold_extreme_row, fold_join, fold_lanes, fold_strided)
from minitorch.kernels.reduction.reduction cimport REDUCE_BLOCK, Finish, Reducer, Reduction, Tile, reduce

cdef struct Moments:
    double count
    double mean
    double m2            # sum of squared differences from the mean

cdef struct Exponentials:
    double largest       # -inf: no elements, or only -inf
    double total         # sum of exp(x - largest)

cdef enum:
    LANES = 32
    ROW_CHUNK = 1024     # elements of a row in one step
    COLUMN_CHUNK = 32    # rows in one step


# -- variance -------------------------------------------------------------------------------------

cdef inline void _merge_moments(Moments* a, double count, double mean, double m2) noexcept nogil:
    cdef double n = a.count + count, d = mean - a.mean
    if a.count == 0:
        a.count = count
        a.mean = mean
        a.m2 = m2
        return
    a.mean += d * (count / n)
    a.m2 += m2 + d * d * (a.count * (count / n))
    a.count = n


cdef double _running_mean(Real* tag, const char* x, Py_ssize_t n, Py_ssize_t step) noexcept nogil:
    """Return the mean of elements some of which are infinite, updated one by one like in PyTorch.

    It is infinite if only the last element is infinite, else nan.
    """
    cdef double mean = 0
    cdef Py_ssize_t i
    for i in range(n):
        mean += ((<const Real*>(x + i * step))[0] - mean) / (i + 1)
    return mean


cdef inline inlined _row_moments(Moments* acc, const Real* x, Py_ssize_t n) noexcept nogil:
    cdef double[LANES] lane
    cdef double total = 0, mean, d
    cdef Py_ssize_t i = 0, j
    for j in range(LANES):
        lane[j] = 0
    while i + LANES <= n:
        for j in range(LANES):
            lane[j] += x[i + j]
        i += LANES
    while i < n:
        total += x[i]
        i += 1
    if n >= LANES:
        fold_lanes(lane, FOLD_SUM)
        total += lane[0]
    mean = total / n
    if isinf(mean):
        mean = _running_mean(<Real*>NULL, <const char*>x, n, sizeof(Real))
    total = 0
    i = 0
    for j in range(LANES):
        lane[j] = 0
    while i + LANES <= n:
        for j in range(LANES):
            d = x[i + j] - mean
            lane[j] += d * d
        i += LANES
    while i < n:
        d = x[i] - mean
        total += d * d
        i += 1
    if n >= LANES:
        fold_lanes(lane, FOLD_SUM)
        total += lane[0]
    _merge_moments(acc, n, mean, total)


cdef inline inlined _column_moments(Moments* acc, const Real* x, Py_ssize_t m, Py_ssize_t n,
                                    Py_ssize_t row) noexcept nogil:
    cdef double[REDUCE_BLOCK] mean
    cdef double[REDUCE_BLOCK] m2
    cdef double d
    cdef Py_ssize_t i, j
    for j in range(m):
        mean[j] = 0
        m2[j] = 0
    for i in range(n):
        for j in range(m):
            mean[j] += x[i * row + j]
    for j in range(m):
        mean[j] /= n
        if isinf(mean[j]):
            mean[j] = _running_mean(<Real*>NULL, <const char*>(x + j), n, row * sizeof(Real))
    for i in range(n):
        for j in range(m):
            d = x[i * row + j] - mean[j]
            m2[j] += d * d
    for j in range(m):
        _merge_moments(acc + j, n, mean[j], m2[j])


cdef inline inlined _strided_moments(Real* tag, Moments* acc, const char* x, Py_ssize_t n,
                                     Py_ssize_t step) noexcept nogil:
    cdef double mean = 0, m2 = 0, d
    cdef Py_ssize_t i
    for i in range(n):
        mean += (<const Real*>(x + i * step))[0]
    mean /= n
    if isinf(mean):
        mean = _running_mean(tag, x, n, step)
    for i in range(n):
        d = (<const Real*>(x + i * step))[0] - mean
        m2 += d * d
    _merge_moments(acc, n, mean, m2)


cdef simd _var_tile(Moments* acc, const Real* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                    Py_ssize_t sn, Py_ssize_t first, double parameter) noexcept nogil:
    cdef const char* p = <const char*>x
    cdef Py_ssize_t size = sizeof(Real), i = 0, j, c
    cdef bint columns = sm == size and m >= 8 and (sn != size or n < 8) and sn % size == 0
    cdef Py_ssize_t chunk = COLUMN_CHUNK if columns else ROW_CHUNK
    while i < n:
        c = n - i if n - i < chunk else chunk
        if columns:
            _column_moments(acc, <const Real*>p, m, c, sn // size)
        else:
            for j in range(m):
                if sn == size:
                    _row_moments(acc + j, <const Real*>(p + j * sm), c)
                else:
                    _strided_moments(<Real*>NULL, acc + j, p + j * sm, c, sn)
        p += c * sn
        i += c


cdef void _merge_var(char* acc, const char* other, Py_ssize_t m) noexcept nogil:
    cdef const Moments* b = <const Moments*>other
    cdef Py_ssize_t j
    for j in range(m):
        if b[j].count > 0:
            _merge_moments(<Moments*>acc + j, b[j].count, b[j].mean, b[j].m2)


cdef inline void _store_var(const Moments* a, Py_ssize_t m, char* out, Py_ssize_t step,
                            char* mean, Py_ssize_t mean_step, int dtype, double correction,
                            bint root) noexcept nogil:
    cdef Py_ssize_t j
    cdef double divisor, v
    for j in range(m):
        divisor = a[j].count - correction
        v = a[j].m2 / (divisor if divisor > 0 else 0)
        if a[j].count == 0:
            v = NAN
        store_real(out + j * step, sqrt(v) if root else v, dtype)
        if mean != NULL:
            store_real(mean + j * mean_step, a[j].mean if a[j].count > 0 else NAN, dtype)


cdef void _finish_var(const Moments* acc, Py_ssize_t m, char* out, Py_ssize_t step, char* out2,
                      Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                      double parameter) noexcept nogil:
    _store_var(acc, m, out, step, NULL, 0, out_dtype, parameter, False)


cdef void _finish_std(const Moments* acc, Py_ssize_t m, char* out, Py_ssize_t step, char* out2,
                      Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                      double parameter) noexcept nogil:
    _store_var(acc, m, out, step, NULL, 0, out_dtype, parameter, True)


cdef void _finish_var_mean(const Moments* acc, Py_ssize_t m, char* out, Py_ssize_t step,
                           char* out2, Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                           double parameter) noexcept nogil:
    _store_var(acc, m, out, step, out2, step2, out_dtype, parameter, False)


cdef void _finish_std_mean(const Moments* acc, Py_ssize_t m, char* out, Py_ssize_t step,
                           char* out2, Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                           double parameter) noexcept nogil:
    _store_var(acc, m, out, step, out2, step2, out_dtype, parameter, True)


# -- logsumexp ------------------------------------------------------------------------------------

cdef inline void _merge_exponentials(Exponentials* a, double largest, double total) noexcept nogil:
    if largest == -INFINITY:
        return
    if largest > a.largest or largest != largest:
        a.total = a.total * exp(a.largest - largest) + total
        a.largest = largest
    else:
        a.total += total * exp(largest - a.largest)


cdef inline bint _is_finite(Real v) noexcept nogil:
    return v - v == 0


cdef inline inlined _row_exponentials(Exponentials* acc, const Real* x,
                                      Py_ssize_t n) noexcept nogil:
    cdef Real[LANES] lane
    cdef Real largest, total = 0
    cdef Py_ssize_t i = 0, j
    fold_extreme_row(x, n, &largest, FOLD_MAX)
    if _is_finite(largest):
        if n >= LANES:
            for j in range(LANES):
                lane[j] = 0
            while i + LANES <= n:
                for j in range(LANES):
                    lane[j] += exp_nonpositive(x[i + j] - largest)
                i += LANES
            fold_lanes(lane, FOLD_SUM)
            total = lane[0]
        while i < n:
            total += exp_nonpositive(x[i] - largest)
            i += 1
    _merge_exponentials(acc, largest, total)


cdef inline inlined _column_exponentials(Exponentials* acc, const Real* x, Py_ssize_t m,
                                         Py_ssize_t n, Py_ssize_t row) noexcept nogil:
    cdef Real[REDUCE_BLOCK] largest
    cdef Real[REDUCE_BLOCK] total
    cdef Py_ssize_t i, j
    for j in range(m):
        largest[j] = x[j]
        total[j] = 0
    for i in range(1, n):
        for j in range(m):
            largest[j] = fold_join(largest[j], x[i * row + j], FOLD_MAX)
    for i in range(n):
        for j in range(m):
            total[j] += exp_nonpositive(x[i * row + j] - largest[j])
    for j in range(m):
        _merge_exponentials(acc + j, largest[j], total[j])


cdef inline inlined _strided_exponentials(Real* tag, Exponentials* acc, const char* x,
                                          Py_ssize_t n, Py_ssize_t step) noexcept nogil:
    cdef Real largest, total = 0
    cdef Py_ssize_t i
    fold_strided(tag, x, step, n, &largest, FOLD_MAX, MAP_NONE)
    if _is_finite(largest):
        for i in range(n):
            total += exp_nonpositive((<const Real*>(x + i * step))[0] - largest)
    _merge_exponentials(acc, largest, total)


cdef simd _logsumexp_tile(Exponentials* acc, const Real* x, Py_ssize_t m, Py_ssize_t sm,
                          Py_ssize_t n, Py_ssize_t sn, Py_ssize_t first,
                          double parameter) noexcept nogil:
    cdef const char* p = <const char*>x
    cdef Py_ssize_t size = sizeof(Real), i = 0, j, c
    cdef bint columns = sm == size and m >= 8 and (sn != size or n < 8) and sn % size == 0
    cdef Py_ssize_t chunk = COLUMN_CHUNK if columns else ROW_CHUNK
    while i < n:
        c = n - i if n - i < chunk else chunk
        if columns:
            _column_exponentials(acc, <const Real*>p, m, c, sn // size)
        else:
            for j in range(m):
                if sn == size:
                    _row_exponentials(acc + j, <const Real*>(p + j * sm), c)
                else:
                    _strided_exponentials(<Real*>NULL, acc + j, p + j * sm, c, sn)
        p += c * sn
        i += c


cdef void _merge_logsumexp(char* acc, const char* other, Py_ssize_t m) noexcept nogil:
    cdef const Exponentials* b = <const Exponentials*>other
    cdef Py_ssize_t j
    for j in range(m):
        _merge_exponentials(<Exponentials*>acc + j, b[j].largest, b[j].total)


cdef void _finish_logsumexp(const Exponentials* acc, Py_ssize_t m, char* out, Py_ssize_t step,
                            char* out2, Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                            double parameter) noexcept nogil:
    cdef Py_ssize_t j
    cdef double v
    for j in range(m):
        v = acc[j].largest
        if v - v == 0:
            v += log(acc[j].total)
        store_real(out + j * step, v, out_dtype)


# -- choosing -------------------------------------------------------------------------------------

cdef inline int _load(Reducer* k, int dtype) noexcept nogil:
    # set the members that both kernels share; return the size of the computation's type, or -1
    k.load = NULL
    k.out_dtype = dtype
    k.itemsize = 8 if dtype == Float64 else 4
    if is_reduced_floating(dtype):
        k.load = load_function(dtype, Float32)
    elif dtype != Float32 and dtype != Float64:
        return -1
    return k.itemsize


cdef int var_kernel(char* input, char* out, char* mean, const Reduction* r, int dtype,
                    double correction, bint root) noexcept nogil:
    cdef Reducer k
    cdef Moments nothing
    cdef int size = _load(&k, dtype)
    if size < 0:
        return 1
    nothing.count = 0
    nothing.mean = 0
    nothing.m2 = 0
    memcpy(k.initial, &nothing, sizeof(Moments))
    k.acc_size = sizeof(Moments)
    k.cost = 150
    k.parameter = correction
    k.tile = <Tile>_var_tile[float] if size == 4 else <Tile>_var_tile[double]
    k.merge = _merge_var
    if mean != NULL:
        k.finish = <Finish>_finish_std_mean if root else <Finish>_finish_var_mean
    else:
        k.finish = <Finish>_finish_std if root else <Finish>_finish_var
    reduce(&k, input, out, mean, r)
    return 0


cdef int logsumexp_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil:
    cdef Reducer k
    cdef Exponentials nothing
    cdef int size = _load(&k, dtype)
    if size < 0:
        return 1
    nothing.largest = -INFINITY
    nothing.total = 0
    memcpy(k.initial, &nothing, sizeof(Exponentials))
    k.acc_size = sizeof(Exponentials)
    k.cost = 400
    k.parameter = 0
    k.tile = <Tile>_logsumexp_tile[float] if size == 4 else <Tile>_logsumexp_tile[double]
    k.merge = _merge_logsumexp
    k.finish = <Finish>_finish_logsumexp
    reduce(&k, input, out, NULL, r)
    return 0
