"""Cumulative sums, products, extremes and logsumexp."""

from minitorch.core.dtype cimport (
    Bool, Int64, NoType, c_name, class_name, is_complex, is_floating, is_integral)
from minitorch.core.overlap cimport assert_no_partial_overlap
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, empty, is_contiguous, ndim, numel, sizes, wrap_dim)
from minitorch.kernels.reduction.scan cimport (
    cummax_kernel, cummin_kernel, cumprod_kernel, cumsum_kernel, logcumsumexp_kernel)
from minitorch.ops.common.bools cimport plain_bools
from minitorch.ops.common.checks cimport CARRIED, not_implemented, reject_dtypes
from minitorch.ops.common.copy cimport cast, clone, contiguous, copy_, zero_
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.common.rows cimport Rows, rows_of
from minitorch.ops.common.type_names cimport check_out_dtype

cdef enum:
    RELEASE_GIL = 50000                 # elements from which a kernel runs without the GIL

ctypedef int (*Scan)(char* input, char* out, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner,
                     int dtype) noexcept nogil
ctypedef int (*IndexedScan)(char* input, char* values, char* indices, Py_ssize_t outer,
                            Py_ssize_t n, Py_ssize_t inner, int dtype) noexcept nogil


cdef TensorImpl _row_major(TensorImpl self, int dtype, TensorImpl out):
    """Return row-major memory with the sizes of self: `out`, resized, if it can be used, else new memory."""
    if out is not None:
        resize_output(out, ndim(self), sizes(self))
        if out.dtype == dtype and is_contiguous(out) and out.storage != self.storage:
            return out
    return empty(ndim(self), sizes(self), dtype)


cdef inline TensorImpl _deliver(TensorImpl result, TensorImpl out):
    return result if out is None or out is result else copy_(out, result)


cdef TensorImpl _scan(Scan kernel, TensorImpl self, int dim, TensorImpl out):
    cdef Rows rows = rows_of(self, dim)
    cdef TensorImpl result
    cdef int dtype = self.dtype
    cdef char* x
    cdef char* y
    if out is not None:
        assert_no_partial_overlap(out, self)
    result = _row_major(self, self.dtype, out)
    self = contiguous(self)
    x, y = data(self), data(result)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            kernel(x, y, rows.outer, rows.n, rows.inner, dtype)
    else:
        kernel(x, y, rows.outer, rows.n, rows.inner, dtype)
    return _deliver(result, out)


cdef TensorImpl _cumulate(Scan kernel, TensorImpl self, Py_ssize_t dim, int dtype, TensorImpl out,
                          str name):
    cdef int d = wrap_dim(dim, ndim(self))
    if out is self and dtype != NoType and dtype != self.dtype:
        raise RuntimeError(f"Bad in-place call: input tensor dtype {c_name(self.dtype)} and output tensor "
                           f"dtype {c_name(dtype)} should match")
    if out is not None and dtype != NoType:
        check_out_dtype(out, dtype)
    if dtype == NoType:
        if out is not None:
            dtype = out.dtype
        elif is_integral(self.dtype) or self.dtype == Bool:
            dtype = Int64
        else:
            dtype = self.dtype
    if numel(self) and ndim(self):       # otherwise there is nothing to compute
        if dtype == Bool:
            raise not_implemented(name, Bool)
        reject_dtypes(dtype, CARRIED, name)
    if ndim(self) == 0:
        # a copy: multiplying by 1 would turn an infinite complex number into nan
        if out is None:
            return clone(cast(self, dtype))
        resize_output(out, 0, NULL)
        return copy_(out, cast(self, dtype))
    return _scan(kernel, cast(self, dtype), d, out)


cdef TensorImpl cumsum(TensorImpl self, Py_ssize_t dim, int dtype=NoType, TensorImpl out=None):
    return _cumulate(cumsum_kernel, self, dim, dtype, out, "cumsum_out_cpu")


cdef TensorImpl cumprod(TensorImpl self, Py_ssize_t dim, int dtype=NoType, TensorImpl out=None):
    return _cumulate(cumprod_kernel, self, dim, dtype, out, "cumprod_out_cpu")


cdef TensorImpl logcumsumexp(TensorImpl self, Py_ssize_t dim, TensorImpl out=None):
    cdef int d = wrap_dim(dim, ndim(self))
    if not (is_floating(self.dtype) or is_complex(self.dtype)):
        raise not_implemented("logcumsumexp_out_cpu", self.dtype)
    reject_dtypes(self.dtype, CARRIED, "logcumsumexp_out_cpu")
    if out is not None and out.dtype != self.dtype:
        raise RuntimeError(f"expected scalar_type {class_name(self.dtype)} but found "
                           f"{class_name(out.dtype)}")
    return _scan(logcumsumexp_kernel, self, d, out)


cdef tuple _extremes(IndexedScan kernel, TensorImpl self, Py_ssize_t dim, TensorImpl values,
                     TensorImpl indices, str name):
    cdef int d, dtype = self.dtype
    cdef Rows rows
    cdef TensorImpl new_values, new_indices
    if ndim(self) == 0 and not -1 <= dim <= 0:
        raise IndexError(f"{name[:6]}(): Expected reduction dim -1 or 0 for scalar but got {dim}")
    # the dimension of an empty tensor is not checked
    d = wrap_dim(dim, ndim(self)) if numel(self) else 0
    cdef char* x
    cdef char* y
    cdef char* k
    if values is not None:
        if values.dtype != dtype:
            raise RuntimeError(f"expected scalar_type {class_name(dtype)} but found "
                               f"{class_name(values.dtype)}")
        if indices.dtype != Int64:
            raise RuntimeError(f"expected scalar_type Long but found {class_name(indices.dtype)}")
    if numel(self) and ndim(self):
        if is_complex(dtype):
            raise not_implemented(name, dtype)
        reject_dtypes(dtype, CARRIED, name)
    self = plain_bools(self)
    rows = rows_of(self, d)
    new_values = _row_major(self, dtype, values)
    new_indices = _row_major(self, Int64, indices)
    if ndim(self) == 0:
        copy_(new_values, self)
        zero_(new_indices)
        return _deliver(new_values, values), _deliver(new_indices, indices)
    self = contiguous(self)
    x, y, k = data(self), data(new_values), data(new_indices)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            kernel(x, y, k, rows.outer, rows.n, rows.inner, dtype)
    else:
        kernel(x, y, k, rows.outer, rows.n, rows.inner, dtype)
    return _deliver(new_values, values), _deliver(new_indices, indices)


cdef tuple cummax(TensorImpl self, Py_ssize_t dim, TensorImpl values=None, TensorImpl indices=None):
    return _extremes(cummax_kernel, self, dim, values, indices, "cummax_cpu")


cdef tuple cummin(TensorImpl self, Py_ssize_t dim, TensorImpl values=None, TensorImpl indices=None):
    return _extremes(cummin_kernel, self, dim, values, indices, "cummin_cpu")
