# Sums, means and maxima of rows of a table, bag by bag: bag b has the rows index[offsets[b]] to index[offsets[b +
# 1] - 1]. Rows are `cols` contiguous elements. All indices have been checked.

cdef struct Bags:
    Py_ssize_t bags
    Py_ssize_t cols
    Py_ssize_t row_stride              # of the table, in elements
    const long long* index
    const long long* offsets           # bags + 1 offsets
    long long padding_idx              # rows with this index are ignored; -1: none

# Sums, or means; `factors` has one number for each index, or is NULL. sizes receives the number of rows counted.
# Float32 and Float64, here and below
cdef void embedding_bag_sum(int dtype, const Bags* b, bint mean, const char* table,
                            const char* factors, char* output, long long* sizes) noexcept nogil
# Maxima, and for each element of the output the index it comes from (0 for an empty bag)
cdef void embedding_bag_max(int dtype, const Bags* b, const char* table, char* output,
                            long long* chosen, long long* sizes) noexcept nogil
