"""Sums, means and maxima of rows of a table, without copying the rows."""

from libc.string cimport memset

from cython.parallel cimport prange

from minitorch.core.dtype cimport Float32
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.types cimport Real


cdef inline void _add_row(Real* to, const Real* row, Real factor, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t j
    if factor == 1:
        for j in range(n):
            to[j] += row[j]
    else:
        for j in range(n):
            to[j] += row[j] * factor


cdef inline void _sum_bag(const Bags* b, Py_ssize_t bag, bint mean, const Real* table,
                          const Real* factors, Real* output, long long* sizes) noexcept nogil:
    cdef Real* to = output + bag * b.cols
    cdef Py_ssize_t i, j
    cdef long long count = 0
    memset(to, 0, b.cols * sizeof(Real))
    for i in range(b.offsets[bag], b.offsets[bag + 1]):
        if b.index[i] == b.padding_idx:
            continue
        count += 1
        _add_row(to, table + b.index[i] * b.row_stride, 1 if factors == NULL else factors[i],
                 b.cols)
    sizes[bag] = count
    if mean and count > 1:
        for j in range(b.cols):
            to[j] /= count


cdef void _sums(const Bags* b, bint mean, const Real* table, const Real* factors, Real* output,
                long long* sizes) noexcept nogil:
    cdef Py_ssize_t bag
    cdef int threads = threads_for(b.offsets[b.bags] * (b.cols // 4 + 4))
    for bag in prange(b.bags, num_threads=threads, schedule="static"):
        _sum_bag(b, bag, mean, table, factors, output, sizes)


cdef void embedding_bag_sum(int dtype, const Bags* b, bint mean, const char* table,
                            const char* factors, char* output, long long* sizes) noexcept nogil:
    if dtype == Float32:
        _sums(b, mean, <const float*>table, <const float*>factors, <float*>output, sizes)
    else:
        _sums(b, mean, <const double*>table, <const double*>factors, <double*>output, sizes)


cdef inline void _max_bag(const Bags* b, Py_ssize_t bag, const Real* table, Real* output,
                          long long* chosen, long long* sizes) noexcept nogil:
    cdef Real* to = output + bag * b.cols
    cdef long long* best = chosen + bag * b.cols
    cdef const Real* row
    cdef Py_ssize_t i, j
    cdef long long count = 0
    for j in range(b.cols):
        to[j] = 0
        best[j] = 0
    for i in range(b.offsets[bag], b.offsets[bag + 1]):
        if b.index[i] == b.padding_idx:
            continue
        row = table + b.index[i] * b.row_stride
        count += 1
        for j in range(b.cols):
            if count == 1 or row[j] > to[j]:
                to[j] = row[j]
                best[j] = b.index[i]
    sizes[bag] = count


cdef void _maxima(const Bags* b, const Real* table, Real* output, long long* chosen,
                  long long* sizes) noexcept nogil:
    cdef Py_ssize_t bag
    cdef int threads = threads_for(b.offsets[b.bags] * b.cols)
    for bag in prange(b.bags, num_threads=threads, schedule="static"):
        _max_bag(b, bag, table, output, chosen, sizes)


cdef void embedding_bag_max(int dtype, const Bags* b, const char* table, char* output,
                            long long* chosen, long long* sizes) noexcept nogil:
    if dtype == Float32:
        _maxima(b, <const float*>table, <float*>output, chosen, sizes)
    else:
        _maxima(b, <const double*>table, <double*>output, chosen, sizes)
