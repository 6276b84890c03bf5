# Assigning values to bins: searchsorted and bucketize, bincount, histc. Arrays are contiguous. Every function
# returns non-zero if it does not support the dtype.

# For every value, find the first position in its row of `boundaries` whose boundary is >= the value (with
# `right`: > the value). boundaries has the shape (rows, n), in ascending order, and values (rows, per_row). With
# rows == 1, one row of boundaries serves any number of values. `sorter` (int64, the shape of boundaries, or NULL)
# is the order that sorts unsorted boundaries; its entries must be valid. Both arrays have the real dtype `dtype`;
# results are int64, or int32 if `out_int32`. nan sorts after everything.
cdef int searchsorted_kernel(const char* boundaries, const char* values, const char* sorter,
                             char* out, Py_ssize_t rows, Py_ssize_t n, Py_ssize_t per_row,
                             int dtype, bint right, bint out_int32) noexcept nogil

# out[x[i]] += weights[i], or 1. x has n integers of `dtype`, all in range; weights is Float32, Float64 or NULL.
# The caller zeroes out, which is int64 without weights, else Float32 or Float64.
cdef int bincount_kernel(const char* x, int dtype, const char* weights, int weights_dtype,
                         char* out, Py_ssize_t n) noexcept nogil

# out[b] += 1 for the values in bin b of `bins` equal bins between low < high. Values outside and nan are ignored;
# high belongs to the last bin. x and out: Float32 or Float64; the caller zeroes out.
cdef int histc_kernel(const char* x, char* out, Py_ssize_t n, Py_ssize_t bins, double low,
                      double high, int dtype) noexcept nogil
