"""Distinct values: runs of equal keys after sorting (sort_keys), or of equal elements in their order."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from minitorch.core.dtype cimport (
    BFloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, UInt8, is_floating,
    itemsizes)
from minitorch.kernels.common.half cimport bfloat16_t, half_t, to_float
from minitorch.kernels.common.types cimport Numeric
from minitorch.kernels.sorting.sort_keys cimport (
    item_index, item_key, item_size, make_items, nan_key, sort_items, takes_wide_items)


cdef inline bint _differ(Numeric a, Numeric b) noexcept nogil:
    if Numeric is half_t or Numeric is bfloat16_t:
        return to_float(a) != to_float(b)
    else:
        return a != b


cdef Py_ssize_t _runs(const Numeric* x, Py_ssize_t n, Numeric* values, int64_t* inverse,
                      int64_t* counts) noexcept nogil:
    cdef Py_ssize_t i, found = 1, start = 0
    if n == 0:
        return 0
    values[0] = x[0]
    if inverse == NULL and counts == NULL:
        # without a branch: an element that does not begin a run is overwritten by the next one
        for i in range(1, n):
            values[found] = x[i]
            found += _differ(x[i], x[i - 1])
        return found
    if inverse != NULL:
        inverse[0] = 0
    for i in range(1, n):
        if _differ(x[i], x[i - 1]):
            if counts != NULL:
                counts[found - 1] = i - start
            values[found] = x[i]
            start = i
            found += 1
        if inverse != NULL:
            inverse[i] = found - 1
    if counts != NULL:
        counts[found - 1] = n - start
    return found


cdef Py_ssize_t unique_kernel(const char* x, Py_ssize_t n, int dtype, char* values, char* inverse,
                              char* counts) noexcept nogil:
    cdef int wide = takes_wide_items(dtype, n)
    cdef bint floating = is_floating(dtype)
    cdef uint64_t nan = nan_key(dtype), key, last = 0
    cdef Py_ssize_t size = itemsizes[dtype], i, found = 0, start = 0
    cdef int64_t index
    cdef int64_t* places = <int64_t*>inverse
    cdef int64_t* lengths = <int64_t*>counts
    cdef char* memory
    cdef char* items
    if wide < 0:
        return -2
    memory = <char*>malloc(2 * n * item_size(wide) + 1)
    if memory == NULL:
        return -1
    make_items(x, n, dtype, False, memory, wide)
    items = sort_items(memory, memory + n * item_size(wide), n, wide)
    for i in range(n):
        key = item_key(items, i, wide)
        index = item_index(items, i, wide)
        if i == 0 or key != last or floating and key == nan:
            if lengths != NULL and found:
                lengths[found - 1] = i - start
            memcpy(values + found * size, x + index * size, size)
            start = i
            found += 1
            last = key
        if places != NULL:
            places[index] = found - 1
    if lengths != NULL and found:
        lengths[found - 1] = n - start
    free(memory)
    return found


cdef Py_ssize_t unique_consecutive_kernel(const char* x, Py_ssize_t n, int dtype, char* values,
                                          char* inverse, char* counts) noexcept nogil:
    cdef int64_t* i = <int64_t*>inverse
    cdef int64_t* c = <int64_t*>counts
    if dtype == Bool or dtype == UInt8:
        return _runs(<const uint8_t*>x, n, <uint8_t*>values, i, c)
    if dtype == Int8:
        return _runs(<const int8_t*>x, n, <int8_t*>values, i, c)
    if dtype == Int16:
        return _runs(<const int16_t*>x, n, <int16_t*>values, i, c)
    if dtype == Int32:
        return _runs(<const int32_t*>x, n, <int32_t*>values, i, c)
    if dtype == Int64:
        return _runs(<const int64_t*>x, n, <int64_t*>values, i, c)
    if dtype == Float16:
        return _runs(<const half_t*>x, n, <half_t*>values, i, c)
    if dtype == BFloat16:
        return _runs(<const bfloat16_t*>x, n, <bfloat16_t*>values, i, c)
    if dtype == Float32:
        return _runs(<const float*>x, n, <float*>values, i, c)
    if dtype == Float64:
        return _runs(<const double*>x, n, <double*>values, i, c)
    return -2
