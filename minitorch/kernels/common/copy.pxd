# Copies of blocks of memory between two strided layouts, for `contiguous()`, `clone()`, `cat` and a `copy_`
# without a change of dtype. The values do not matter here, so a dtype is only its itemsize. Strides are in bytes
# and may be zero (an expanded source) or negative.

cdef enum:
    MAX_DIMS = 64          # PyTorch's limit too; the length of all arrays of sizes or strides here

# dst[i...] = src[i...]. The regions must not overlap, unless they are identical. Splits the work over threads
# above a measured size. `itemsize` may be any positive number; 1, 2, 4, 8 and 16 are fast. ndim 0 copies one
# element.
cdef void copy_strided(int ndim, const Py_ssize_t* sizes,
                       char* dst, const Py_ssize_t* dst_strides,
                       const char* src, const Py_ssize_t* src_strides,
                       Py_ssize_t itemsize) noexcept nogil

# dst[i...] = the one element at `value`
cdef void fill_strided(int ndim, const Py_ssize_t* sizes,
                       char* dst, const Py_ssize_t* dst_strides,
                       const char* value, Py_ssize_t itemsize) noexcept nogil

# Converts a pair of layouts to the form that is fastest to iterate over: without dimensions of size one, ordered
# by decreasing
# a stride
# , and with dimensions merged that continue each other. Returns the number of remaining dimensions (0 for a
# single element), or -1 if there are no elements. The three out arrays hold MAX_DIMS entries.
cdef int coalesce(int ndim, const Py_ssize_t* sizes,
                  const Py_ssize_t* a_strides, const Py_ssize_t* b_strides,
                  Py_ssize_t* out_sizes, Py_ssize_t* out_a, Py_ssize_t* out_b) noexcept nogil

# Contiguous strides, in bytes, of the given sizes
cdef inline void contiguous_strides(int ndim, const Py_ssize_t* sizes, Py_ssize_t itemsize,
                                    Py_ssize_t* out) noexcept nogil:
    cdef int d
    for d in range(ndim - 1, -1, -1):
        out[d] = itemsize
        itemsize *= sizes[d] if sizes[d] > 1 else 1

# Advances the index `index` over `sizes` by one step, and `a` and `b` with it; false after the last step.
cdef inline bint advance(int ndim, const Py_ssize_t* sizes, Py_ssize_t* index,
                         const Py_ssize_t* a_strides, char** a,
                         const Py_ssize_t* b_strides, char** b) noexcept nogil:
    cdef int d
    for d in range(ndim - 1, -1, -1):
        index[d] += 1
        a[0] += a_strides[d]
        b[0] += b_strides[d]
        if index[d] < sizes[d]:
            return True
        a[0] -= a_strides[d] * sizes[d]
        b[0] -= b_strides[d] * sizes[d]
        index[d] = 0
    return False
