# Ordering by unsigned integers. Every element becomes an item: a key whose order as an integer is
# the order wanted, and the element's position. Items are sorted and selected by digits of the key,
# which needs no comparison and leaves equal elements in their order.
#
# Keys put nan behind all numbers and make nans equal to each other, and -0 equal to 0; a
# descending order complements the key, so nan comes first then.
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

# 1: the dtype (or the length, when positions need more than 32 bits) takes wide items, 0: narrow,
# -1: it has no order
cdef int takes_wide_items(int dtype, Py_ssize_t n) noexcept nogil

# Items of n contiguous elements
cdef void make_items(const char* x, Py_ssize_t n, int dtype, bint descending, char* items,
                     bint wide) noexcept nogil

# Sorts n items, using `scratch` of the same size; returns whichever of the two holds the result.
cdef char* sort_items(char* items, char* scratch, Py_ssize_t n, bint wide) noexcept nogil

# The item of rank k (from 0). `items` stays as it is, `scratch` has the same size.
cdef WideItem select_item(const char* items, char* scratch, Py_ssize_t n, Py_ssize_t k,
                          bint wide) noexcept nogil

# The position of the item of rank k, of equal ones PyTorch's. The items change places.
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

# The k smallest items of n contiguous elements, in the order of their positions, for
# 1 <= k <= n; `items` and `scratch` have room for `room_for_best(n, k)` items.
cdef void best_items(const char* x, Py_ssize_t n, Py_ssize_t k, int dtype, bint descending,
                     char* items, char* scratch, bint wide) noexcept nogil

cdef inline Py_ssize_t room_for_best(Py_ssize_t n, Py_ssize_t k) noexcept nogil:
    # the best so far, as many candidates again and more, and a block to be looked at
    return 4 * k + 1024

# out[i] = x[position of items[i]]; elements of 1, 2, 4 or 8 bytes
cdef void gather_items(const char* x, int itemsize, const char* items, bint wide, char* out,
                       Py_ssize_t n) noexcept nogil
