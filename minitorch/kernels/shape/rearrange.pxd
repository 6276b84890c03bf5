# Operations that only move elements, beyond a plain strided copy. Strides are in bytes.
#
# Operations that need no kernel here: flip is `copy_strided` (copy.pxd) from the last element with negated
# strides; cat, stack, repeat and pad are one `copy_strided` for each piece; one_hot is an `index_scatter` of an
# expanded 1 into zeros.

# dst[(i + shift) mod sizes] = src[i], with a shift for every dimension (0: not rolled)
cdef void roll(int ndim, const Py_ssize_t* sizes, char* dst, const Py_ssize_t* dst_strides,
               const char* src, const Py_ssize_t* src_strides, const Py_ssize_t* shifts,
               Py_ssize_t itemsize) noexcept nogil

# The last two dimensions (there must be two) are matrices: dst = src where column - row <= diagonal (lower: tril)
# or >= diagonal (upper: triu), and 0 elsewhere. dst may be src.
cdef void triangle(int ndim, const Py_ssize_t* sizes, char* dst, const Py_ssize_t* dst_strides,
                   const char* src, const Py_ssize_t* src_strides, Py_ssize_t diagonal,
                   bint upper, Py_ssize_t itemsize) noexcept nogil
