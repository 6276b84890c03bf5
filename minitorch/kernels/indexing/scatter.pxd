# Writing through index tensors: for every position i, in an order that preserves the order of the indices
#
#     target = dst + sum of i[d] * dst_strides[d] + index[i] * dim_stride
#     *target = op(*target, src[i])
#
# with the conventions and the table of indexing.pxd. The indices have been checked.

cdef enum ScatterOp:
    SCATTER_SET = 0            # of several values for one target, the last one stays
    SCATTER_ADD = 1            # "sum"; for Bool: or
    SCATTER_MULTIPLY = 2       # "prod"; for Bool: and
    SCATTER_MIN = 3            # "amin"; propagates nan
    SCATTER_MAX = 4            # "amax"; propagates nan

# "mean" is SCATTER_ADD, followed by a division by counts from SCATTER_ADD of ones. The source may be one expanded
# element (all its strides 0). Integers wrap around. float16 is rounded after every step, like in PyTorch's
# index_add; its scatter_add rounds once, so widen first. MIN and MAX are not defined for complex types. The work
# is split over threads along dimensions that have no index.
cdef void index_scatter(int dtype, ScatterOp op, int ndim, const Py_ssize_t* sizes,
                        char* dst, const Py_ssize_t* dst_strides,
                        const char* src, const Py_ssize_t* src_strides,
                        const char* index, const Py_ssize_t* index_strides,
                        Py_ssize_t size, Py_ssize_t dim_stride) noexcept nogil

# The gradient of an embedding table: grad_weight[index[i]] += grad[i] * scale for the n rows i with index[i] !=
# padding_idx (-1: no padding), where scale is 1, or 1 / (number of occurrences of the index). Rows of grad are
# `cols` contiguous elements. grad_weight is a contiguous (num_weights, cols) array; its old content is kept.
# Floating and complex dtypes; returns 0, or -1 without memory.
cdef int embedding_backward(int dtype, Py_ssize_t n, Py_ssize_t cols, Py_ssize_t num_weights,
                            const char* grad, Py_ssize_t grad_row_stride,
                            const char* index, Py_ssize_t index_stride, long long padding_idx,
                            bint scale_grad_by_freq, char* grad_weight) noexcept nogil
