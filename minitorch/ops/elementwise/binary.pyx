"""Arithmetic on two tensors.

Each operator checks its arguments and calls `pointwise.binary` once. The error messages are PyTorch's.
"""

from minitorch.core.dtype cimport (
    BFloat16, Bool, Float32, Int64, is_complex, is_float8, is_floating, is_integral, is_reduced_floating,
    is_wide_unsigned, itemsizes)
from minitorch.core.iterator cimport result_type
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, empty, ndim, numel, sizes, wrap_number)
from minitorch.kernels.common cimport table
from minitorch.kernels.common.cast cimport has_zero
from minitorch.ops.common.checks cimport FLOAT8, reject_dtypes
from minitorch.ops.common.copy cimport cast, contiguous, fill_
from minitorch.ops.common.scalar cimport read_scalar, write_scalar
from minitorch.ops.elementwise.pointwise cimport SAME, TO_FLOAT, binary, unary


# ---- sums and differences

cdef int _check_alpha(TensorImpl self, TensorImpl other, object alpha) except -1:
    cdef int dtype = result_type(self, other, None)
    if isinstance(alpha, bool) and dtype != Bool:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, (float, complex)) and not (is_floating(dtype) or is_complex(dtype)):
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating "
                           "point number.")
    if isinstance(alpha, complex) and not is_complex(dtype):
        raise RuntimeError("For non-complex input tensors, argument alpha must not be a complex "
                           "number.")
    return 0


cdef TensorImpl _scaled(int op, int plain, TensorImpl self, TensorImpl other, object alpha,
                        str name,
                        TensorImpl out):
    """Return self + alpha * other, or self - alpha * other, depending on `op`."""
    cdef double[2] params
    cdef double[1] element
    cdef int dtype
    _check_alpha(self, other, alpha)
    if alpha != 1:
        dtype = result_type(self, other, None)
        # The kernels take alpha as a double. Where that is inexact or impossible, multiply `other` first.
        if dtype == Bool:
            other = mul(other, wrap_number(bool(alpha)))
        elif dtype == Int64 and not -2**53 < alpha < 2**53:
            other = mul(other, wrap_number(alpha))
        elif is_complex(dtype):
            params[0], params[1] = alpha.real, alpha.imag
            return binary(op, self, other, SAME, name, params, out)
        else:
            params[0] = alpha
            if is_reduced_floating(dtype):
                write_scalar(alpha, dtype, element)
                params[0] = read_scalar(<char*>element, dtype)
            return binary(op, self, other, SAME, name, params, out)
    return binary(plain, self, other, SAME, name, NULL, out)


cdef TensorImpl add(TensorImpl self, TensorImpl other, object alpha=1, TensorImpl out=None):
    if type(alpha) is int and alpha == 1:
        return binary(table.ADD, self, other, SAME, "add_stub", NULL, out)
    return _scaled(table.ADD_ALPHA, table.ADD, self, other, alpha, "add_stub", out)


cdef int _check_sub(TensorImpl self, TensorImpl other) except -1:
    if self.dtype == Bool or other.dtype == Bool:
        if self.dtype == Bool and other.dtype == Bool:
            raise RuntimeError("Subtraction, the `-` operator, with two bool tensors is not "
                               "supported. Use the `^` or `logical_xor()` operator instead.")
        raise RuntimeError("Subtraction, the `-` operator, with a bool tensor is not supported. "
                           "If you are trying to invert a mask, use the `~` or `logical_not()` "
                           "operator instead.")
    return 0


cdef TensorImpl sub(TensorImpl self, TensorImpl other, object alpha=1, TensorImpl out=None):
    if self.dtype == Bool or other.dtype == Bool:
        _check_sub(self, other)
    if type(alpha) is int and alpha == 1:
        return binary(table.SUB, self, other, SAME, "add_stub", NULL, out)
    return _scaled(table.SUB_ALPHA, table.SUB, self, other, alpha, "add_stub", out)


cdef TensorImpl rsub(TensorImpl self, TensorImpl other, object alpha=1, TensorImpl out=None):
    return sub(other, self, alpha, out)


cdef inline bint _is_reduced_and_scalar(TensorImpl self, TensorImpl other):
    """Return whether `self` has 16 bits and `other` is a 0-dim tensor that PyTorch uses in its own precision."""
    return (is_reduced_floating(self.dtype) and other.geometry.ndim == 0
            and not is_complex(other.dtype) and other.dtype != self.dtype
            and result_type(self, other, None) == self.dtype)


cdef TensorImpl _reduced_by_scalar(int op, TensorImpl self, TensorImpl other, str name,
                                   TensorImpl out):
    cdef TensorImpl wide = cast(self, Float32)
    wide = binary(op, wide, cast(other, Float32), SAME, name, NULL, wide)
    if out is None:
        return cast(wide, self.dtype)
    return unary(table.CONJ, cast(wide, self.dtype), SAME, name, NULL, out)


cdef TensorImpl mul(TensorImpl self, TensorImpl other, TensorImpl out=None):
    if _is_reduced_and_scalar(self, other):
        return _reduced_by_scalar(table.MUL, self, other, "mul_stub", out)
    if (is_float8(self.dtype) or is_float8(other.dtype)) and (self.is_wrapped_number or ndim(other) == 0):
        reject_dtypes(result_type(self, other, None), FLOAT8, "mul_cpu_reduced_float")
    return binary(table.MUL, self, other, SAME, "mul_stub", NULL, out)


# ---- quotients

cdef int _check_divisor(TensorImpl self, TensorImpl other) except -1:
    """Raise if an integer division has a zero divisor."""
    cdef TensorImpl dense
    cdef int dtype = result_type(self, other, None)
    if is_integral(dtype) and not is_wide_unsigned(dtype) and numel(other) and numel(self):
        dense = contiguous(cast(other, dtype))
        if has_zero(data(dense), numel(dense), itemsizes[dense.dtype], dense.dtype):
            raise RuntimeError("ZeroDivisionError")
    return 0


cdef TensorImpl div(TensorImpl self, TensorImpl other, object rounding_mode=None,
                    TensorImpl out=None):
    if is_float8(self.dtype) and ndim(other) == 0:
        name = "div" if rounding_mode is None else f"div_{rounding_mode}"
        reject_dtypes(self.dtype, FLOAT8, f"{name}_cpu_reduced_float")
    if is_reduced_floating(self.dtype) and (
            _is_reduced_and_scalar(self, other)
            or rounding_mode == "trunc" and other.dtype == self.dtype and numel(other) == 1
            and ndim(other) <= ndim(self)):
        return _reduced_by_scalar(table.DIV if rounding_mode is None else table.TRUNC_DIVIDE
                                  if rounding_mode == "trunc" else table.FLOOR_DIVIDE, self, other,
                                  "div_cpu", out)
    if rounding_mode is None:
        return binary(table.DIV, self, other, TO_FLOAT, "div_cpu", NULL, out)
    if rounding_mode == "trunc":
        _check_divisor(self, other)
        return binary(table.TRUNC_DIVIDE, self, other, SAME, "div_trunc_cpu", NULL, out)
    if rounding_mode == "floor":
        _check_divisor(self, other)
        return binary(table.FLOOR_DIVIDE, self, other, SAME, "div_floor_cpu", NULL, out)
    raise RuntimeError("div expected rounding_mode to be one of None, 'trunc', or 'floor' but "
                       f"found '{rounding_mode}'")


cdef TensorImpl floor_divide(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return div(self, other, "floor", out)


cdef TensorImpl remainder(TensorImpl self, TensorImpl other, TensorImpl out=None):
    _check_divisor(self, other)
    return binary(table.REMAINDER, self, other, SAME, "remainder_cpu", NULL, out)


cdef TensorImpl fmod(TensorImpl self, TensorImpl other, TensorImpl out=None):
    _check_divisor(self, other)
    return binary(table.FMOD, self, other, SAME, "fmod_cpu", NULL, out)


# ---- powers

cdef TensorImpl pow(TensorImpl self, TensorImpl exponent, TensorImpl out=None):
    # Decision table. For a number as exponent: 0 -> ones, 1 -> a copy, 0.5, -0.5, -1, 2, 3 -> roots and products.
    # For a number as base: 1 -> ones. Everything else goes to the general kernel.
    cdef int dtype
    cdef double value
    cdef double[2] element
    if exponent.is_wrapped_number and not self.is_wrapped_number:
        number = read_scalar(data(exponent), exponent.dtype)
        dtype = result_type(self, exponent, None)
        if is_integral(dtype) and number < 0:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        if isinstance(number, complex) and number.imag == 0:
            number = number.real
        if dtype != self.dtype:
            self = cast(self, dtype)
        if not isinstance(number, complex):
            if is_integral(dtype) or is_reduced_floating(dtype):
                write_scalar(number, dtype, element)
            value = number
            if is_reduced_floating(dtype):
                value = read_scalar(<char*>element, dtype)
            if is_complex(dtype) or dtype == BFloat16:
                if value == 3:
                    return mul(unary(table.SQUARE, self, SAME, "pow", NULL, None), self, out)
                if value == -2:
                    self = unary(table.SQUARE, self, SAME, "pow", NULL, None)
                    return unary(table.RECIPROCAL, self, SAME, "pow", NULL, out)
            if value == 2:
                return unary(table.SQUARE, self, SAME, "pow", NULL, out)
            if value == 0.5 and not is_integral(dtype):
                return unary(table.SQRT, self, SAME, "sqrt_vml_cpu", NULL, out)
            if value == -0.5 and not is_integral(dtype):
                return unary(table.RSQRT, self, SAME, "rsqrt_cpu", NULL, out)
            if value == -1 and not is_integral(dtype):
                return unary(table.RECIPROCAL, self, SAME, "reciprocal_cpu", NULL, out)
            if value == 0:
                return fill_(unary(table.CONJ, self, SAME, "pow", NULL, out), 1)
            if value == 1:                  # conjugating twice makes a copy, also where `out` is `self`
                return unary(table.CONJ, unary(table.CONJ, self, SAME, "pow", NULL, None), SAME, "pow", NULL, out)
            if not is_complex(dtype):
                return unary(table.POW_SCALAR, self, SAME, "pow", &value, out)
    elif self.is_wrapped_number and out is None:
        number = read_scalar(data(self), self.dtype)
        if number == 1:
            dtype = result_type(self, exponent, None)
            return fill_(empty(ndim(exponent), sizes(exponent), dtype), 1)
        # row-major, regardless of the strides of the exponent
        dtype = result_type(self, exponent, None)
        out = empty(ndim(exponent), sizes(exponent), dtype)
    return binary(table.POW, self, exponent, SAME, "pow", NULL, out)


# ---- the larger, the smaller

cdef TensorImpl maximum(TensorImpl self, TensorImpl other, TensorImpl out=None):
    if is_complex(self.dtype) or is_complex(other.dtype):
        raise RuntimeError("maximum not implemented for complex tensors.")
    return binary(table.MAXIMUM, self, other, SAME, "maximum_cpu", NULL, out)


cdef TensorImpl minimum(TensorImpl self, TensorImpl other, TensorImpl out=None):
    if is_complex(self.dtype) or is_complex(other.dtype):
        raise RuntimeError("minimum not implemented for complex tensors.")
    return binary(table.MINIMUM, self, other, SAME, "minimum_cpu", NULL, out)


cdef TensorImpl fmax(TensorImpl self, TensorImpl other, TensorImpl out=None):
    if is_complex(self.dtype) or is_complex(other.dtype):
        raise RuntimeError("fmax not implemented for complex tensors.")
    return binary(table.FMAX, self, other, SAME, "maximum_cpu" if is_integral(self.dtype) else "fmax_cpu", NULL, out)


cdef TensorImpl fmin(TensorImpl self, TensorImpl other, TensorImpl out=None):
    if is_complex(self.dtype) or is_complex(other.dtype):
        raise RuntimeError("fmin not implemented for complex tensors.")
    return binary(table.FMIN, self, other, SAME, "minimum_cpu" if is_integral(self.dtype) else "fmin_cpu", NULL, out)


# ---- functions of two variables

cdef TensorImpl atan2(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.ATAN2, self, other, TO_FLOAT, "atan2_cpu", NULL, out)


cdef TensorImpl hypot(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.HYPOT, self, other, SAME, "hypot_cpu", NULL, out)


cdef TensorImpl copysign(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.COPYSIGN, self, other, TO_FLOAT, "copysign_cpu", NULL, out)


cdef TensorImpl nextafter(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.NEXTAFTER, self, other, SAME, "nextafter_cpu", NULL, out)


cdef TensorImpl logaddexp(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.LOGADDEXP, self, other, SAME, "logaddexp_cpu", NULL, out)


cdef TensorImpl logaddexp2(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.LOGADDEXP2, self, other, SAME, "logaddexp2_cpu", NULL, out)


cdef TensorImpl xlogy(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.XLOGY, self, other, TO_FLOAT, "xlogy_cpu", NULL, out)


# ---- integers

cdef TensorImpl gcd(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.GCD, self, other, SAME, "gcd_cpu", NULL, out)


cdef TensorImpl lcm(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.LCM, self, other, SAME, "lcm_cpu", NULL, out)
