"""Sums, products, means, and predicates over elements.

The computation has the dtype of the result: `dtype` if given, else the dtype of `out`, else the input's dtype,
with int64 for sums and products of integers. Elements are converted before they are added.
"""

from libc.stdint cimport uint64_t

from minitorch.core.dtype cimport (
    Bool, Complex32, Float32, Int64, NoType, UInt8, class_name, is_complex, is_float8, is_floating,
    is_integral, is_wide_unsigned)
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, data, empty, ndim, numel, read_sizes, sizes, sizes_tuple, wrap_number)
from minitorch.kernels.reduction.logic cimport all_kernel, any_kernel, count_nonzero_kernel
from minitorch.kernels.reduction.reduction cimport Reduction
from minitorch.kernels.reduction.sum cimport mean_kernel, nansum_kernel, prod_kernel, sum_kernel
from minitorch.ops.common.bools cimport plain_bools
from minitorch.ops.common.checks cimport CARRIED, FLOAT8, WIDE_UNSIGNED, reject_dtypes
from minitorch.ops.common.copy cimport cast
from minitorch.ops.common.output cimport check_can_cast
from minitorch.ops.common.type_names cimport check_out_dtype
from minitorch.ops.elementwise.division cimport div
from minitorch.ops.elementwise.compare cimport logical_not
from minitorch.ops.elementwise.unary cimport isnan
from minitorch.ops.reduction.plan cimport (
    RELEASE_GIL, deliver, elements_per_result, plan, read_dims, result_for)
from minitorch.ops.shape.complex_parts cimport real

ctypedef int (*SumKernel)(char* input, char* out, const Reduction* r, int in_dtype,
                          int out_dtype) noexcept nogil
ctypedef int (*LogicKernel)(char* input, char* out, const Reduction* r, int dtype) noexcept nogil


cdef TensorImpl _run(SumKernel kernel, TensorImpl self, uint64_t mask, bint keepdim,
                     TensorImpl result):
    """Reduce `self` into `result`, in the dtype of `result`."""
    cdef Reduction r
    cdef int missing, in_dtype, out_dtype = result.dtype
    cdef char* x
    cdef char* y = data(result)
    if is_complex(self.dtype) or is_complex(out_dtype) or out_dtype == Bool or is_wide_unsigned(self.dtype) or (
            is_float8(self.dtype)):
        self = cast(self, out_dtype)
    self = plain_bools(self)
    in_dtype = self.dtype
    x = data(self)
    plan(&r, self, mask, keepdim, result, None, False)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            missing = kernel(x, y, &r, in_dtype, out_dtype)
    else:
        missing = kernel(x, y, &r, in_dtype, out_dtype)
    if missing:
        raise NotImplementedError(f'"sum_cpu" not implemented for \'{class_name(out_dtype)}\'')
    return result


cdef inline int _sum_dtype(TensorImpl self, int dtype, TensorImpl out) noexcept:
    if dtype != NoType:
        return dtype
    if out is not None:
        return out.dtype
    return Int64 if is_integral(self.dtype) or self.dtype == Bool else self.dtype


cdef TensorImpl _reduce(SumKernel kernel, TensorImpl self, uint64_t mask, bint keepdim, int dtype,
                        TensorImpl out):
    dtype = _sum_dtype(self, dtype, out)
    if out is not None:
        check_out_dtype(out, dtype)
    if numel(self):
        reject_dtypes(dtype, CARRIED, "sum_cpu")
    return deliver(_run(kernel, self, mask, keepdim, result_for(self, mask, keepdim, dtype, out)),
                   out)


cdef TensorImpl sum_to_size(TensorImpl self, tuple size):
    cdef Py_ssize_t[MAX_DIMS] wanted
    cdef int d, n = read_sizes(size, wanted), lead = ndim(self) - n
    cdef uint64_t mask = 0
    cdef bint equal = lead == 0
    cdef TensorImpl result
    for d in range(n if lead >= 0 else 0):
        if wanted[d] != sizes(self)[lead + d]:
            equal = False
            if wanted[d] != 1:
                lead = -1
                break
            mask |= <uint64_t>1 << (lead + d)
    if lead < 0:
        raise RuntimeError(f"size {{{list(size)}}} is not expandable to size "
                           f"{{{list(sizes_tuple(self))}}}.")
    if equal:
        return self
    for d in range(lead):
        mask |= <uint64_t>1 << d
    result = empty(n, wanted, _sum_dtype(self, NoType, None))
    return _run(sum_kernel, self, mask, True, result)


cdef TensorImpl sum(TensorImpl self, object dim=None, bint keepdim=False, int dtype=NoType,
                    TensorImpl out=None):
    cdef uint64_t mask
    read_dims(dim, ndim(self), &mask)
    return _reduce(sum_kernel, self, mask, keepdim, dtype, out)


cdef TensorImpl nansum(TensorImpl self, object dim=None, bint keepdim=False, int dtype=NoType,
                       TensorImpl out=None):
    cdef uint64_t mask
    cdef int result
    read_dims(dim, ndim(self), &mask)
    if is_complex(self.dtype):
        raise RuntimeError("nansum on CPU does not support complex inputs")
    if is_integral(self.dtype) or self.dtype == Bool or numel(self) == 0:
        return _reduce(sum_kernel, self, mask, keepdim, dtype, out)
    result = _sum_dtype(self, dtype, out)
    reject_dtypes(result, CARRIED, "nansum_cpu")
    if dtype == NoType and not is_floating(result):
        raise NotImplementedError(f'"nansum_cpu" not implemented for \'{class_name(result)}\'')
    return _reduce(nansum_kernel, self, mask, keepdim, dtype, out)


cdef TensorImpl mean(TensorImpl self, object dim=None, bint keepdim=False, int dtype=NoType,
                     TensorImpl out=None):
    cdef uint64_t mask
    cdef TensorImpl total
    cdef Py_ssize_t count
    cdef int given = self.dtype if dtype == NoType else dtype
    if not (is_floating(given) or is_complex(given)):
        kind = "Input" if dtype == NoType else "Optional"
        raise RuntimeError(
            f"mean(): could not infer output dtype. {kind} dtype must be either a floating point "
            "or "
            f"complex dtype. Got: {class_name(given)}")
    read_dims(dim, ndim(self), &mask)
    if out is not None:
        # as in PyTorch, the sum has the dtype of `out`, and imaginary parts are dropped without a warning
        if not (is_floating(out.dtype) or is_complex(out.dtype)):
            check_can_cast(Float32, out.dtype)
        if is_complex(self.dtype) and is_floating(out.dtype):
            self = real(self)
    if is_complex(given) and out is None:
        # dividing by a complex number would turn the other part into nan if one part is infinite
        total = sum(self, dim, keepdim, given)
        count = elements_per_result(self, mask)
        return div(total, wrap_number(<Py_ssize_t>count), None, total)
    return _reduce(mean_kernel, self, mask, keepdim, given if out is None else dtype, out)


cdef TensorImpl nanmean(TensorImpl self, object dim=None, bint keepdim=False, int dtype=NoType,
                        TensorImpl out=None):
    cdef TensorImpl total
    if not (is_floating(self.dtype) or is_complex(self.dtype)):
        raise RuntimeError("nanmean(): expected input to have floating point or complex dtype but "
                           "got "
                           f"{class_name(self.dtype)}")
    total = nansum(self, dim, keepdim, dtype, out)
    return div(total, sum(logical_not(isnan(self)), dim, keepdim), None,
               out if out is not None else total)


cdef TensorImpl prod(TensorImpl self, int dtype=NoType, TensorImpl out=None):
    reject_dtypes(_sum_dtype(self, dtype, out), CARRIED, "prod_out_cpu")
    return _reduce(prod_kernel, self, ~(<uint64_t>0), False, dtype, out)


cdef TensorImpl prod_dim_int(TensorImpl self, Py_ssize_t dim, bint keepdim=False, int dtype=NoType,
                             TensorImpl out=None):
    cdef uint64_t mask
    read_dims(dim, ndim(self), &mask)
    reject_dtypes(_sum_dtype(self, dtype, out), CARRIED, "prod_out_cpu")
    return _reduce(prod_kernel, self, mask, keepdim, dtype, out)


# ---- predicates

cdef TensorImpl _logic(LogicKernel kernel, TensorImpl self, uint64_t mask, bint keepdim, int dtype,
                       TensorImpl out):
    cdef TensorImpl result = result_for(self, mask, keepdim, dtype, out)
    cdef Reduction r
    if is_float8(self.dtype) or self.dtype == Complex32:
        # the kernel tests bits
        self = cast(self, Bool)
    cdef char* x = data(self)
    cdef char* y = data(result)
    cdef int in_dtype = self.dtype
    plan(&r, self, mask, keepdim, result, None, False)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            kernel(x, y, &r, in_dtype)
    else:
        kernel(x, y, &r, in_dtype)
    return deliver(result, out)


cdef TensorImpl _all_or_any(LogicKernel kernel, TensorImpl self, object dim, bint keepdim,
                            TensorImpl out, str name):
    cdef uint64_t mask = 0
    cdef int dtype = UInt8 if self.dtype == UInt8 else Bool
    if out is not None:
        if out.dtype != Bool and out.dtype != UInt8:
            raise RuntimeError(f"{name} only supports bool tensor for result, got: "
                               f"{class_name(out.dtype)}")
        dtype = out.dtype
        if dtype == UInt8:
            self = cast(self, UInt8)
    if dim != ():
        read_dims(dim, ndim(self), &mask)
    return _logic(kernel, self, mask, keepdim, dtype, out)


cdef TensorImpl all(TensorImpl self, object dim=None, bint keepdim=False, TensorImpl out=None):
    return _all_or_any(all_kernel, self, dim, keepdim, out, "all")


cdef TensorImpl any(TensorImpl self, object dim=None, bint keepdim=False, TensorImpl out=None):
    return _all_or_any(any_kernel, self, dim, keepdim, out, "any")


cdef TensorImpl count_nonzero(TensorImpl self, object dim=None):
    cdef uint64_t mask
    read_dims(dim, ndim(self), &mask)
    if numel(self) and (dim is None or dim == ()):
        reject_dtypes(self.dtype, WIDE_UNSIGNED | FLOAT8, "nonzero_count_cpu")
    return _logic(count_nonzero_kernel, self, mask, False, Int64, None)
