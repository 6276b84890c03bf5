# Sorting and selecting along contiguous rows: x of shape (m, n), real dtypes. nan is larger than every number.
# Equal elements keep their order, whatever the direction, but for `topk_kernel`. Results are values of x's dtype
# and int64 positions; either pointer may be NULL. Every function returns 0, 1 (the dtype has no order) or -1 (memory
# is short).

cdef int sort_kernel(const char* x, char* values, char* indices, Py_ssize_t m, Py_ssize_t n,
                     int dtype, bint descending) noexcept nogil

# The k largest or smallest of every row, results (m, k), 0 <= k <= n; best first if `sorted_`, and then equal
# elements are PyTorch's, in its order; else in no particular order.
cdef int topk_kernel(const char* x, char* values, char* indices, Py_ssize_t m, Py_ssize_t n,
                     Py_ssize_t k, int dtype, bint largest, bint sorted_) noexcept nogil

# The element of rank k (from 1) of every row; results (m,), 1 <= k <= n
cdef int kthvalue_kernel(const char* x, char* values, char* indices, Py_ssize_t m, Py_ssize_t n,
                         Py_ssize_t k, int dtype) noexcept nogil

# The element of rank (n + 1) // 2, which is the lower of two in the middle; results (m,), n >= 1. If the row has
# a nan, the result is the first nan, unless `ignore_nan` takes the median of the other elements.
cdef int median_kernel(const char* x, char* values, char* indices, Py_ssize_t m, Py_ssize_t n,
                       int dtype, bint ignore_nan) noexcept nogil
