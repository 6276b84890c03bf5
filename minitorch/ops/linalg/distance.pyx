# cython: wraparound=True
"""Distances between rows."""

from minitorch.core.dtype cimport Float32, Float64
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, ndim, numel, sizes, sizes_tuple, wrap_number)
from minitorch.kernels.linalg cimport distance as kernels
from minitorch.ops.common.checks cimport broadcast_sizes, check_scalar_type, not_implemented
from minitorch.ops.common.copy cimport contiguous
from minitorch.ops.creation.factory cimport new_empty, ones_like
from minitorch.ops.elementwise.binary cimport mul, sub
from minitorch.ops.elementwise.ternary cimport clamp_min
from minitorch.ops.elementwise.unary cimport sqrt, square
from minitorch.ops.linalg.column_major cimport batch_shape, cols_of, rows_of
from minitorch.ops.linalg.matmul cimport matmul
from minitorch.ops.reduction.moments cimport norm
from minitorch.ops.reduction.reduction cimport sum
from minitorch.ops.shape.joining cimport cat
from minitorch.ops.shape.transposes cimport mT
from minitorch.ops.shape.views cimport expand


cdef TensorImpl _expanded(TensorImpl self, tuple batch):
    return contiguous(expand(self, batch + (rows_of(self), cols_of(self))))


cdef Py_ssize_t _count(tuple batch) except -1:
    cdef Py_ssize_t count = 1
    for size in batch:
        count *= size
    return count


cdef int _check_rows(TensorImpl x1, TensorImpl x2) except -1:
    """Raise unless both are batches of rows of the same length."""
    for t in (x1, x2):
        if ndim(t) < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, got: {ndim(t)}D")
    if cols_of(x1) != cols_of(x2):
        raise RuntimeError("X1 and X2 must have the same number of columns. "
                           f"X1: {cols_of(x1)} X2: {cols_of(x2)}")
    return 0


cdef int _check_2d(TensorImpl self) except -1:
    if ndim(self) != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {ndim(self)}D")
    return 0


cdef int _check(TensorImpl self, str name) except -1:
    if self.dtype != Float32 and self.dtype != Float64:
        raise not_implemented(name, self.dtype)
    return 0


cdef TensorImpl _cdist_forward(TensorImpl x1, TensorImpl x2, double p):
    cdef tuple batch
    cdef TensorImpl a, b, result
    cdef Py_ssize_t rows1, rows2, cols, count, k, item
    cdef int dtype = x1.dtype
    cdef char* x
    cdef char* y
    cdef char* out
    _check_rows(x1, x2)
    batch = broadcast_sizes(batch_shape(x1), batch_shape(x2))
    rows1, rows2, cols = rows_of(x1), rows_of(x2), cols_of(x1)
    _check(x1, "cdist")
    if rows1 and rows2 and cols and _count(batch):      # operands without elements are not read
        check_scalar_type(x2, dtype)
    a, b = _expanded(x1, batch), _expanded(x2, batch)
    result = new_empty(batch + (rows1, rows2), dtype)
    count, item = _count(batch), 4 if dtype == Float32 else 8
    x, y, out = data(a), data(b), data(result)
    with nogil:
        for k in range(count):
            kernels.cdist(dtype, rows1, rows2, cols, x + k * rows1 * cols * item,
                          y + k * rows2 * cols * item, p, out + k * rows1 * rows2 * item)
    return result


cdef TensorImpl _cdist_backward(TensorImpl grad, TensorImpl x1, TensorImpl x2, double p,
                                TensorImpl cdist):
    cdef tuple batch = batch_shape(cdist)
    cdef TensorImpl a, b, result
    cdef Py_ssize_t rows1, rows2, cols, count, k, item
    cdef int dtype = x1.dtype
    cdef char* x
    cdef char* y
    cdef char* g
    cdef char* d
    cdef char* out
    _check_rows(x1, x2)
    rows1, rows2, cols = rows_of(x1), rows_of(x2), cols_of(x1)
    _check(x1, "cdist_backward")
    if rows1 and rows2 and cols and _count(batch):
        for t in (x2, grad, cdist):
            check_scalar_type(t, dtype)
    if sizes_tuple(cdist) != batch + (rows1, rows2) or sizes_tuple(grad) != sizes_tuple(cdist):
        raise RuntimeError(f"_cdist_backward: expected distances of shape "
                           f"{list(batch + (rows1, rows2))}, got {list(sizes_tuple(cdist))}")
    a, b = _expanded(x1, batch), _expanded(x2, batch)
    grad, cdist = _expanded(grad, batch), contiguous(cdist)
    result = new_empty(batch + (rows1, cols), dtype)
    count, item = _count(batch), 4 if dtype == Float32 else 8
    x, y, g, d, out = data(a), data(b), data(grad), data(cdist), data(result)
    with nogil:
        for k in range(count):
            kernels.cdist_backward(
                dtype, rows1, rows2, cols, g + k * rows1 * rows2 * item,
                x + k * rows1 * cols * item, y + k * rows2 * cols * item, p,
                d + k * rows1 * rows2 * item, out + k * rows1 * cols * item)
    return result


cdef TensorImpl _euclidean_dist(TensorImpl x1, TensorImpl x2):
    """Compute the distances with one matrix product: |a|**2 - 2 a b + |b|**2."""
    cdef TensorImpl norm1, norm2, left, right
    _check_rows(x1, x2)
    norm1, norm2 = sum(square(x1), (-1,), True), sum(square(x2), (-1,), True)
    left = cat([mul(x1, wrap_number(-2)), norm1, ones_like(norm1)], -1)
    right = cat([x2, ones_like(norm2), norm2], -1)
    return sqrt(clamp_min(matmul(left, mT(right)), 0))


cdef TensorImpl _pdist_forward(TensorImpl self, double p=2):
    cdef Py_ssize_t rows, cols
    cdef TensorImpl rows_ = contiguous(self), result
    cdef int dtype = self.dtype
    cdef char* x
    cdef char* out
    _check_2d(self)
    rows, cols = sizes(self)[0], sizes(self)[1]
    _check(self, "pdist")
    result = new_empty((rows * (rows - 1) // 2 if rows else 0,), dtype)
    x, out = data(rows_), data(result)
    with nogil:
        kernels.pdist(dtype, rows, cols, x, p, out)
    return result


cdef TensorImpl _pdist_backward(TensorImpl grad, TensorImpl self, double p, TensorImpl pdist):
    cdef Py_ssize_t rows, cols
    cdef TensorImpl rows_ = contiguous(self), result
    cdef int dtype = self.dtype
    cdef char* x
    cdef char* g
    cdef char* d
    cdef char* out
    _check_2d(self)
    rows, cols = sizes(self)[0], sizes(self)[1]
    _check(self, "pdist_backward")
    for t in (grad, pdist):
        check_scalar_type(t, dtype)
        if numel(t) != rows * (rows - 1) // 2:
            raise RuntimeError(f"_pdist_backward: expected {rows * (rows - 1) // 2} distances, got "
                               f"{numel(t)}")
    grad, pdist = contiguous(grad), contiguous(pdist)
    result = new_empty((rows, cols), dtype)
    x, g, d, out = data(rows_), data(grad), data(pdist), data(result)
    with nogil:
        kernels.pdist_backward(dtype, rows, cols, g, x, p, d, out)
    return result


cdef TensorImpl dist(TensorImpl self, TensorImpl other, object p=2):
    cdef TensorImpl difference = sub(self, other)
    return norm(difference, p)
