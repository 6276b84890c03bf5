# Distinct values of n contiguous elements of a real dtype; every nan is distinct. The result arrays have n
# entries: the values (of x's dtype), `inverse` (int64, the index of the value of each element) and `counts`
# (int64 per value); the latter two may be NULL. Returns the number of values, -1 if memory is short, -2 if the
# dtype has no order.

# ascending values
cdef Py_ssize_t unique_kernel(const char* x, Py_ssize_t n, int dtype, char* values, char* inverse,
                              char* counts) noexcept nogil
# runs of equal elements, in their order
cdef Py_ssize_t unique_consecutive_kernel(const char* x, Py_ssize_t n, int dtype, char* values,
                                          char* inverse, char* counts) noexcept nogil
