"""masked_select, masked_scatter, nonzero: one pass to count, one pass to move elements; masked_fill."""

import warnings

from libc.string cimport memcpy

from minitorch.core.dtype cimport Bool, Int64, UInt8, c_name, class_name, itemsizes
from minitorch.core.iterator cimport TensorIterator, infer_shape
from minitorch.core.overlap cimport assert_no_internal_overlap, assert_no_overlap, has_internal_overlap
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, SizesAndStrides, TensorImpl, as_strided_impl, data, empty, ndim, numel, sizes,
    sizes_tuple, strides)
from minitorch.kernels.common cimport table
from minitorch.kernels.indexing.masked cimport (
    count_nonzero, masked_scatter as scatter_kernel, masked_select as select_kernel,
    nonzero as nonzero_kernel)
from minitorch.ops.common.addresses cimport byte_strides
from minitorch.ops.common.bulk cimport RELEASE_GIL, zeros_tuple
from minitorch.ops.common.checks cimport CARRIED, FLOAT8, WIDE_UNSIGNED, reject_dtypes
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, clone, contiguous, copy_
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.common.scalar cimport item as item_of, scalar_tensor
from minitorch.ops.creation.factory cimport zeros_like
from minitorch.ops.elementwise.pointwise cimport MASKED, ternary
from minitorch.ops.shape.slices cimport select_dim
from minitorch.ops.shape.views cimport broadcast_tensors, expand, expand_as, unsqueeze


cdef Py_ssize_t _count(TensorImpl t) noexcept:
    cdef Py_ssize_t[MAX_DIMS] s
    cdef char* p = data(t)
    cdef Py_ssize_t* n = sizes(t)
    cdef int dtype = t.dtype, dims = ndim(t)
    cdef Py_ssize_t count
    byte_strides(t, s)
    if numel(t) < RELEASE_GIL:
        return count_nonzero(dtype, dims, n, p, s)
    with nogil:
        count = count_nonzero(dtype, dims, n, p, s)
    return count


# ---- masks

cdef TensorImpl masked_select(TensorImpl self, TensorImpl mask, TensorImpl out=None):
    cdef Py_ssize_t[MAX_DIMS] s
    cdef Py_ssize_t[MAX_DIMS] m
    cdef Py_ssize_t total
    cdef TensorImpl result
    cdef char* of
    cdef char* by
    cdef char* to
    cdef Py_ssize_t* n
    cdef Py_ssize_t item = itemsizes[self.dtype]
    cdef int dims
    if mask.dtype != Bool:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    if out is not None:
        if out.dtype != self.dtype:
            raise RuntimeError("masked_select(): self and result must have the same scalar type")
        assert_no_internal_overlap(out)
        assert_no_overlap(out, self)
        assert_no_overlap(out, mask)
    mask, self = broadcast_tensors([mask, self])
    if numel(self):
        reject_dtypes(self.dtype, WIDE_UNSIGNED, "masked_select")
    total = _count(mask)
    if out is None:
        result = empty(1, &total, self.dtype)
    else:
        resize_output(out, 1, &total)
        result = contiguous(out)
    byte_strides(self, s)
    byte_strides(mask, m)
    of = data(self)
    by = data(mask)
    to = data(result)
    n = sizes(self)
    dims = ndim(self)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            select_kernel(dims, n, of, s, by, m, to, total, item)
    else:
        select_kernel(dims, n, of, s, by, m, to, total, item)
    return result if out is None or result is out else copy_(out, result)


cdef TensorImpl masked_select_backward(TensorImpl grad, TensorImpl input, TensorImpl mask):
    # has the broadcast shape; the engine sums it to the shape of the input
    cdef TensorImpl result = zeros_like(broadcast_tensors([input, mask])[0], grad.dtype)
    return masked_scatter(result, mask, grad, result)


cdef TensorImpl masked_scatter(TensorImpl self, TensorImpl mask, TensorImpl source,
                               TensorImpl out=None):
    cdef Py_ssize_t[MAX_DIMS] s
    cdef Py_ssize_t[MAX_DIMS] m
    cdef char* to
    cdef char* by
    cdef char* of
    cdef Py_ssize_t* n
    cdef Py_ssize_t item = itemsizes[self.dtype]
    cdef int dims
    if out is None:
        # out of place, self and mask are broadcast against each other; in place, only the mask is expanded
        mask, self = broadcast_tensors([mask, self])
    if self.dtype != source.dtype:
        raise RuntimeError("masked_scatter: expected self and source to have same dtypes but got"
                           f"{class_name(self.dtype)} and {class_name(source.dtype)}")
    if out is not None:
        if ndim(mask) > ndim(self):
            raise RuntimeError(
                f"expand(CPU{class_name(mask.dtype)}Type{{{list(sizes_tuple(mask))}}}, "
                f"size={list(sizes_tuple(self))}): the number of sizes provided ({ndim(self)}) "
                "must be greater or equal to the number of dimensions in the tensor "
                f"({ndim(mask)})")
        mask = expand_as(mask, self)
    if mask.dtype != Bool:
        if mask.dtype == UInt8:
            warnings.warn(
                "masked_scatter_ received a mask with dtype torch.uint8, this behavior is now "
                "deprecated,please use a mask with dtype torch.bool instead.", UserWarning, 1)
        raise RuntimeError("masked_scatter_ only supports boolean masks, but got mask with dtype "
                           f"{class_name(mask.dtype)}")
    if out is not None:
        assert_no_internal_overlap(out)
    if _count(mask) > numel(source):
        raise RuntimeError("Number of elements of source < number of ones in mask")
    reject_dtypes(self.dtype, CARRIED, "masked_scatter")
    source = contiguous(source)
    if out is None:
        out = clone(self, CONTIGUOUS_FORMAT)
    byte_strides(out, s)
    byte_strides(mask, m)
    to = data(out)
    by = data(mask)
    of = data(source)
    n = sizes(out)
    dims = ndim(out)
    if numel(out) >= RELEASE_GIL:
        with nogil:
            scatter_kernel(dims, n, to, s, by, m, of, item)
    else:
        scatter_kernel(dims, n, to, s, by, m, of, item)
    return out


cdef TensorImpl _masked_fill_expanded(TensorImpl self, TensorImpl mask, TensorImpl element):
    """Fill a tensor that contains elements more than once, and give a warning."""
    cdef Py_ssize_t[MAX_DIMS] s
    cdef Py_ssize_t[MAX_DIMS] m
    cdef TensorImpl source
    warnings.warn(
        "Use of masked_fill_ on expanded tensors is deprecated. Please clone() the tensor before "
        "performing this operation. This also applies to advanced indexing e.g. tensor[mask] = "
        "scalar", UserWarning, 1)
    mask = expand_as(mask, self)
    source = contiguous(expand(element, (_count(mask),)))
    byte_strides(self, s)
    byte_strides(mask, m)
    scatter_kernel(ndim(self), sizes(self), data(self), s, data(mask), m, data(source),
                   itemsizes[self.dtype])
    return self


cdef TensorImpl masked_fill(TensorImpl self, TensorImpl mask, TensorImpl value,
                            TensorImpl out=None):
    cdef TensorImpl element
    cdef TensorIterator it
    cdef SizesAndStrides* inputs[2]
    if ndim(value) != 0:
        raise RuntimeError("masked_fill_ only supports a 0-dimensional value tensor, but got "
                           f"tensor with {ndim(value)} dimension(s).")
    if mask.dtype != Bool:
        if out is None:
            inputs[0], inputs[1] = mask.geometry, self.geometry
            infer_shape(&it, 2, inputs)
        raise RuntimeError("masked_fill_ only supports boolean masks, but got mask with dtype "
                           f"{c_name(mask.dtype)}")
    reject_dtypes(self.dtype, WIDE_UNSIGNED | FLOAT8, "masked_fill")
    element = scalar_tensor(item_of(value), self.dtype)
    # the error message lists the operands in this order
    inputs[0] = mask.geometry if out is None else self.geometry
    inputs[1] = self.geometry if out is None else mask.geometry
    infer_shape(&it, 2, inputs)
    if out is None:
        out = empty(it.shape_ndim, it.shape, self.dtype)
    elif out.geometry.numel and has_internal_overlap(out):
        return _masked_fill_expanded(out, mask, element)
    return ternary(table.WHERE, mask, element, self, MASKED, "masked_fill", NULL, out)


cdef TensorImpl masked_scatter_backward(TensorImpl grad_output, TensorImpl mask, tuple sizes):
    # elements of source beyond those that the mask used have a zero gradient
    cdef TensorImpl result = zeros_tuple(sizes, grad_output.dtype)
    cdef TensorImpl used = masked_select(grad_output, mask)
    if numel(used):
        memcpy(data(result), data(used),
               min(numel(used), numel(result)) * itemsizes[result.dtype])
    return result


# ---- positions

cdef TensorImpl nonzero(TensorImpl self, TensorImpl out=None):
    cdef Py_ssize_t[2] n
    cdef Py_ssize_t[2] columns
    cdef Py_ssize_t[MAX_DIMS] s
    cdef TensorImpl result
    cdef Py_ssize_t row_stride, col_stride, total
    cdef char* to
    cdef char* of
    cdef Py_ssize_t* shape = sizes(self)
    cdef int dtype = self.dtype, dims = ndim(self)
    if out is not None:
        if out.dtype != Int64:
            raise RuntimeError("nonzero: Expected out tensor to have scalar type Long but got "
                               f"scalar type{class_name(out.dtype)}")
        assert_no_internal_overlap(out)
        assert_no_overlap(out, self)
    reject_dtypes(dtype, WIDE_UNSIGNED | FLOAT8, "nonzero_count_cpu")
    n[0] = total = _count(self)
    n[1] = dims
    columns[0] = 1
    columns[1] = total
    if out is not None:
        resize_output(out, 2, n, columns)
        result = out
    else:
        result = empty(2, n, Int64)
        result = as_strided_impl(result, 2, n, columns, 0)
    byte_strides(self, s)
    to = data(result)
    of = data(self)
    row_stride = strides(result)[0] * 8
    col_stride = strides(result)[1] * 8
    if numel(self) >= RELEASE_GIL:
        with nogil:
            nonzero_kernel(dtype, dims, shape, of, s, to, row_stride, col_stride, total)
    else:
        nonzero_kernel(dtype, dims, shape, of, s, to, row_stride, col_stride, total)
    return result


cdef tuple nonzero_numpy(TensorImpl self):
    cdef TensorImpl positions
    # a 0-dim tensor is treated like a tensor of shape (1,)
    if ndim(self) == 0:
        self = unsqueeze(self, 0)
    positions = nonzero(self)
    return tuple([select_dim(positions, 1, d) for d in range(ndim(self))])


cdef TensorImpl argwhere(TensorImpl self):
    return nonzero(self)
