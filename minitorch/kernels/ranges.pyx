"""Evenly spaced numbers.

The number of an element is split into that of its block and a short one within it: integers of 32 bits
are turned into floating point numbers several at once, and the sum of the two is exact.
"""

from cython.parallel cimport prange

from minitorch.kernels.parallel cimport threads_for

ctypedef fused Real:
    float
    double

cdef enum:
    BLOCK = 4096


cdef inline void _integers(long long* out, Py_ssize_t n, long long first,
                           long long step) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = first
        first += step


cdef void fill_range_int64(long long* out, Py_ssize_t n, long long first,
                           long long step) noexcept nogil:
    cdef Py_ssize_t blocks = (n + BLOCK - 1) // BLOCK, b
    cdef int threads = threads_for(n)
    for b in prange(blocks, num_threads=threads, schedule="static"):
        _integers(out + b * BLOCK, n - b * BLOCK if n - b * BLOCK < BLOCK else BLOCK,
                  first + b * BLOCK * step, step)


cdef inline void _reals(Real* out, int n, double start, double first, double step) noexcept nogil:
    cdef int i
    for i in range(n):
        out[i] = <Real>(first + (start + i) * step)


cdef void _fill(Real* out, Py_ssize_t n, double first, double step) noexcept nogil:
    cdef Py_ssize_t blocks = (n + BLOCK - 1) // BLOCK, b
    cdef int threads = threads_for(n)
    for b in prange(blocks, num_threads=threads, schedule="static"):
        _reals(out + b * BLOCK, <int>(n - b * BLOCK if n - b * BLOCK < BLOCK else BLOCK),
               <double>(b * BLOCK), first, step)


cdef void fill_range_float64(double* out, Py_ssize_t n, double first, double step) noexcept nogil:
    _fill(out, n, first, step)


cdef void fill_range_float32(float* out, Py_ssize_t n, double first, double step) noexcept nogil:
    _fill(out, n, first, step)
