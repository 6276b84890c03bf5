"""Rows of a table: embedding and its derivative, one_hot."""

from minitorch.core.dtype cimport Bool, Float64, Int32, Int64, is_integral, itemsizes
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, data, empty, ndim, numel, sizes, strides)
from minitorch.kernels.indexing.scatter cimport SCATTER_SET, embedding_backward
from minitorch.ops.common.addresses cimport (
    Walked, find_bad_index, gather_walked, long_index, scatter_walked)
from minitorch.ops.common.bulk cimport RELEASE_GIL, zeros
from minitorch.ops.common.checks cimport size_at, tensor_type
from minitorch.ops.common.copy cimport cast, contiguous
from minitorch.ops.common.scalar cimport scalar_tensor

from minitorch.core.error_pages import explained


cdef int _check_indices(TensorImpl indices, int argument, str name) except -1:
    if indices.dtype != Int64 and indices.dtype != Int32:
        raise RuntimeError(
            f"Expected tensor for argument #{argument} 'indices' to have one of the following "
            f"scalar types: Long, Int; but got {tensor_type(indices.dtype)} instead "
            f"(while checking arguments for {name})")
    return 0


cdef void _walk_rows(Walked* w, TensorImpl table, TensorImpl index, Py_ssize_t columns,
                     Py_ssize_t other_row) noexcept:
    """Let row k of the other operand belong to row index[k] of the table; index is contiguous."""
    cdef Py_ssize_t item = itemsizes[table.dtype]
    w.ndim = 2
    w.sizes[0] = numel(index)
    w.sizes[1] = columns
    w.indexed[0] = 0
    w.indexed[1] = strides(table)[1] * item
    w.other[0] = other_row
    w.other[1] = item
    w.index[0] = 8
    w.index[1] = 0
    w.size = sizes(table)[0]
    w.dim_stride = strides(table)[0] * item


cdef TensorImpl embedding(TensorImpl weight, TensorImpl indices, Py_ssize_t padding_idx=-1,
                          bint scale_grad_by_freq=False, bint sparse=False):
    cdef Py_ssize_t[MAX_DIMS + 1] n
    cdef Walked w
    cdef long long bad
    cdef TensorImpl result, index
    cdef int d
    if ndim(weight) != 2:
        raise RuntimeError("'weight' must be 2-D")
    _check_indices(indices, 1, "embedding")
    index = contiguous(long_index(indices))
    if numel(index) and sizes(weight)[0] == 0:
        raise RuntimeError("index_select(): self indexing axis dim should be positive")
    if find_bad_index(index, sizes(weight)[0], False, &bad):
        raise explained(IndexError("index out of range in self"), "embedding-index")
    for d in range(ndim(indices)):
        n[d] = sizes(indices)[d]
    n[ndim(indices)] = sizes(weight)[1]
    result = empty(ndim(indices) + 1, n, weight.dtype)
    _walk_rows(&w, weight, index, sizes(weight)[1], sizes(weight)[1] * itemsizes[weight.dtype])
    gather_walked(&w, result, weight, index)
    return result


cdef TensorImpl embedding_dense_backward(TensorImpl grad_output, TensorImpl indices,
                                         Py_ssize_t num_weights, Py_ssize_t padding_idx,
                                         bint scale_grad_by_freq):
    cdef Py_ssize_t[2] n
    cdef long long bad
    cdef Py_ssize_t columns, count = numel(indices), row
    cdef TensorImpl result, index
    cdef char* grad
    cdef char* at
    cdef char* to
    cdef int dtype = grad_output.dtype, failed
    _check_indices(indices, 2, "embedding_backward")
    columns = size_at(grad_output, -1)
    if numel(grad_output) != count * columns:
        raise RuntimeError(f"shape '[{count}, {columns}]' is invalid for input of size "
                           f"{numel(grad_output)}")
    if dtype == Bool or is_integral(dtype):
        # float64 is exact up to 2**53; a bool becomes "any true", an integer wraps around
        result = embedding_dense_backward(cast(grad_output, Float64), indices, num_weights,
                                          padding_idx, scale_grad_by_freq)
        return cast(result if dtype == Bool else cast(result, Int64), dtype)
    index = contiguous(long_index(indices))
    if find_bad_index(index, num_weights, False, &bad):
        raise explained(IndexError("index out of range in self"), "embedding-index")
    n[0] = num_weights
    n[1] = columns
    result = zeros(2, n, dtype)
    grad_output = contiguous(grad_output)
    grad = data(grad_output)
    at = data(index)
    to = data(result)
    row = columns * itemsizes[dtype]
    if numel(grad_output) >= RELEASE_GIL:
        with nogil:
            failed = embedding_backward(dtype, count, columns, num_weights, grad, row, at, 8,
                                        padding_idx, scale_grad_by_freq, to)
    else:
        failed = embedding_backward(dtype, count, columns, num_weights, grad, row, at, 8,
                                    padding_idx, scale_grad_by_freq, to)
    if failed:
        raise MemoryError()
    return result


cdef TensorImpl one_hot(TensorImpl self, Py_ssize_t num_classes=-1):
    cdef Py_ssize_t[MAX_DIMS + 1] n
    cdef Walked w
    cdef TensorImpl result, index
    cdef Py_ssize_t k
    cdef long long* value
    cdef long long largest = -1
    cdef int d
    if self.dtype != Int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if numel(self) == 0 and num_classes <= 0:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    index = contiguous(self)
    value = <long long*>data(index)
    for k in range(numel(self)):
        if value[k] < 0:
            raise RuntimeError("Class values must be non-negative.")
        largest = max(largest, value[k])
    if num_classes == -1:
        num_classes = largest + 1
    elif largest >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    for d in range(ndim(self)):
        n[d] = sizes(self)[d]
    n[ndim(self)] = num_classes
    result = zeros(ndim(self) + 1, n, Int64)
    if numel(self) == 0:
        return result
    # each row of num_classes elements has a 1 at the position given by the index
    w.ndim = 1
    w.sizes[0] = numel(self)
    w.indexed[0] = num_classes * 8
    w.other[0] = 0
    w.index[0] = 8
    w.size = num_classes
    w.dim_stride = 8
    scatter_walked(&w, SCATTER_SET, result, index, scalar_tensor(1, Int64))
    return result
