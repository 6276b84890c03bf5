"""Mean squared error in one pass.

As in fold.pxd (Note [Folding in lanes]), the terms are summed in 32 lanes of the element type, and every 4096
terms the lanes are added to a double, so the error does not grow with n.
"""

from cython.parallel cimport prange

from minitorch.core.dtype cimport Float32, itemsizes
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Real

cdef enum:
    LANES = 32
    BLOCK = 4096
    MAX_THREADS = 64
    PICOSECONDS = 150       # per element on one thread, roughly


cdef simd block_sum(const Real* a, const Real* b, Py_ssize_t n, double* result) noexcept nogil:
    # n <= BLOCK
    cdef Real[LANES] lane
    cdef Real d
    cdef Py_ssize_t i = 0, j
    cdef double total = 0
    for j in range(LANES):
        lane[j] = 0
    while i + LANES <= n:
        for j in range(LANES):
            d = a[i + j] - b[i + j]
            lane[j] += d * d
        i += LANES
    for j in range(n - i):
        d = a[i + j] - b[i + j]
        lane[j] += d * d
    for j in range(LANES):
        total += lane[j]
    result[0] = total


cdef double range_sum(const char* a, const char* b, Py_ssize_t begin, Py_ssize_t end,
                      int dtype) noexcept nogil:
    cdef Py_ssize_t item = itemsizes[dtype], i = begin, n
    cdef double total = 0, part
    while i < end:
        n = end - i if end - i < BLOCK else BLOCK
        if dtype == Float32:
            block_sum(<const float*>(a + i * item), <const float*>(b + i * item), n, &part)
        else:
            block_sum(<const double*>(a + i * item), <const double*>(b + i * item), n, &part)
        total += part
        i += n
    return total


cdef double squared_error_sum(const char* a, const char* b, Py_ssize_t n, int dtype) noexcept nogil:
    cdef double[MAX_THREADS] parts
    cdef double total = 0
    cdef int t, threads = threads_for(n * PICOSECONDS // 1000)
    if threads == 1:
        return range_sum(a, b, 0, n, dtype)
    threads = threads if threads < MAX_THREADS else MAX_THREADS
    for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
        parts[t] = range_sum(a, b, n * t // threads, n * (t + 1) // threads, dtype)
    for t in range(threads):
        total += parts[t]
    return total


cdef simd scaled(const Real* a, const Real* b, Real* out, Py_ssize_t n, Real factor) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = (a[i] - b[i]) * factor


cdef void scaled_range(const char* a, const char* b, char* out, Py_ssize_t begin, Py_ssize_t end,
                       double factor, int dtype) noexcept nogil:
    cdef Py_ssize_t start = begin * itemsizes[dtype]
    if dtype == Float32:
        scaled(<const float*>(a + start), <const float*>(b + start), <float*>(out + start),
               end - begin, <float>factor)
    else:
        scaled(<const double*>(a + start), <const double*>(b + start), <double*>(out + start),
               end - begin, factor)


cdef void scaled_difference(const char* a, const char* b, char* out, Py_ssize_t n, double factor,
                            int dtype) noexcept nogil:
    cdef int t, threads = threads_for(n * PICOSECONDS // 1000)
    if threads == 1:
        scaled_range(a, b, out, 0, n, factor, dtype)
        return
    for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
        scaled_range(a, b, out, n * t // threads, n * (t + 1) // threads, factor, dtype)
