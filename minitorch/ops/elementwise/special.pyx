"""Special functions.

Each operator checks its arguments and calls `pointwise`. Half precision raises where it does in PyTorch, and
where SciPy has loops for float32 and float64 only. The error messages are PyTorch's.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport exp as exp_of
from libc.math cimport lgamma as log_gamma
from libc.stdint cimport int32_t

from minitorch.core.dtype cimport (
    Bool, Float32, Float64, Int32, class_name, get_default_dtype, has_float_kernels, is_complex, is_floating,
    is_integral, is_reduced_floating, itemsizes)
from minitorch.core.result_type cimport result_type
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, empty, empty_geometry, is_dense, numel, same_sizes, sizes_tuple, wrap_number)
from minitorch.kernels.common cimport table
from minitorch.kernels.elementwise.floating_parts cimport frexp_kernel
from minitorch.kernels.elementwise.scipy_loops cimport load
from minitorch.ops.common.checks cimport broadcast_sizes
from minitorch.ops.common.copy cimport cast, contiguous
from minitorch.ops.elementwise.binary cimport add, mul, sub
from minitorch.ops.elementwise.binary_functions cimport pow
from minitorch.ops.elementwise.division cimport div, floor_divide
from minitorch.ops.elementwise.compare cimport eq
from minitorch.ops.elementwise.pointwise cimport MASKED, SAME, TO_FLOAT, binary, ternary, unary
from minitorch.ops.elementwise.unary cimport digamma, lgamma, sin


# ---- the common ways

cdef int _reject_half(int dtype, str name) except -1:
    """Raise for dtypes other than float32 and float64, for which PyTorch has no kernel."""
    if is_floating(dtype) and dtype != Float32 and dtype != Float64:
        raise NotImplementedError(f'"{name}" not implemented for \'{class_name(dtype)}\'')
    return 0


cdef TensorImpl _wide(int op, TensorImpl self, str name, TensorImpl out):
    _reject_half(self.dtype, name)
    load()
    return unary(op, self, TO_FLOAT, name, NULL, out)


cdef TensorImpl _any(int op, TensorImpl self, str name, TensorImpl out):
    load()
    return unary(op, self, TO_FLOAT, name, NULL, out)


cdef TensorImpl _wide_binary(int op, TensorImpl x, TensorImpl n, str name, TensorImpl out):
    _reject_half(result_type(x, n, None), name)
    return binary(op, x, n, TO_FLOAT, name, NULL, out)


# ---- of one variable


cdef TensorImpl i0(TensorImpl self, TensorImpl out=None):
    return unary(table.I0, self, TO_FLOAT, "i0_vml_cpu", NULL, out)


cdef TensorImpl special_i0e(TensorImpl self, TensorImpl out=None):
    return unary(table.I0E, self, TO_FLOAT, "i0e_cpu", NULL, out)


cdef TensorImpl special_i1(TensorImpl self, TensorImpl out=None):
    return unary(table.I1, self, TO_FLOAT, "i1_cpu", NULL, out)


cdef TensorImpl special_i1e(TensorImpl self, TensorImpl out=None):
    return unary(table.I1E, self, TO_FLOAT, "i1e_cpu", NULL, out)


cdef TensorImpl special_entr(TensorImpl self, TensorImpl out=None):
    return _any(table.ENTR, self, "entr_cpu", out)


cdef TensorImpl special_erfcx(TensorImpl self, TensorImpl out=None):
    return _wide(table.ERFCX, self, "erfcx_cpu", out)


cdef TensorImpl special_ndtri(TensorImpl self, TensorImpl out=None):
    return _wide(table.NDTRI, self, "ndtri_cpu", out)


cdef TensorImpl special_log_ndtr(TensorImpl self, TensorImpl out=None):
    return _wide(table.LOG_NDTR, self, "log_ndtr_cpu", out)


cdef TensorImpl special_bessel_j0(TensorImpl self, TensorImpl out=None):
    return _wide(table.BESSEL_J0, self, "bessel_j0_cpu", out)


cdef TensorImpl special_bessel_j1(TensorImpl self, TensorImpl out=None):
    return _wide(table.BESSEL_J1, self, "bessel_j1_cpu", out)


cdef TensorImpl special_bessel_y0(TensorImpl self, TensorImpl out=None):
    return _wide(table.BESSEL_Y0, self, "bessel_y0_cpu", out)


cdef TensorImpl special_bessel_y1(TensorImpl self, TensorImpl out=None):
    return _wide(table.BESSEL_Y1, self, "bessel_y1_cpu", out)


cdef TensorImpl special_modified_bessel_i0(TensorImpl self, TensorImpl out=None):
    return _wide(table.I0, self, "modified_bessel_i0_cpu", out)


cdef TensorImpl special_modified_bessel_i1(TensorImpl self, TensorImpl out=None):
    return _wide(table.I1, self, "modified_bessel_i1_cpu", out)


cdef TensorImpl special_modified_bessel_k0(TensorImpl self, TensorImpl out=None):
    return _wide(table.BESSEL_K0, self, "modified_bessel_k0_cpu", out)


cdef TensorImpl special_modified_bessel_k1(TensorImpl self, TensorImpl out=None):
    return _wide(table.BESSEL_K1, self, "modified_bessel_k1_cpu", out)


cdef TensorImpl special_scaled_modified_bessel_k0(TensorImpl self, TensorImpl out=None):
    return _wide(table.BESSEL_K0E, self, "scaled_modified_bessel_k0_cpu", out)


cdef TensorImpl special_scaled_modified_bessel_k1(TensorImpl self, TensorImpl out=None):
    return _wide(table.BESSEL_K1E, self, "scaled_modified_bessel_k1_cpu", out)


cdef TensorImpl special_spherical_bessel_j0(TensorImpl self, TensorImpl out=None):
    return _wide(table.SPHERICAL_J0, self, "spherical_bessel_j0_cpu", out)


cdef TensorImpl special_airy_ai(TensorImpl self, TensorImpl out=None):
    return _wide(table.AIRY_AI, self, "airy_ai_cpu", out)


cdef TensorImpl logit(TensorImpl self, object eps=None, TensorImpl out=None):
    cdef TensorImpl one, x = self
    cdef double[2] bounds
    if is_complex(self.dtype):
        raise NotImplementedError(f'"logit_cpu" not implemented for \'{class_name(self.dtype)}\'')
    if not has_float_kernels(self.dtype):
        x = cast(self, get_default_dtype())
    if eps is not None and eps >= 0:
        bounds[0] = eps
        bounds[1] = 1 - bounds[0]
        x = unary(table.CLAMP, x, SAME, "logit_cpu", bounds, None)
    one = wrap_number(1)
    return unary(table.LOG, div(x, sub(one, x)), TO_FLOAT, "logit_cpu", NULL, out)


cdef TensorImpl sinc(TensorImpl self, TensorImpl out=None):
    """Return sin(pi x) / (pi x), and 1 at 0."""
    cdef TensorImpl turned, sine, zero, one = wrap_number(1)
    if not has_float_kernels(self.dtype) and not is_complex(self.dtype):
        self = cast(self, get_default_dtype())
    if is_reduced_floating(self.dtype):
        turned = cast(sinc(cast(self, Float32)), self.dtype)
        return turned if out is None else mul(turned, wrap_number(1), out)
    zero = eq(self, wrap_number(0))
    turned = mul(self, wrap_number(3.141592653589793))
    sine = sin(turned)
    sine = ternary(table.WHERE, zero, one, sine, MASKED, "sinc_cpu", NULL, sine)
    turned = ternary(table.WHERE, zero, one, turned, MASKED, "sinc_cpu", NULL, turned)
    return div(sine, turned, None, out)


# ---- gamma and its derivatives

cdef TensorImpl polygamma(Py_ssize_t n, TensorImpl self, TensorImpl out=None):
    cdef TensorImpl result
    cdef double factor
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    if n == 0:
        return digamma(self, out)
    if n == 1:
        return unary(table.TRIGAMMA, self, TO_FLOAT, "trigamma", NULL, out)
    if is_complex(self.dtype):
        raise NotImplementedError(f'"polygamma" not implemented for \'{class_name(self.dtype)}\'')
    if not has_float_kernels(self.dtype):
        self = cast(self, get_default_dtype())
    factor = exp_of(log_gamma(n + 1.0)) * (1 if n % 2 else -1)
    result = binary(table.ZETA, wrap_number(n + 1.0), self, TO_FLOAT, "polygamma", NULL, None)
    return mul(result, wrap_number(factor), out)


cdef TensorImpl mvlgamma(TensorImpl self, Py_ssize_t p, TensorImpl out=None):
    """Return the sum of log gamma(x - j/2) for j < p, plus p (p - 1) / 4 log(pi)."""
    cdef TensorImpl total = None, term
    cdef Py_ssize_t j, count
    if self.dtype == Bool:
        raise RuntimeError("The input tensor may not be a boolean tensor.")
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    if is_complex(self.dtype):
        raise NotImplementedError(f'"arange_cpu" not implemented for \'{class_name(self.dtype)}\'')
    if out is not None and not has_float_kernels(out.dtype) and not is_complex(out.dtype):
        wide = get_default_dtype() if is_integral(self.dtype) else self.dtype
        raise RuntimeError(f"mvlgamma: result type {class_name(self.dtype)} can't be cast to the desired "
                           f"output type {class_name(wide)}")
    if is_integral(self.dtype):
        self = cast(self, get_default_dtype())
    self = contiguous(self)
    # PyTorch allocates all terms at once, so raise if they would not fit in memory
    count = p * numel(self) if numel(self) == 0 or p <= (1 << 62) // numel(self) else 1 << 62
    empty(1, &count, self.dtype)
    for j in range(p - 1, -1, -1):
        PyErr_CheckSignals()
        term = lgamma(sub(self, wrap_number(j / 2.0)))
        total = term if total is None else add(total, term)
    return add(total, wrap_number(p * (p - 1) / 4.0 * 1.1447298858494002), 1, out)


cdef TensorImpl ldexp(TensorImpl self, TensorImpl other, TensorImpl out=None):
    cdef TensorImpl half, result, two = wrap_number(2.0)
    cdef int wide = Float32 if itemsizes[self.dtype] < 4 else self.dtype
    cdef bint by_integers = not has_float_kernels(other.dtype) and not is_complex(other.dtype)
    if is_complex(self.dtype) or has_float_kernels(self.dtype) and (self.dtype != Float32 or by_integers):
        two = cast(two, self.dtype)
        two.is_wrapped_number = False             # promote it like a tensor, not like a number
    if out is not None and not has_float_kernels(out.dtype) and not is_complex(out.dtype):
        raise RuntimeError(f"ldexp can't be cast to the desired output type {class_name(out.dtype)}")
    if is_complex(self.dtype) and by_integers:
        return mul(self, cast(pow(two, other), self.dtype), out)
    if not has_float_kernels(self.dtype) or not by_integers:
        return mul(self, pow(two, other), out)
    if other.dtype == Bool:
        broadcast_sizes(sizes_tuple(self), sizes_tuple(other))
        raise NotImplementedError('"ldexp_cpu_exp" not implemented for \'Bool\'')
    # in two steps, so that no power overflows unless the result does
    half = floor_divide(other, wrap_number(2))
    result = mul(cast(self, wide), pow(two, cast(half, wide)))
    result = mul(result, pow(two, cast(sub(other, half), wide)))
    result = cast(result, self.dtype)
    if out is self and not same_sizes(out.geometry, result.geometry):
        raise RuntimeError(f"output with shape {list(sizes_tuple(out))} doesn't match the broadcast "
                           f"shape {list(sizes_tuple(result))}")
    return result if out is None else unary(table.CONJ, result, SAME, "ldexp", NULL, out)


cdef tuple frexp(TensorImpl self):
    cdef TensorImpl mantissa, exponent
    if not has_float_kernels(self.dtype):
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    if not is_dense(self):
        self = contiguous(self)
    # dense memory is processed in memory order
    mantissa = empty_geometry(self.geometry, self.dtype)
    exponent = empty_geometry(self.geometry, Int32)
    frexp_kernel(data(self), data(mantissa), <int32_t*>data(exponent), numel(self), self.dtype)
    return mantissa, exponent


# ---- of two variables

cdef TensorImpl special_xlog1py(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.XLOG1PY, self, other, TO_FLOAT, "xlog1py_cpu", NULL, out)


cdef TensorImpl special_zeta(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return _wide_binary(table.ZETA, self, other, "zeta_cpu", out)


cdef TensorImpl igamma(TensorImpl self, TensorImpl other, TensorImpl out=None):
    load()
    return binary(table.IGAMMA, self, other, SAME, "igamma_cpu", NULL, out)


cdef TensorImpl igammac(TensorImpl self, TensorImpl other, TensorImpl out=None):
    load()
    return binary(table.IGAMMAC, self, other, SAME, "igammac_cpu", NULL, out)


# ---- polynomials


cdef TensorImpl special_chebyshev_polynomial_t(TensorImpl x, TensorImpl n, TensorImpl out=None):
    return _wide_binary(table.CHEBYSHEV_T, x, n, "chebyshev_polynomial_t_cpu", out)


cdef TensorImpl special_chebyshev_polynomial_u(TensorImpl x, TensorImpl n, TensorImpl out=None):
    return _wide_binary(table.CHEBYSHEV_U, x, n, "chebyshev_polynomial_u_cpu", out)


cdef TensorImpl special_chebyshev_polynomial_v(TensorImpl x, TensorImpl n, TensorImpl out=None):
    return _wide_binary(table.CHEBYSHEV_V, x, n, "chebyshev_polynomial_v_cpu", out)


cdef TensorImpl special_chebyshev_polynomial_w(TensorImpl x, TensorImpl n, TensorImpl out=None):
    return _wide_binary(table.CHEBYSHEV_W, x, n, "chebyshev_polynomial_w_cpu", out)


cdef TensorImpl special_shifted_chebyshev_polynomial_t(TensorImpl x, TensorImpl n,
                                                       TensorImpl out=None):
    return _wide_binary(table.SHIFTED_CHEBYSHEV_T, x, n, "shifted_chebyshev_polynomial_t_cpu", out)


cdef TensorImpl special_shifted_chebyshev_polynomial_u(TensorImpl x, TensorImpl n,
                                                       TensorImpl out=None):
    return _wide_binary(table.SHIFTED_CHEBYSHEV_U, x, n, "shifted_chebyshev_polynomial_u_cpu", out)


cdef TensorImpl special_shifted_chebyshev_polynomial_v(TensorImpl x, TensorImpl n,
                                                       TensorImpl out=None):
    return _wide_binary(table.SHIFTED_CHEBYSHEV_V, x, n, "shifted_chebyshev_polynomial_v_cpu", out)


cdef TensorImpl special_shifted_chebyshev_polynomial_w(TensorImpl x, TensorImpl n,
                                                       TensorImpl out=None):
    return _wide_binary(table.SHIFTED_CHEBYSHEV_W, x, n, "shifted_chebyshev_polynomial_w_cpu", out)


cdef TensorImpl special_hermite_polynomial_h(TensorImpl x, TensorImpl n, TensorImpl out=None):
    return _wide_binary(table.HERMITE_H, x, n, "hermite_polynomial_h_cpu", out)


cdef TensorImpl special_hermite_polynomial_he(TensorImpl x, TensorImpl n, TensorImpl out=None):
    return _wide_binary(table.HERMITE_HE, x, n, "hermite_polynomial_he_cpu", out)


cdef TensorImpl special_laguerre_polynomial_l(TensorImpl x, TensorImpl n, TensorImpl out=None):
    return _wide_binary(table.LAGUERRE, x, n, "laguerre_polynomial_l_cpu", out)


cdef TensorImpl special_legendre_polynomial_p(TensorImpl x, TensorImpl n, TensorImpl out=None):
    return _wide_binary(table.LEGENDRE, x, n, "legendre_polynomial_p_cpu", out)
