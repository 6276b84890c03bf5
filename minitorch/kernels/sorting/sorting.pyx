"""Sorting and selecting along contiguous rows, by the items of sort_keys.

Rows are split over threads. A thread converts one row after the other into items, in memory that it reuses for
all its rows.
"""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from cython.parallel cimport prange

from minitorch.core.dtype cimport is_floating, itemsizes
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.sorting.sort_keys cimport (
    best_items, gather_items, item_index, item_key, item_size, make_items, nan_key, partitioned_index,
    room_for_best, select_item, sort_items, takes_wide_items)
from minitorch.kernels.sorting.ties cimport best_with_ties, has_ties

cdef enum Op:
    SORT
    TOPK
    KTHVALUE
    MEDIAN
    NANMEDIAN

cdef enum:
    SHORT_ROW = 24        # rows up to this length are sorted completely for their k best

cdef struct Job:
    const char* x
    char* values
    int64_t* indices
    Py_ssize_t m, n, k
    Py_ssize_t wanted     # one more than k, if there is, shows whether the last one has equals
    int op, dtype
    bint wide, descending, sorted_
    bint failed


cdef inline void _write(const Job* job, const char* x, const char* items, Py_ssize_t count,
                        Py_ssize_t at) noexcept nogil:
    # writes the first items as results from position `at` on
    cdef Py_ssize_t i
    cdef int size = <int>itemsizes[job.dtype]
    if job.values != NULL:
        gather_items(x, size, items, job.wide, job.values + at * size, count)
    if job.indices != NULL:
        for i in range(count):
            job.indices[at + i] = item_index(items, i, job.wide)


cdef inline void _write_one(const Job* job, const char* x, int64_t index,
                            Py_ssize_t at) noexcept nogil:
    cdef int size = <int>itemsizes[job.dtype]
    if job.values != NULL:
        memcpy(job.values + at * size, x + index * size, size)
    if job.indices != NULL:
        job.indices[at] = index


cdef bint _topk_row(const Job* job, const char* x, char* items, char* scratch,
                    Py_ssize_t row) noexcept nogil:
    """Return False if memory is short."""
    cdef Py_ssize_t count = job.n
    if job.k == 0:
        return True
    if job.wanted < count and count > SHORT_ROW:
        best_items(x, job.n, job.wanted, job.dtype, job.descending, items, scratch, job.wide)
        count = job.wanted
    else:
        make_items(x, job.n, job.dtype, job.descending, items, job.wide)
    if job.sorted_ or job.k < count:
        items = sort_items(items, scratch, count, job.wide)
    if job.sorted_ and has_ties(items, job.wanted, job.wide):
        return _topk_row_with_ties(job, x, row)
    _write(job, x, items, job.k, row * job.k)
    return True


cdef bint _topk_row_with_ties(const Job* job, const char* x, Py_ssize_t row) noexcept nogil:
    cdef char* items = <char*>malloc(job.n * item_size(job.wide))
    if items == NULL:
        return False
    make_items(x, job.n, job.dtype, job.descending, items, job.wide)
    best_with_ties(items, job.n, job.k, job.wide)
    _write(job, x, items, job.k, row * job.k)
    free(items)
    return True


cdef void _median_row(const Job* job, const char* x, char* items, char* scratch,
                      Py_ssize_t row) noexcept nogil:
    cdef Py_ssize_t i, count = job.n
    cdef uint64_t nan = nan_key(job.dtype)
    make_items(x, job.n, job.dtype, False, items, job.wide)
    if is_floating(job.dtype):
        for i in range(job.n):
            if item_key(items, i, job.wide) == nan:
                if job.op == MEDIAN:
                    _write_one(job, x, i, row)
                    return
                count -= 1
    i = (count - 1) // 2 if count > 0 else 0
    _write_one(job, x, <int64_t>select_item(items, scratch, job.n, i, job.wide).index, row)


cdef void _rows(Job* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t size = job.n, row
    cdef char* items
    cdef char* scratch
    cdef const char* x
    if job.op == TOPK and job.wanted < job.n and job.n > SHORT_ROW:
        size = room_for_best(job.n, job.wanted)
    size *= item_size(job.wide)
    items = <char*>malloc(2 * size + 1)
    scratch = items + size
    if items == NULL:
        job.failed = True
        return
    for row in range(begin, end):
        x = job.x + row * job.n * itemsizes[job.dtype]
        if job.op == TOPK:
            if not _topk_row(job, x, items, scratch, row):
                job.failed = True
        elif job.op >= MEDIAN:
            _median_row(job, x, items, scratch, row)
        else:
            make_items(x, job.n, job.dtype, job.descending, items, job.wide)
            if job.op == SORT:
                _write(job, x, sort_items(items, scratch, job.n, job.wide), job.n, row * job.n)
            else:
                _write_one(job, x, partitioned_index(items, job.n, job.k - 1, job.wide), row)
    free(items)


cdef int _run(int op, const char* x, char* values, char* indices, Py_ssize_t m, Py_ssize_t n,
              Py_ssize_t k, int dtype, bint descending, bint sorted_) noexcept nogil:
    cdef Job job
    cdef int wide = takes_wide_items(dtype, n), t, threads
    if wide < 0:
        return 1
    job.x = x
    job.values = values
    job.indices = <int64_t*>indices
    job.m = m
    job.n = n
    job.k = k
    job.wanted = k + 1 if sorted_ and k < n else k
    job.op = op
    job.dtype = dtype
    job.wide = wide
    job.descending = descending
    job.sorted_ = sorted_
    job.failed = False
    if m == 0 or n == 0:
        return 0
    threads = threads_for(m * n * (8 if op == SORT else 3))
    threads = threads if threads < m else <int>m
    if threads <= 1:
        _rows(&job, 0, m)
    else:
        for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
            _rows(&job, m * t // threads, m * (t + 1) // threads)
    return -1 if job.failed else 0


cdef int sort_kernel(const char* x, char* values, char* indices, Py_ssize_t m, Py_ssize_t n,
                     int dtype, bint descending) noexcept nogil:
    return _run(SORT, x, values, indices, m, n, 0, dtype, descending, True)


cdef int topk_kernel(const char* x, char* values, char* indices, Py_ssize_t m, Py_ssize_t n,
                     Py_ssize_t k, int dtype, bint largest, bint sorted_) noexcept nogil:
    return _run(TOPK, x, values, indices, m, n, k, dtype, largest, sorted_)


cdef int kthvalue_kernel(const char* x, char* values, char* indices, Py_ssize_t m, Py_ssize_t n,
                         Py_ssize_t k, int dtype) noexcept nogil:
    return _run(KTHVALUE, x, values, indices, m, n, k, dtype, False, False)


cdef int median_kernel(const char* x, char* values, char* indices, Py_ssize_t m, Py_ssize_t n,
                       int dtype, bint ignore_nan) noexcept nogil:
    return _run(NANMEDIAN if ignore_nan else MEDIAN, x, values, indices, m, n, 0, dtype, False,
                False)
