"""The iteration that all reductions share: dimensions, blocks of results, threads.

A reduction is divided into tiles: the kept dimension with the smallest stride (m results) by the reduced
dimension with the smallest stride (n elements for each). The tile function of an operation chooses the direction
that is contiguous in memory. Everything outside the tile happens here, once for many elements.

Decision table for threads (units = blocks of results)

=====================  ==========================================================================
enough units           every thread takes a range of units
fewer                  unit by unit, every thread takes a part of the reduced elements into its own
                       accumulators, which are merged in order
=====================  ==========================================================================

Invariants
Only the rounding of a result depends on the number of threads. Accumulators are merged in the order of the
elements, so the first of equal elements stays the first.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from cython.parallel cimport prange

from minitorch.kernels.common.parallel cimport threads_for

cdef enum:
    LOAD_BLOCK = 1024       # elements converted at a time: at most 8 KB


# -- planning -------------------------------------------------------------------------------------

cdef inline Py_ssize_t _magnitude(Py_ssize_t v) noexcept nogil:
    return v if v >= 0 else -v


cdef void plan_reduction(Reduction* r, int ndim, const Py_ssize_t* sizes,
                         const Py_ssize_t* in_strides, const Py_ssize_t* out_strides,
                         const Py_ssize_t* out2_strides, uint64_t reduced,
                         bint ordered) noexcept nogil:
    cdef int d, j, kept = 0, dropped = 0, last
    cdef Py_ssize_t key
    for d in range(ndim):
        if sizes[d] == 1:
            continue
        key = _magnitude(in_strides[d])
        if reduced >> d & 1:
            j = dropped
            dropped += 1
            while not ordered and j > 0 and _magnitude(r.reduced_strides[j - 1]) < key:
                r.reduced_sizes[j] = r.reduced_sizes[j - 1]
                r.reduced_strides[j] = r.reduced_strides[j - 1]
                j -= 1
            r.reduced_sizes[j] = sizes[d]
            r.reduced_strides[j] = in_strides[d]
        else:
            j = kept
            kept += 1
            while j > 0 and _magnitude(r.kept_in_strides[j - 1]) < key:
                r.kept_sizes[j] = r.kept_sizes[j - 1]
                r.kept_in_strides[j] = r.kept_in_strides[j - 1]
                r.kept_out_strides[j] = r.kept_out_strides[j - 1]
                r.kept_out2_strides[j] = r.kept_out2_strides[j - 1]
                j -= 1
            r.kept_sizes[j] = sizes[d]
            r.kept_in_strides[j] = in_strides[d]
            r.kept_out_strides[j] = out_strides[d]
            r.kept_out2_strides[j] = out2_strides[d] if out2_strides != NULL else out_strides[d]
    last = -1
    for d in range(dropped):
        if last >= 0 and r.reduced_strides[last] == r.reduced_strides[d] * r.reduced_sizes[d]:
            r.reduced_sizes[last] *= r.reduced_sizes[d]
        else:
            last += 1
            r.reduced_sizes[last] = r.reduced_sizes[d]
        r.reduced_strides[last] = r.reduced_strides[d]
    r.reduced_ndim = last + 1
    last = -1
    for d in range(kept):
        last = _append_kept(r, last, r.kept_sizes[d], r.kept_in_strides[d],
                            r.kept_out_strides[d], r.kept_out2_strides[d])
    r.kept_ndim = last + 1


cdef inline int _append_kept(Reduction* r, int last, Py_ssize_t size, Py_ssize_t in_stride,
                             Py_ssize_t out_stride, Py_ssize_t out2_stride) noexcept nogil:
    if (last >= 0 and r.kept_in_strides[last] == in_stride * size
            and r.kept_out_strides[last] == out_stride * size
            and r.kept_out2_strides[last] == out2_stride * size):
        r.kept_sizes[last] *= size
    else:
        last += 1
        r.kept_sizes[last] = size
    r.kept_in_strides[last] = in_stride
    r.kept_out_strides[last] = out_stride
    r.kept_out2_strides[last] = out2_stride
    return last


cdef void split_complex(const Reduction* r, Reduction* parts,
                        Py_ssize_t part_size) noexcept nogil:
    cdef int d, last = -1
    parts.reduced_ndim = r.reduced_ndim
    for d in range(r.reduced_ndim):
        parts.reduced_sizes[d] = r.reduced_sizes[d]
        parts.reduced_strides[d] = r.reduced_strides[d]
    for d in range(r.kept_ndim):
        last = _append_kept(parts, last, r.kept_sizes[d], r.kept_in_strides[d],
                            r.kept_out_strides[d], r.kept_out2_strides[d])
    # there is room: memory is too small for 64 kept dimensions of size two or more
    parts.kept_ndim = _append_kept(parts, last, 2, part_size, part_size, part_size) + 1


cdef Py_ssize_t reduced_count(const Reduction* r) noexcept nogil:
    cdef Py_ssize_t count = 1
    cdef int d
    for d in range(r.reduced_ndim):
        count *= r.reduced_sizes[d]
    return count


# -- one block of results -------------------------------------------------------------------------

cdef void _loaded_tile(const Reducer* k, char* acc, const char* x, Py_ssize_t m, Py_ssize_t sm,
                       Py_ssize_t n, Py_ssize_t sn, Py_ssize_t first) noexcept nogil:
    # The tile of an input that must be converted. It goes through a packed block, along the direction in which
    # the input is read fastest.
    cdef char[LOAD_BLOCK * 8] block
    cdef Py_ssize_t size = k.itemsize, i, j, c, rows
    if n >= 64 and _magnitude(sn) <= _magnitude(sm) or m == 1:
        for j in range(m):
            i = 0
            while i < n:
                c = n - i if n - i < LOAD_BLOCK else LOAD_BLOCK
                k.load(x + j * sm + i * sn, sn, block, c)
                k.tile(acc + j * k.acc_size, block, 1, 0, c, size, first + i, k.parameter)
                i += c
    else:
        rows = LOAD_BLOCK // m
        i = 0
        while i < n:
            c = n - i if n - i < rows else rows
            for j in range(c):
                k.load(x + (i + j) * sn, sm, block + j * m * size, m)
            k.tile(acc, block, m, size, c, m * size, first + i, k.parameter)
            i += c


cdef void _accumulate(const Reducer* k, char* acc, const char* x, Py_ssize_t m, Py_ssize_t sm,
                      const Reduction* r, Py_ssize_t outer_begin, Py_ssize_t outer_end,
                      Py_ssize_t n_begin, Py_ssize_t n_end) noexcept nogil:
    # outer: points of all reduced dimensions except the last; n: indices of the last
    cdef int last = r.reduced_ndim - 1, d
    cdef Py_ssize_t n = 1, sn = 0, count = n_end - n_begin, outer, rest
    cdef Py_ssize_t[64] index
    cdef const char* p
    if last >= 0:
        n = r.reduced_sizes[last]
        sn = r.reduced_strides[last]
    x += n_begin * sn
    if outer_begin:
        rest = outer_begin
        for d in range(last - 1, -1, -1):
            index[d] = rest % r.reduced_sizes[d]
            rest //= r.reduced_sizes[d]
            x += index[d] * r.reduced_strides[d]
    else:
        for d in range(last):
            index[d] = 0
    for outer in range(outer_begin, outer_end):
        p = x
        if k.load == NULL:
            k.tile(acc, p, m, sm, count, sn, outer * n + n_begin, k.parameter)
        else:
            _loaded_tile(k, acc, p, m, sm, count, sn, outer * n + n_begin)
        for d in range(last - 1, -1, -1):
            index[d] += 1
            x += r.reduced_strides[d]
            if index[d] < r.reduced_sizes[d]:
                break
            x -= r.reduced_strides[d] * r.reduced_sizes[d]
            index[d] = 0


cdef inline void _initialize(const Reducer* k, char* acc, Py_ssize_t m) noexcept nogil:
    # copy one, then two, four, ... accumulators
    cdef Py_ssize_t done = k.acc_size, size = m * k.acc_size
    memcpy(acc, k.initial, done)
    while done < size:
        memcpy(acc + done, acc, done if done < size - done else size - done)
        done *= 2


cdef void _split_accumulate(const Reducer* k, char* acc, const char* x, Py_ssize_t m,
                            Py_ssize_t sm, const Reduction* r, Py_ssize_t outer, Py_ssize_t n,
                            int threads) noexcept nogil:
    # Splits the reduced elements over threads; the first thread uses `acc` itself.
    cdef char* accs = <char*>malloc((threads - 1) * REDUCE_BLOCK * MAX_ACC)
    cdef int t
    if accs == NULL:
        _accumulate(k, acc, x, m, sm, r, 0, outer, 0, n)
        return
    for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
        _thread_part(k, acc, accs, t, threads, x, m, sm, r, outer, n)
    for t in range(1, threads):
        k.merge(acc, accs + (t - 1) * REDUCE_BLOCK * MAX_ACC, m)
    free(accs)


cdef void _thread_part(const Reducer* k, char* acc, char* accs, int t, int threads, const char* x,
                       Py_ssize_t m, Py_ssize_t sm, const Reduction* r, Py_ssize_t outer,
                       Py_ssize_t n) noexcept nogil:
    if t > 0:
        acc = accs + (t - 1) * REDUCE_BLOCK * MAX_ACC
        _initialize(k, acc, m)
    if outer == 1:
        _accumulate(k, acc, x, m, sm, r, 0, 1, n * t // threads, n * (t + 1) // threads)
    else:
        _accumulate(k, acc, x, m, sm, r, outer * t // threads, outer * (t + 1) // threads, 0, n)


# -- all blocks -----------------------------------------------------------------------------------

cdef struct Walk:
    const Reducer* k
    const Reduction* r
    const char* input
    char* out
    char* out2
    Py_ssize_t m, sm, so, so2      # the inner kept dimension: size, strides of input and outputs
    Py_ssize_t n, outer, count     # the reduced elements: inner size, outer points, product
    Py_ssize_t block, blocks       # results per unit, units per outer kept point
    int threads                    # threads within a unit


cdef void _units(const Walk* w, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const Reduction* r = w.r
    cdef const Reducer* k = w.k
    cdef const char* x = w.input
    cdef char* out = w.out
    cdef char* out2 = w.out2
    cdef int last = r.kept_ndim - 1, d
    cdef Py_ssize_t[64] index
    cdef Py_ssize_t _, rest = begin // w.blocks, b = begin % w.blocks, m, j
    cdef char[REDUCE_BLOCK * MAX_ACC] acc
    for d in range(last - 1, -1, -1):
        index[d] = rest % r.kept_sizes[d] if rest else 0
        rest //= r.kept_sizes[d]
        x += index[d] * r.kept_in_strides[d]
        out += index[d] * r.kept_out_strides[d]
        out2 += index[d] * r.kept_out2_strides[d]
    for _ in range(begin, end):
        j = b * w.block
        m = w.m - j if w.m - j < w.block else w.block
        _initialize(k, acc, m)
        if w.count:
            if w.threads == 1:
                _accumulate(k, acc, x + j * w.sm, m, w.sm, r, 0, w.outer, 0, w.n)
            else:
                _split_accumulate(k, acc, x + j * w.sm, m, w.sm, r, w.outer, w.n, w.threads)
        k.finish(acc, m, out + j * w.so, w.so, out2 + j * w.so2, w.so2, w.count, k.out_dtype,
                 k.parameter)
        b += 1
        if b < w.blocks:
            continue
        b = 0
        for d in range(last - 1, -1, -1):
            index[d] += 1
            x += r.kept_in_strides[d]
            out += r.kept_out_strides[d]
            out2 += r.kept_out2_strides[d]
            if index[d] < r.kept_sizes[d]:
                break
            x -= r.kept_in_strides[d] * r.kept_sizes[d]
            out -= r.kept_out_strides[d] * r.kept_sizes[d]
            out2 -= r.kept_out2_strides[d] * r.kept_sizes[d]
            index[d] = 0


cdef void reduce(const Reducer* k, const char* input, char* out, char* out2,
                 const Reduction* r) noexcept nogil:
    cdef Walk w
    cdef int d, t, threads
    cdef Py_ssize_t kept = 1, units
    w.k = k
    w.r = r
    w.input = input
    w.out = out
    w.out2 = out2
    w.count = reduced_count(r)
    for d in range(r.kept_ndim):
        kept *= r.kept_sizes[d]
    if kept == 0:
        return
    d = r.kept_ndim - 1
    w.m = r.kept_sizes[d] if d >= 0 else 1
    w.sm = r.kept_in_strides[d] if d >= 0 else 0
    w.so = r.kept_out_strides[d] if d >= 0 else 0
    w.so2 = r.kept_out2_strides[d] if d >= 0 else 0
    w.n = r.reduced_sizes[r.reduced_ndim - 1] if r.reduced_ndim else 1
    w.outer = w.count // w.n if w.n else 0
    w.block = REDUCE_BLOCK
    w.threads = 1
    threads = threads_for(<Py_ssize_t>(<double>kept * w.count * k.cost / 1000.0))
    if threads > 1 and kept >= 8 * threads:
        # use smaller units if a few large ones would not divide evenly among the threads
        w.block = (kept // (4 * threads) + 15) // 16 * 16
        w.block = REDUCE_BLOCK if w.block > REDUCE_BLOCK else w.block
    w.blocks = (w.m + w.block - 1) // w.block
    units = kept // w.m * w.blocks
    if threads > 1 and units >= 2 * threads:
        for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
            _units(&w, units * t // threads, units * (t + 1) // threads)
    else:
        w.threads = threads
        _units(&w, 0, units)
