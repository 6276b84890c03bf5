# Distinct values. n contiguous elements of a real dtype; every nan is a value of its own. The
# results' arrays hold n entries: the values (of x's dtype), `inverse` (int64, for every element the
# number of its value) and `counts` (int64 per value); these two may be NULL.
# Returns the number of values, -1 when memory is short, -2 when the dtype has no order.

# values ascending
cdef Py_ssize_t unique_kernel(const char* x, Py_ssize_t n, int dtype, char* values, char* inverse,
                              char* counts) noexcept nogil
# runs of equal elements, in their order
cdef Py_ssize_t unique_consecutive_kernel(const char* x, Py_ssize_t n, int dtype, char* values,
                                          char* inverse, char* counts) noexcept nogil
