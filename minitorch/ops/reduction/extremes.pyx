"""Maxima and minima, with and without their positions.

An empty set has no extreme. So every operator checks that the dimensions it reduces have elements before anything
is written.
"""

from libc.stdint cimport uint64_t

from minitorch.core.dtype cimport Bool, Int64, class_name, is_complex
from minitorch.core.tensor_impl cimport TensorImpl, data, ndim, numel, sizes, wrap_dim
from minitorch.kernels.reduction.extremes cimport (
    amax_kernel, amin_kernel, max_with_index_kernel, min_with_index_kernel)
from minitorch.kernels.reduction.reduction cimport Reduction
from minitorch.ops.common.bools cimport plain_bools
from minitorch.ops.common.checks cimport CARRIED, not_implemented, reject_dtypes
from minitorch.ops.common.type_names cimport check_out_dtype
from minitorch.ops.reduction.plan cimport RELEASE_GIL, deliver, plan, read_dims, result_for

ctypedef int (*Extreme)(char* input, char* out, const Reduction* r, int dtype) noexcept nogil
ctypedef int (*IndexedExtreme)(char* input, char* values, char* indices, const Reduction* r,
                               int dtype) noexcept nogil


# ---- checks

cdef int _check_not_empty(TensorImpl self, object dim, str name) except -1:
    """Raise if a reduced dimension is empty; `dim` is None, an int or a tuple."""
    cdef int d
    if numel(self):
        return 0
    if dim is None or dim == ():
        raise RuntimeError(f"{name}(): Expected reduction dim to be specified for input.numel() == "
                           "0. "
                           "Specify the reduction dim with the 'dim' argument.")
    for item in (dim,) if isinstance(dim, int) else dim:
        d = wrap_dim(item, ndim(self))
        if ndim(self) and sizes(self)[d] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {item} to have non-zero size.")
    return 0


cdef int _check_real(TensorImpl self, str kernel) except -1:
    if is_complex(self.dtype):
        raise not_implemented(kernel, self.dtype)
    return reject_dtypes(self.dtype, CARRIED, kernel)


# ---- the two walks

cdef TensorImpl _extreme(Extreme kernel, TensorImpl self, uint64_t mask, bint keepdim,
                         TensorImpl out):
    cdef TensorImpl result = result_for(self, mask, keepdim, self.dtype, out)
    cdef Reduction r
    cdef char* x = data(self)
    cdef char* y = data(result)
    cdef int dtype = self.dtype
    plan(&r, self, mask, keepdim, result, None, False)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            kernel(x, y, &r, dtype)
    else:
        kernel(x, y, &r, dtype)
    return deliver(result, out)


cdef int _indexed(IndexedExtreme kernel, TensorImpl self, uint64_t mask, bint keepdim,
                  TensorImpl values, TensorImpl indices) except -1:
    """Reduce `self` into `values` (may be None) and `indices`."""
    cdef Reduction r
    cdef char* x = data(self)
    cdef char* y = data(values) if values is not None else NULL
    cdef char* k = data(indices)
    cdef int dtype = self.dtype
    plan(&r, self, mask, keepdim, values if values is not None else indices, indices, True)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            kernel(x, y, k, &r, dtype)
    else:
        kernel(x, y, k, &r, dtype)
    return 0


# ---- values

cdef TensorImpl _amax_or_amin(Extreme kernel, TensorImpl self, object dim, bint keepdim,
                              TensorImpl out, str name, str kernel_name):
    cdef uint64_t mask
    if out is not None and out.dtype != self.dtype:
        raise RuntimeError(
            f"Expected the dtype for input and out to match, but got {class_name(self.dtype)} for "
            f"input's dtype and {class_name(out.dtype)} for out's dtype.")
    _check_not_empty(self, dim, name)
    read_dims(dim, ndim(self), &mask)
    if numel(self):
        _check_real(self, kernel_name)
    return _extreme(kernel, self, mask, keepdim, out)


cdef TensorImpl amax(TensorImpl self, object dim=None, bint keepdim=False, TensorImpl out=None):
    return _amax_or_amin(amax_kernel, self, dim, keepdim, out, "amax", "max_values_cpu")


cdef TensorImpl amin(TensorImpl self, object dim=None, bint keepdim=False, TensorImpl out=None):
    return _amax_or_amin(amin_kernel, self, dim, keepdim, out, "amin", "min_values_cpu")


cdef TensorImpl max(TensorImpl self, TensorImpl out=None):
    _check_not_empty(self, None, "max")
    _check_real(self, "max_all")
    return _extreme(amax_kernel, self, ~(<uint64_t>0), False, out)


cdef TensorImpl min(TensorImpl self, TensorImpl out=None):
    _check_not_empty(self, None, "min")
    _check_real(self, "min_all")
    return _extreme(amin_kernel, self, ~(<uint64_t>0), False, out)


cdef tuple aminmax(TensorImpl self, object dim=None, bint keepdim=False, TensorImpl min=None,
                   TensorImpl max=None):
    cdef uint64_t mask
    cdef int d
    read_dims(dim, ndim(self), &mask)
    if dim is not None:
        d = wrap_dim(dim, ndim(self))
        if ndim(self) and sizes(self)[d] == 0:
            raise IndexError(f"aminmax: Expected reduction dim {d} to have non-zero size.")
    elif numel(self) == 0:
        raise RuntimeError("aminmax(): cannot compute aminmax over an empty dimension as the "
                           "operation "
                           "has no identity.")
    _check_real(self, "aminmax_cpu")
    if min is not None:
        check_out_dtype(min, self.dtype)
    if max is not None:
        check_out_dtype(max, self.dtype)
    return (_extreme(amin_kernel, self, mask, keepdim, min),
            _extreme(amax_kernel, self, mask, keepdim, max))


# ---- positions

cdef tuple _dim(IndexedExtreme kernel, TensorImpl self, Py_ssize_t dim, bint keepdim,
                TensorImpl values, TensorImpl indices, str name):
    cdef uint64_t mask
    cdef TensorImpl new_values, new_indices
    cdef int d = wrap_dim(dim, ndim(self))
    if ndim(self) and sizes(self)[d] == 0:
        raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
    if is_complex(self.dtype):
        raise RuntimeError(f"{name}(): does not support complex input")
    if numel(self):
        reject_dtypes(self.dtype, CARRIED, f"{name}_cpu")
    if values is not None:
        check_out_dtype(values, self.dtype)
        check_out_dtype(indices, Int64)
    self = plain_bools(self)
    read_dims(dim, ndim(self), &mask)
    new_values = result_for(self, mask, keepdim, self.dtype, values)
    new_indices = result_for(self, mask, keepdim, Int64, indices)
    _indexed(kernel, self, mask, keepdim, new_values, new_indices)
    return deliver(new_values, values), deliver(new_indices, indices)


cdef tuple max_dim(TensorImpl self, Py_ssize_t dim, bint keepdim=False, TensorImpl values=None,
                   TensorImpl indices=None):
    return _dim(max_with_index_kernel, self, dim, keepdim, values, indices, "max")


cdef tuple min_dim(TensorImpl self, Py_ssize_t dim, bint keepdim=False, TensorImpl values=None,
                   TensorImpl indices=None):
    return _dim(min_with_index_kernel, self, dim, keepdim, values, indices, "min")


cdef TensorImpl _arg(IndexedExtreme kernel, TensorImpl self, object dim, bint keepdim,
                     TensorImpl out,
                     str name):
    cdef uint64_t mask
    cdef TensorImpl result
    cdef int d
    if is_complex(self.dtype):
        raise RuntimeError(f"{name}(): does not support complex input")
    if self.dtype == Bool:
        raise RuntimeError(f"{name}(): does not support bool input")
    reject_dtypes(self.dtype, CARRIED, f"{name}_cpu")
    if dim is not None:
        d = wrap_dim(dim, ndim(self))
        if ndim(self) and sizes(self)[d] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
    elif numel(self) == 0:
        raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == "
                         "0.")
    if out is not None:
        check_out_dtype(out, Int64)
    read_dims(dim, ndim(self), &mask)
    result = result_for(self, mask, keepdim, Int64, out)
    _indexed(kernel, self, mask, keepdim, None, result)
    return deliver(result, out)


cdef TensorImpl argmax(TensorImpl self, object dim=None, bint keepdim=False, TensorImpl out=None):
    return _arg(max_with_index_kernel, self, dim, keepdim, out, "argmax")


cdef TensorImpl argmin(TensorImpl self, object dim=None, bint keepdim=False, TensorImpl out=None):
    return _arg(min_with_index_kernel, self, dim, keepdim, out, "argmin")
