"""Variances, norms, logsumexp."""

import warnings

from libc.stdint cimport uint64_t

from minitorch.core.dtype cimport (
    Complex32, Complex64, Float32, NoType, class_name, get_default_dtype, is_complex, is_float8, is_floating,
    is_reduced_floating, promote_types, to_real)
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, empty, ndim, numel, sizes, wrap_dim, wrap_number)
from minitorch.kernels.reduction.moments cimport logsumexp_kernel, var_kernel
from minitorch.kernels.reduction.norm cimport norm_kernel
from minitorch.kernels.reduction.reduction cimport Reduction
from minitorch.ops.common.checks cimport FLOAT8, reject_dtypes
from minitorch.ops.common.copy cimport cast, copy_
from minitorch.ops.common.output cimport check_can_cast, resize_output
from minitorch.ops.common.type_names cimport check_out_dtype
from minitorch.ops.elementwise.binary cimport add, mul, sub
from minitorch.ops.elementwise.division cimport div
from minitorch.ops.elementwise.compare cimport eq, gt
from minitorch.ops.elementwise.ternary cimport where
from minitorch.ops.elementwise.unary cimport abs, exp, log, sqrt
from minitorch.ops.indexing.masked cimport masked_fill
from minitorch.ops.reduction.extremes cimport amax
from minitorch.ops.reduction.plan cimport (
    RELEASE_GIL, deliver, elements_per_result, plan, read_dims, result_for)
from minitorch.ops.reduction.reduction cimport sum
from minitorch.ops.shape cimport complex_parts
from minitorch.ops.shape.views cimport squeeze_dims

from minitorch.core.once import line_outside


# ---- variance

cdef int _var(TensorImpl self, uint64_t mask, double correction, bint keepdim, bint root,
              TensorImpl result, TensorImpl mean) except -1:
    """Compute the variance (or its root) of a real input, and the mean unless `mean` is None."""
    cdef Reduction r
    cdef char* x = data(self)
    cdef char* y = data(result)
    cdef char* m = data(mean) if mean is not None else NULL
    cdef int dtype = self.dtype
    plan(&r, self, mask, keepdim, result, mean, False)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            var_kernel(x, y, m, &r, dtype, correction, root)
    else:
        var_kernel(x, y, m, &r, dtype, correction, root)
    return 0


cdef tuple _var_mean(TensorImpl self, object dim, object correction, bint keepdim, bint root,
                     bint with_mean, TensorImpl out, str name):
    """Return (variance or its root, mean or None)."""
    cdef uint64_t mask
    cdef double minus = 1 if correction is None else correction
    cdef TensorImpl result, mean = None, real_mean, imag_mean, other
    cdef int dtype = to_real(self.dtype)
    if not (is_floating(self.dtype) or is_complex(self.dtype)):
        raise RuntimeError(f"{name if with_mean else 'std and var'} only support floating point "
                           "and "
                           "complex dtypes")
    read_dims(dim, ndim(self), &mask)
    if is_float8(self.dtype) and not with_mean and (numel(self) and numel(self) == elements_per_result(self, mask)):
        raise RuntimeError(f"std_var_all: Unsupported dtype {class_name(self.dtype)}")
    reject_dtypes(self.dtype, FLOAT8, "std_cpu")
    if out is not None:
        check_can_cast(dtype, out.dtype)
        if is_complex(out.dtype):
            raise NotImplementedError(f'"std_cpu" not implemented for \'{class_name(out.dtype)}\'')
        if not is_complex(self.dtype):
            dtype = out.dtype
            self = cast(self, dtype)
    result = result_for(self, mask, keepdim, dtype, out)
    if (elements_per_result(self, mask) if numel(result) else 0) <= minus:
        warnings.warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the "
            "reduction factor (input numel divided by output numel).", UserWarning, line_outside())
    if is_complex(self.dtype):
        # E
        # z - m
        # ^2 is the sum of the variances of the real and imaginary parts
        other = result_for(self, mask, keepdim, dtype, None)
        if with_mean:
            real_mean = result_for(self, mask, keepdim, dtype, None)
            imag_mean = result_for(self, mask, keepdim, dtype, None)
        else:
            real_mean = imag_mean = None
        _var(complex_parts.real(self), mask, minus, keepdim, False, result, real_mean)
        _var(complex_parts.imag(self), mask, minus, keepdim, False, other, imag_mean)
        add(result, other, 1, result)
        if root:
            sqrt(result, result)
        if with_mean:
            mean = complex_parts.complex(real_mean, imag_mean)
    else:
        if with_mean:
            mean = result_for(self, mask, keepdim, dtype, None)
        _var(self, mask, minus, keepdim, root, result, mean)
    return deliver(result, out), mean


cdef TensorImpl var(TensorImpl self, object dim=None, object correction=None, bint keepdim=False,
                    TensorImpl out=None):
    return _var_mean(self, dim, correction, keepdim, False, False, out, "var")[0]


cdef TensorImpl std(TensorImpl self, object dim=None, object correction=None, bint keepdim=False,
                    TensorImpl out=None):
    return _var_mean(self, dim, correction, keepdim, True, False, out, "std")[0]


cdef tuple var_mean(TensorImpl self, object dim=None, object correction=None, bint keepdim=False):
    return _var_mean(self, dim, correction, keepdim, False, True, None, "var_mean")


cdef tuple std_mean(TensorImpl self, object dim=None, object correction=None, bint keepdim=False):
    return _var_mean(self, dim, correction, keepdim, True, True, None, "std_mean")


# ---- norms

cdef int _check_norm_dtype(TensorImpl self, int dtype, str name) except -1:
    if dtype == NoType:
        return 0
    if not (is_floating(dtype) or is_complex(dtype)):
        raise RuntimeError(f"{name}: dtype should be floating point or complex, but got "
                           f"{class_name(dtype)}")
    if is_complex(self.dtype) != is_complex(dtype):
        kind = "complex" if is_complex(self.dtype) else "real"
        raise RuntimeError(f"{name}: dtype should be {kind} for {kind} inputs, but got "
                           f"{class_name(dtype)}")
    if promote_types(self.dtype, dtype) != dtype:
        raise RuntimeError(
            f"{name}: the dtype of the input ({class_name(self.dtype)}) should be convertible "
            "without "
            f"narrowing to the specified dtype ({class_name(dtype)})")
    return 0


cdef int _check_norm_of_nothing(TensorImpl self, double p, object dim) except -1:
    """Raise for a norm that is an extreme and has no elements."""
    cdef int d
    if numel(self) or (p >= 0 and p != float("inf")):
        return 0
    if dim is None or dim == ():
        raise RuntimeError(f"linalg.vector_norm cannot compute the {p:g} norm on an empty tensor "
                           "because the operation does not have an identity")
    for item in (dim,) if isinstance(dim, int) else dim:
        d = wrap_dim(item, ndim(self))
        if ndim(self) and sizes(self)[d] == 0:
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {p:g} norm on the dimension {item}because "
                "this "
                "dimension is empty and the operation does not have an identity")
    return 0


cdef bint _reduces_nothing(TensorImpl self, uint64_t mask) noexcept:
    """Return whether all reduced dimensions have size 1."""
    cdef int d
    for d in range(ndim(self)):
        if mask >> d & 1 and sizes(self)[d] != 1:
            return False
    return True


cdef TensorImpl linalg_vector_norm(TensorImpl self, object ord=2, object dim=None,
                                   bint keepdim=False,
                                   int dtype=NoType, TensorImpl out=None):
    cdef uint64_t mask
    cdef Reduction r
    cdef TensorImpl result
    cdef double p
    cdef char* x
    cdef char* y
    cdef int of, to
    if not (is_floating(self.dtype) or is_complex(self.dtype)):
        raise RuntimeError("linalg.vector_norm: Expected a floating point or complex tensor as "
                           "input. "
                           f"Got {class_name(self.dtype)}")
    if isinstance(ord, complex):
        raise RuntimeError("linalg.vector_norm: Expected a non-complex scalar as the order of "
                           "norm.")
    p = ord
    _check_norm_dtype(self, dtype, "linalg.vector_norm")
    _check_norm_of_nothing(self, p, dim)
    read_dims(dim, ndim(self), &mask)
    of = self.dtype if dtype == NoType else dtype
    to = to_real(of)
    if out is not None:
        check_out_dtype(out, to)
    reject_dtypes(of, FLOAT8, "norm_cpu")
    if of == Complex32:
        result = cast(linalg_vector_norm(self, ord, dim, keepdim, Complex64), to)
        if out is None:
            return result
        resize_output(out, ndim(result), sizes(result))
        return copy_(out, result)
    self = cast(self, of)
    result = result_for(self, mask, keepdim, to, out)
    if p != 0 and _reduces_nothing(self, mask):
        # the absolute value, without a power that could overflow
        self = abs(self)
        if not keepdim:
            self = squeeze_dims(self, tuple([d for d in range(ndim(self)) if mask >> d & 1]))
        copy_(result, self)
        return deliver(result, out)
    x = data(self)
    y = data(result)
    plan(&r, self, mask, keepdim, result, None, False)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            norm_kernel(x, y, &r, of, to, p)
    else:
        norm_kernel(x, y, &r, of, to, p)
    return deliver(result, out)


cdef TensorImpl norm(TensorImpl self, object p=None, object dim=None, bint keepdim=False,
                     int dtype=NoType, TensorImpl out=None):
    if not (is_floating(self.dtype) or is_complex(self.dtype)):
        raise RuntimeError("norm(): input dtype should be either floating point or complex. Got "
                           f"{class_name(self.dtype)} instead.")
    return linalg_vector_norm(self, 2 if p is None else p, dim, keepdim, dtype, out)


# ---- logsumexp

cdef TensorImpl _logsumexp_in_steps(TensorImpl self, object dim, bint keepdim):
    cdef TensorImpl largest, result
    cdef tuple dims = tuple(range(ndim(self))) if dim is None or dim == () else dim
    if numel(self):
        largest = complex_parts.real(self) if is_complex(self.dtype) else self
        largest = amax(largest, dims, True)
        largest = masked_fill(largest, eq(abs(largest), wrap_number(float("inf"))), wrap_number(0))
        result = add(log(sum(exp(sub(self, largest)), dims, True)), largest)
        return result if keepdim else squeeze_dims(result, dims)
    return log(sum(exp(self), dims, keepdim))


cdef TensorImpl logsumexp(TensorImpl self, object dim, bint keepdim=False, TensorImpl out=None):
    cdef uint64_t mask
    cdef Reduction r
    cdef TensorImpl result
    cdef char* x
    cdef char* y
    cdef int dtype = self.dtype
    if out is not None and not (is_floating(out.dtype) or is_complex(out.dtype)):
        raise RuntimeError("logsumexp(): Expected floating point type for result tensor, but got: "
                           f"{class_name(out.dtype)}")
    read_dims(dim, ndim(self), &mask)
    if is_complex(dtype):
        result = _logsumexp_in_steps(self, (dim,) if isinstance(dim, int) else dim, keepdim)
        if out is None:
            return result
        resize_output(out, ndim(result), sizes(result))
        return copy_(out, result)
    if out is not None and is_floating(out.dtype):
        dtype = out.dtype
    elif not is_floating(dtype):
        dtype = get_default_dtype()
    self = cast(self, dtype)
    if is_reduced_floating(dtype) and numel(self):
        # computed in steps that are each rounded to 16 bits
        result = _logsumexp_in_steps(self, (dim,) if isinstance(dim, int) else dim, keepdim)
        if out is None:
            return result
        resize_output(out, ndim(result), sizes(result))
        return copy_(out, result)
    result = result_for(self, mask, keepdim, dtype, out)
    x = data(self)
    y = data(result)
    plan(&r, self, mask, keepdim, result, None, False)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            logsumexp_kernel(x, y, &r, dtype)
    else:
        logsumexp_kernel(x, y, &r, dtype)
    return deliver(result, out)


cdef TensorImpl renorm(TensorImpl self, object p, Py_ssize_t dim, object maxnorm,
                       TensorImpl out=None):
    cdef TensorImpl norms, factor
    cdef int d
    if isinstance(p, complex):
        raise RuntimeError("renorm: p must be real-valued")
    if p <= 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if isinstance(maxnorm, complex):
        raise RuntimeError("renorm: maxnorm must be real-valued")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    if ndim(self) < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {ndim(self)} dimensions")
    if out is not None:
        check_out_dtype(out, self.dtype)
    d = wrap_dim(dim, ndim(self))
    norms = linalg_vector_norm(cast(self, Float32) if is_reduced_floating(self.dtype) else self, p,
                               tuple([k for k in range(ndim(self)) if k != d]), True)
    factor = where(gt(norms, wrap_number(maxnorm)),
                   div(wrap_number(maxnorm), add(norms, wrap_number(1e-7))), wrap_number(1.0))
    if out is None:
        out = empty(ndim(self), sizes(self), self.dtype)
    return mul(self, cast(factor, self.dtype), out)
