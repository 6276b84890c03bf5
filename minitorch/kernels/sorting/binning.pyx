"""Assigning values to bins: searchsorted and bucketize, bincount, histc."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t

from cython.parallel cimport prange

from minitorch.core.dtype cimport (
    BFloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, UInt8)
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, store_float, to_float
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.types cimport Integer, Numeric, Real


# -- searchsorted ---------------------------------------------------------------------------------

cdef struct Search:
    const char* boundaries
    const char* values
    const int64_t* sorter
    char* out
    Py_ssize_t rows, n, per_row
    bint right, out_int32


cdef inline bint _before(Numeric boundary, Numeric v, bint right) noexcept nogil:
    # return whether the position is after this boundary; always true if v is nan
    if Numeric in narrow_t:
        if right:
            return not to_float(boundary) > to_float(v)
        return not to_float(boundary) >= to_float(v)
    else:
        if right:
            return not boundary > v
        return not boundary >= v


cdef inline Py_ssize_t _position(const Numeric* boundaries, const int64_t* sorter,
                                 Py_ssize_t n, Numeric v, bint right) noexcept nogil:
    # The number of steps depends only on n, and `low` moves without a branch: a branch on the comparison would be
    # mispredicted half of the time.
    cdef Py_ssize_t low = 0, half, probe
    while n > 0:
        half = n - n // 2
        probe = low + half - 1
        probe = sorter[probe] if sorter != NULL else probe
        low += half if _before(boundaries[probe], v, right) else 0
        n -= half
    return low


cdef Py_ssize_t _position_among_nans(const Numeric* boundaries, const int64_t* sorter,
                                     Py_ssize_t n, Numeric v, bint right) noexcept nogil:
    # If boundaries end in nan, the result depends on which of them are compared; this is PyTorch's order.
    cdef Py_ssize_t low = 0, high = n, middle, probe
    while low < high:
        middle = low + (high - low) // 2
        probe = sorter[middle] if sorter != NULL else middle
        if _before(boundaries[probe], v, right):
            low = middle + 1
        else:
            high = middle
    return low


cdef inline bint _ends_in_nan(const Numeric* boundaries, const int64_t* sorter,
                              Py_ssize_t n) noexcept nogil:
    cdef Numeric v
    if n == 0:
        return False
    v = boundaries[sorter[n - 1] if sorter != NULL else n - 1]
    if Numeric in narrow_t:
        return to_float(v) != to_float(v)
    else:
        return v != v


cdef void _search(const Search* s, const Numeric* tag, Py_ssize_t begin,
                  Py_ssize_t end) noexcept nogil:
    cdef const Numeric* values = <const Numeric*>s.values
    cdef const Numeric* boundaries
    cdef const int64_t* sorter
    cdef Py_ssize_t i, row, position
    for i in range(begin, end):
        row = i // s.per_row
        boundaries = <const Numeric*>s.boundaries + row * s.n
        sorter = s.sorter + row * s.n if s.sorter != NULL else NULL
        if _ends_in_nan(boundaries, sorter, s.n):
            position = _position_among_nans(boundaries, sorter, s.n, values[i], s.right)
        else:
            position = _position(boundaries, sorter, s.n, values[i], s.right)
        if s.out_int32:
            (<int32_t*>s.out)[i] = <int32_t>position
        else:
            (<int64_t*>s.out)[i] = position


cdef void _search_range(const Search* s, int dtype, Py_ssize_t begin,
                        Py_ssize_t end) noexcept nogil:
    if dtype == Float32:
        _search(s, <const float*>NULL, begin, end)
    elif dtype == Float64:
        _search(s, <const double*>NULL, begin, end)
    elif dtype == Float16:
        _search(s, <const half_t*>NULL, begin, end)
    elif dtype == BFloat16:
        _search(s, <const bfloat16_t*>NULL, begin, end)
    elif dtype == Int64:
        _search(s, <const int64_t*>NULL, begin, end)
    elif dtype == Int32:
        _search(s, <const int32_t*>NULL, begin, end)
    elif dtype == Int16:
        _search(s, <const int16_t*>NULL, begin, end)
    elif dtype == Int8:
        _search(s, <const int8_t*>NULL, begin, end)
    else:
        _search(s, <const uint8_t*>NULL, begin, end)


cdef int searchsorted_kernel(const char* boundaries, const char* values, const char* sorter,
                             char* out, Py_ssize_t rows, Py_ssize_t n, Py_ssize_t per_row,
                             int dtype, bint right, bint out_int32) noexcept nogil:
    cdef Search s
    cdef Py_ssize_t count = rows * per_row
    cdef int t, threads
    if dtype < 0 or dtype > Float64 and dtype != Bool and dtype != BFloat16:
        return 1
    s.boundaries = boundaries
    s.values = values
    s.sorter = <const int64_t*>sorter
    s.out = out
    s.rows = rows
    s.n = n
    s.per_row = per_row
    s.right = right
    s.out_int32 = out_int32
    threads = threads_for(count * 20)
    if threads <= 1:
        _search_range(&s, dtype, 0, count)
    else:
        for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
            _search_range(&s, dtype, count * t // threads, count * (t + 1) // threads)
    return 0


# -- bincount -------------------------------------------------------------------------------------

cdef inline void _count(const Integer* x, const char* weights, int weights_dtype, char* out,
                        Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    if weights == NULL:
        for i in range(n):
            (<int64_t*>out)[x[i]] += 1
    elif weights_dtype == Float32:
        for i in range(n):
            (<float*>out)[x[i]] += (<const float*>weights)[i]
    else:
        for i in range(n):
            (<double*>out)[x[i]] += (<const double*>weights)[i]


cdef int bincount_kernel(const char* x, int dtype, const char* weights, int weights_dtype,
                         char* out, Py_ssize_t n) noexcept nogil:
    if weights != NULL and weights_dtype != Float32 and weights_dtype != Float64:
        return 1
    if dtype == Int64:
        _count(<const int64_t*>x, weights, weights_dtype, out, n)
    elif dtype == Int32:
        _count(<const int32_t*>x, weights, weights_dtype, out, n)
    elif dtype == Int16:
        _count(<const int16_t*>x, weights, weights_dtype, out, n)
    elif dtype == Int8:
        _count(<const int8_t*>x, weights, weights_dtype, out, n)
    elif dtype == UInt8:
        _count(<const uint8_t*>x, weights, weights_dtype, out, n)
    else:
        return 1
    return 0


# -- histc ----------------------------------------------------------------------------------------

cdef inline void _histogram(const Real* x, Real* out, Py_ssize_t n, Py_ssize_t bins,
                            Real low, Real high) noexcept nogil:
    cdef Py_ssize_t i, b
    for i in range(n):
        if x[i] >= low and x[i] <= high:
            b = <Py_ssize_t>((x[i] - low) * bins / (high - low))
            out[b if b < bins else bins - 1] += 1


cdef inline float _rounded(float value, const narrow_t* tag) noexcept nogil:
    cdef narrow_t narrow
    store_float(&narrow, value)
    return to_float(narrow)


cdef void _narrow_histogram(const narrow_t* x, narrow_t* out, Py_ssize_t n, Py_ssize_t bins,
                            float low, float high) noexcept nogil:
    """Compute the histogram with every step and count rounded, as PyTorch does.

    A bin stops growing when one more is less than an ulp.
    """
    cdef float number = _rounded(<float>bins, x), width = _rounded(high - low, x), place
    cdef Py_ssize_t i, b
    for i in range(n):
        if to_float(x[i]) >= low and to_float(x[i]) <= high:
            place = _rounded(_rounded(to_float(x[i]) - low, x) * number, x)
            b = <Py_ssize_t>_rounded(place / width, x)
            b = b if b < bins else bins - 1
            store_float(out + b, to_float(out[b]) + 1)


cdef int histc_kernel(const char* x, char* out, Py_ssize_t n, Py_ssize_t bins, double low,
                      double high, int dtype) noexcept nogil:
    if dtype == Float32:
        _histogram(<const float*>x, <float*>out, n, bins, <float>low, <float>high)
    elif dtype == Float64:
        _histogram(<const double*>x, <double*>out, n, bins, low, high)
    elif dtype == Float16:
        _narrow_histogram(<const half_t*>x, <half_t*>out, n, bins, <float>low, <float>high)
    elif dtype == BFloat16:
        _narrow_histogram(<const bfloat16_t*>x, <bfloat16_t*>out, n, bins, <float>low,
                          <float>high)
    else:
        return 1
    return 0
