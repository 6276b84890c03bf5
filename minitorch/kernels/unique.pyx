"""Distinct values: runs of equal keys (sort_keys), after sorting or as they come."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from minitorch.core.dtype cimport is_floating, itemsizes
from minitorch.kernels.sort_keys cimport (
    item_index, item_key, item_size, make_items, nan_key, sort_items, takes_wide_items)


cdef Py_ssize_t _runs(const char* x, Py_ssize_t n, int dtype, char* values, int64_t* inverse,
                      int64_t* counts, bint sort) noexcept nogil:
    cdef int wide = takes_wide_items(dtype, n)
    cdef bint floating = is_floating(dtype)
    cdef uint64_t nan = nan_key(dtype), key, last = 0
    cdef Py_ssize_t size = itemsizes[dtype], i, found = 0, start = 0
    cdef int64_t index
    cdef char* memory
    cdef char* items
    if wide < 0:
        return -2
    memory = <char*>malloc(2 * n * item_size(wide) + 1)
    if memory == NULL:
        return -1
    make_items(x, n, dtype, False, memory, wide)
    items = sort_items(memory, memory + n * item_size(wide), n, wide) if sort else memory
    for i in range(n):
        key = item_key(items, i, wide)
        index = item_index(items, i, wide)
        if i == 0 or key != last or floating and key == nan:
            if counts != NULL and found:
                counts[found - 1] = i - start
            memcpy(values + found * size, x + index * size, size)
            start = i
            found += 1
            last = key
        if inverse != NULL:
            inverse[index] = found - 1
    if counts != NULL and found:
        counts[found - 1] = n - start
    free(memory)
    return found


cdef Py_ssize_t unique_kernel(const char* x, Py_ssize_t n, int dtype, char* values, char* inverse,
                              char* counts) noexcept nogil:
    return _runs(x, n, dtype, values, <int64_t*>inverse, <int64_t*>counts, True)


cdef Py_ssize_t unique_consecutive_kernel(const char* x, Py_ssize_t n, int dtype, char* values,
                                          char* inverse, char* counts) noexcept nogil:
    return _runs(x, n, dtype, values, <int64_t*>inverse, <int64_t*>counts, False)
