# Batches of column-major matrices, the layout of LAPACK: strides (..., 1, rows), batches row-major.

from minitorch.core.tensor_impl cimport TensorImpl, ndim, sizes

# New memory. `batch` has the leading sizes; columns=False gives row-major strides
cdef TensorImpl empty_matrices(tuple batch, Py_ssize_t rows, Py_ssize_t cols, int dtype,
                               bint columns=*)
# New memory of this shape; the last two dimensions, if there are two, are column-major
cdef TensorImpl empty_columns(tuple shape, int dtype)
cdef bint is_column_major(TensorImpl self) noexcept
# A copy; `columns` returns `self` itself if it has that layout already
cdef TensorImpl clone_columns(TensorImpl self)
cdef TensorImpl columns(TensorImpl self)
# The sizes without the last two, and their product
cdef tuple batch_shape(TensorImpl self)
cdef Py_ssize_t batch_count(TensorImpl self) noexcept
# The last two sizes; the tensor has at least two dimensions
cdef inline Py_ssize_t rows_of(TensorImpl self) noexcept:
    return sizes(self)[ndim(self) - 2]
cdef inline Py_ssize_t cols_of(TensorImpl self) noexcept:
    return sizes(self)[ndim(self) - 1]
# Column-major matrices for every element of `batch`; step[0] becomes 0 if they all use the same matrix
cdef TensorImpl expanded_columns(TensorImpl self, tuple batch, Py_ssize_t* step)
cdef TensorImpl adjoint_of(TensorImpl self)          # conjugate transposes
