# Ordering by unsigned integers. Every element becomes an item: a key whose integer order is the wanted order, and
# the position of the element. Items are sorted and selected by the digits of the key, which needs no comparisons
# and keeps equal elements in their order.
#
# Keys order nan after all numbers, all nans are equal, and -0 equals 0. For descending order the key is
# complemented, so nan comes first.
#
# Items are `narrow` (dtypes of up to 4 bytes: key << 32 | position in a uint64) or `wide`.

from libc.stdint cimport int64_t, uint64_t

from minitorch.core.dtype cimport Float64, Int64

cdef struct WideItem:
    uint64_t key
    uint64_t index

# The key of nan in an ascending order, the largest of the dtype's keys
cdef inline uint64_t nan_key(int dtype) noexcept nogil:
    return <uint64_t>-1 if dtype == Float64 or dtype == Int64 else 0xffffffffULL

# Returns 1 if the dtype (or the length, if positions need more than 32 bits) needs wide items, 0 for narrow
# items, -1 if the dtype has no order
cdef int takes_wide_items(int dtype, Py_ssize_t n) noexcept nogil

# Makes items of n contiguous elements
cdef void make_items(const char* x, Py_ssize_t n, int dtype, bint descending, char* items,
                     bint wide) noexcept nogil

# Sorts n items, using `scratch` of the same size; returns the one of the two that holds the result.
cdef char* sort_items(char* items, char* scratch, Py_ssize_t n, bint wide) noexcept nogil

# The item of rank k (from 0). `items` is not changed; `scratch` has the same size.
cdef WideItem select_item(const char* items, char* scratch, Py_ssize_t n, Py_ssize_t k,
                          bint wide) noexcept nogil

# The position of the item of rank k; of equal items, the one that PyTorch returns. Reorders the items.
cdef int64_t partitioned_index(char* items, Py_ssize_t n, Py_ssize_t k, bint wide) noexcept nogil

cdef inline Py_ssize_t item_size(bint wide) noexcept nogil:
    return 16 if wide else 8

cdef inline int64_t item_index(const char* items, Py_ssize_t i, bint wide) noexcept nogil:
    if wide:
        return <int64_t>(<const WideItem*>items)[i].index
    return <int64_t>((<const uint64_t*>items)[i] & 0xffffffffULL)

cdef inline uint64_t item_key(const char* items, Py_ssize_t i, bint wide) noexcept nogil:
    if wide:
        return (<const WideItem*>items)[i].key
    return (<const uint64_t*>items)[i] >> 32

# Stores the k smallest items of n contiguous elements, in the order of their positions, for 1 <= k <= n; `items`
# and `scratch` have room for `room_for_best(n, k)` items.
cdef void best_items(const char* x, Py_ssize_t n, Py_ssize_t k, int dtype, bint descending,
                     char* items, char* scratch, bint wide) noexcept nogil

cdef inline Py_ssize_t room_for_best(Py_ssize_t n, Py_ssize_t k) noexcept nogil:
    # the best items so far, more than as many candidates, and a block to examine
    return 4 * k + 1024

# out[i] = x[position of items[i]]; elements of 1, 2, 4 or 8 bytes
cdef void gather_items(const char* x, int itemsize, const char* items, bint wide, char* out,
                       Py_ssize_t n) noexcept nogil
