# Reading through index tensors. All of PyTorch's ways of indexing read from one address,
#
#     operand + sum of i[d] * strides[d] + index[i] * dim_stride
#
# for the positions i of a result, where the stride of an indexed dimension is 0 (the index moves along it).
# Writing in the same way is in scatter.pxd.
#
#   operation                      strides[dim]   index strides                  dim_stride
#   gather(dim), scatter(dim)      0              the index tensor's             the stride of dim
#   index_select, index_copy, ...  0              0 except along dim             the stride of dim
#   embedding(weight)              (0, item)      (8, 0) for a flat index        a row of weight
#   take, put                      all 0          the index tensor's             itemsize
#   x[i, :, j]                     0 where        of the offsets that            1
#                                  indexed        `index_offsets` has made
#
# Index elements are int64 and may be negative if the operation wraps. Check them first (`check_index` or
# `index_offsets`), so that nothing is written if an index is out of bounds. Strides are in bytes.

cdef struct BadIndex:
    int which                  # number of the index tensor
    long long value            # the index that is out of bounds
    Py_ssize_t size            # size of the dimension it refers to

# Whether every index is in [0, size), or in [-size, size) if it may wrap. The first that is not, in the order of
# the positions, is stored in `bad`.
cdef bint check_index(int ndim, const Py_ssize_t* sizes, const char* index,
                      const Py_ssize_t* strides, Py_ssize_t size, bint wrap,
                      BadIndex* bad) noexcept nogil

# For advanced indexing with `count` index tensors broadcast to one shape: the byte offset
#     offsets[i] = sum over k of wrapped(index[k][i]) * dim_strides[k]
# for every position i, written contiguously in row-major order. `strides` has count rows of ndim
# entries; index k runs along a dimension of dim_sizes[k] elements. False, with `bad` set, as above.
cdef bint index_offsets(int ndim, const Py_ssize_t* sizes, int count, const char** index,
                        const Py_ssize_t* strides, const Py_ssize_t* dim_sizes,
                        const Py_ssize_t* dim_strides, Py_ssize_t* offsets,
                        BadIndex* bad) noexcept nogil

# out[i] = src[address of i]. A negative index counts from `size`; 0 for offsets, which do not wrap.
# Any itemsize. Over threads.
cdef void index_gather(int ndim, const Py_ssize_t* sizes,
                       char* out, const Py_ssize_t* out_strides,
                       const char* src, const Py_ssize_t* src_strides,
                       const char* index, const Py_ssize_t* index_strides,
                       Py_ssize_t size, Py_ssize_t dim_stride, Py_ssize_t itemsize) noexcept nogil

# -- for kernels that iterate over three operands --------------------------------------------------

cdef struct Walk:
    int ndim
    Py_ssize_t sizes[64]       # MAX_DIMS of copy.pxd
    Py_ssize_t a[64]           # byte strides of the three operands
    Py_ssize_t b[64]
    Py_ssize_t c[64]

# The fastest order of iteration: without sizes of one, sorted by decreasing strides of `key` (a dimension where
# they are 0 keeps its place), with adjacent dimensions merged. False if there are no elements.
cdef bint make_walk(int ndim, const Py_ssize_t* sizes, const Py_ssize_t* key,
                    const Py_ssize_t* a, const Py_ssize_t* b, const Py_ssize_t* c,
                    Walk* out) noexcept nogil

# Advances the position over the first `ndim` dimensions by one step; false after the last one
cdef inline bint step(const Walk* w, int ndim, Py_ssize_t* position,
                      char** a, char** b, char** c) noexcept nogil:
    cdef int d
    for d in range(ndim - 1, -1, -1):
        position[d] += 1
        a[0] += w.a[d]
        b[0] += w.b[d]
        c[0] += w.c[d]
        if position[d] < w.sizes[d]:
            return True
        a[0] -= w.a[d] * w.sizes[d]
        b[0] -= w.b[d] * w.sizes[d]
        c[0] -= w.c[d] * w.sizes[d]
        position[d] = 0
    return False
