# Putting values into bins: searchsorted and bucketize, bincount, histc. Contiguous arrays. Every
# function returns non-zero when it has no loop for the dtype.

# For every value the first position in its row of `boundaries` whose boundary is >= the value
# (right: > the value). boundaries: (rows, n) ascending, values: (rows, per_row), with rows == 1 for
# one row of boundaries and any number of values. `sorter` (int64, shape of boundaries, or NULL)
# is the order that sorts unsorted boundaries; its entries must be valid. Both arrays have `dtype`
# (real); results are int64, or int32 if `out_int32`. nan goes behind everything.
cdef int searchsorted_kernel(const char* boundaries, const char* values, const char* sorter,
                             char* out, Py_ssize_t rows, Py_ssize_t n, Py_ssize_t per_row,
                             int dtype, bint right, bint out_int32) noexcept nogil

# out[x[i]] += weights[i], or 1. x: n integers of `dtype`, all in range of out; weights Float32 or
# Float64 or NULL; out, zeroed by the caller, int64 without weights, Float32 or Float64 with.
cdef int bincount_kernel(const char* x, int dtype, const char* weights, int weights_dtype,
                         char* out, Py_ssize_t n) noexcept nogil

# out[b] += 1 for the values in bin b of `bins` equal ones between low < high; others and nan are
# left out, high itself is in the last bin. x and out: Float32 or Float64; out zeroed by the caller.
cdef int histc_kernel(const char* x, char* out, Py_ssize_t n, Py_ssize_t bins, double low,
                      double high, int dtype) noexcept nogil
