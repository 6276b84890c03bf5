"""Evenly spaced numbers.

The index of an element is split into that of its block and a small index within the block. 32-bit integers are
converted to floating point several at a time, and the sum of the two is exact.
"""

from cython.parallel cimport prange
from libc.math cimport fma, fmaf

from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Real

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


ctypedef fused Count:
    int                 # converted several at a time
    long long


cdef inline Real _multiplied_and_added(Real x, Real y, Real z) noexcept nogil:
    return fmaf(x, y, z) if Real is float else fma(x, y, z)


cdef simd _spaced(Real* out, Count n, Count half, Real first, Real last, Real step) noexcept nogil:
    cdef Count i
    for i in range(half):
        out[i] = _multiplied_and_added(step, <Real>i, first)
    for i in range(half, n):
        out[i] = _multiplied_and_added(-step, <Real>(n - i - 1), last)


cdef void fill_spaced_float64(double* out, Py_ssize_t n, Py_ssize_t half, double first, double last,
                              double step) noexcept nogil:
    if n <= 0x7fffffff:
        _spaced(out, <int>n, <int>half, first, last, step)
    else:
        _spaced(out, <long long>n, <long long>half, first, last, step)


cdef void fill_spaced_float32(float* out, Py_ssize_t n, Py_ssize_t half, float first, float last,
                              float step) noexcept nogil:
    if n <= 0x7fffffff:
        _spaced(out, <int>n, <int>half, first, last, step)
    else:
        _spaced(out, <long long>n, <long long>half, first, last, step)
