# cython: wraparound=True
"""Batches of column-major matrices."""

from minitorch.core.dtype cimport is_complex
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, as_strided_impl, empty, ndim, read_sizes, sizes, sizes_tuple,
    strides)
from minitorch.ops.common.copy cimport copy_
from minitorch.ops.elementwise.unary cimport conj
from minitorch.ops.shape.transposes cimport transpose
from minitorch.ops.shape.views cimport expand


cdef TensorImpl empty_columns(tuple shape, int dtype):
    cdef Py_ssize_t[MAX_DIMS] n, s
    cdef int d, dims = read_sizes(shape, n)
    cdef Py_ssize_t step = 1
    cdef TensorImpl result = empty(dims, n, dtype)
    if dims < 2:
        return result
    for d in range(dims - 1, -1, -1):
        s[d] = step
        step *= max(n[d], 1)
    s[dims - 2] = 1
    s[dims - 1] = max(n[dims - 2], 1)
    return as_strided_impl(result, dims, n, s, 0)


cdef TensorImpl empty_matrices(tuple batch, Py_ssize_t rows, Py_ssize_t cols, int dtype,
                               bint columns=True):
    cdef Py_ssize_t[MAX_DIMS] n
    cdef int dims
    cdef tuple shape = batch + (rows, cols)
    if columns:
        return empty_columns(shape, dtype)
    dims = read_sizes(shape, n)
    return empty(dims, n, dtype)


cdef bint is_column_major(TensorImpl self) noexcept:
    cdef int d, dims = ndim(self)
    cdef Py_ssize_t step
    if dims < 2:
        return False
    if sizes(self)[dims - 2] > 1 and strides(self)[dims - 2] != 1:
        return False
    if sizes(self)[dims - 1] > 1 and strides(self)[dims - 1] != sizes(self)[dims - 2]:
        return False
    step = sizes(self)[dims - 2] * sizes(self)[dims - 1]
    for d in range(dims - 3, -1, -1):
        if sizes(self)[d] > 1 and strides(self)[d] != step:
            return False
        step *= sizes(self)[d]
    return True


cdef TensorImpl clone_columns(TensorImpl self):
    return copy_(empty_columns(sizes_tuple(self), self.dtype), self)


cdef TensorImpl columns(TensorImpl self):
    return self if is_column_major(self) else clone_columns(self)


cdef tuple batch_shape(TensorImpl self):
    return sizes_tuple(self)[:max(ndim(self) - 2, 0)]


cdef Py_ssize_t batch_count(TensorImpl self) noexcept:
    cdef int d
    cdef Py_ssize_t count = 1
    for d in range(ndim(self) - 2):
        count *= sizes(self)[d]
    return count


cdef TensorImpl expanded_columns(TensorImpl self, tuple batch, Py_ssize_t* step):
    cdef Py_ssize_t n = rows_of(self) * cols_of(self)
    step[0] = n
    if batch_shape(self) != batch:
        if batch_count(self) == 1:
            step[0] = 0
        else:
            self = expand(self, batch + (rows_of(self), cols_of(self)))
    return columns(self)


cdef TensorImpl adjoint_of(TensorImpl self):
    self = transpose(self, -2, -1)
    return conj(self) if is_complex(self.dtype) else self
