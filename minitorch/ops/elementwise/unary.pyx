"""Mathematical functions of one tensor.

Each operator checks its arguments and calls `pointwise.unary` once. The error messages are PyTorch's.
"""

from minitorch.core.dtype cimport (
    BFloat16, Bool, Float16, Float32, Int64, UInt8, class_name, is_complex, is_floating,
    is_integral, is_wide_unsigned, to_real)
from minitorch.core.tensor_impl cimport TensorImpl, empty, empty_like, ndim, sizes, wrap_number
from minitorch.kernels.common cimport table
from minitorch.ops.common.checks cimport COMPLEX32, FLOAT8, reject_dtypes
from minitorch.ops.common.copy cimport cast, fill_
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.common.scalar cimport item, scalar_tensor
from minitorch.ops.elementwise.binary cimport mul
from minitorch.ops.elementwise.division cimport div
from minitorch.ops.elementwise.compare cimport lt
from minitorch.ops.elementwise.pointwise cimport SAME, STRICT, TO_BOOL, TO_FLOAT, TO_FLOAT_REAL, TO_REAL, unary
from minitorch.ops.shape.complex_parts cimport view_as_complex, view_as_real

cdef double _LN2 = 0.6931471805599453


# ---- signs

cdef TensorImpl neg(TensorImpl self, TensorImpl out=None):
    if self.dtype == Bool:
        raise RuntimeError("Negation, the `-` operator, on a bool tensor is not supported. If you "
                           "are trying to invert a mask, use the `~` or `logical_not()` operator "
                           "instead.")
    return unary(table.NEG, self, STRICT, "neg_cpu", NULL, out)


cdef TensorImpl abs(TensorImpl self, TensorImpl out=None):
    if out is self and is_complex(self.dtype):
        raise RuntimeError("In-place abs is not supported for complex tensors.")
    if self.dtype == Bool and (out is None or out.dtype == Bool):
        raise NotImplementedError("\"abs_cpu\" not implemented for 'Bool'")
    if out is None and is_complex(self.dtype):
        out = empty_like(self, to_real(self.dtype))
    return unary(table.ABS, self, TO_REAL, "abs_cpu", NULL, out)


cdef TensorImpl sign(TensorImpl self, TensorImpl out=None):
    if is_complex(self.dtype):
        raise NotImplementedError("Unlike NumPy, torch.sign is not intended to support complex "
                                  "numbers. Please use torch.sgn instead.")
    return unary(table.SIGN, self, STRICT, "sign_cpu", NULL, out)


cdef TensorImpl sgn(TensorImpl self, TensorImpl out=None):
    return unary(table.SGN, self, STRICT, "sgn_cpu" if is_complex(self.dtype) else "sign_cpu", NULL, out)


cdef TensorImpl signbit(TensorImpl self, TensorImpl out=None):
    if is_complex(self.dtype):
        raise NotImplementedError("signbit is not implemented for complex tensors.")
    if out is not None and out.dtype != Bool:
        raise RuntimeError("signbit does not support non-boolean outputs.")
    if not is_floating(self.dtype):
        if is_wide_unsigned(self.dtype):
            self = cast(self, UInt8)
        if self.geometry.numel:
            return lt(self, wrap_number(0), out)
        return unary(table.LOGICAL_NOT, self, TO_BOOL, "signbit_cpu", NULL, out)
    return unary(table.SIGNBIT, self, TO_BOOL, "signbit_cpu", NULL, out)


cdef TensorImpl square(TensorImpl self, TensorImpl out=None):
    if self.dtype == Bool:
        self = cast(self, Int64)
    return unary(table.SQUARE, self, SAME, "pow", NULL, out)


# ---- functions whose values are not integers

cdef TensorImpl sqrt(TensorImpl self, TensorImpl out=None):
    return unary(table.SQRT, self, TO_FLOAT, "sqrt_vml_cpu", NULL, out)


cdef TensorImpl rsqrt(TensorImpl self, TensorImpl out=None):
    return unary(table.RSQRT, self, TO_FLOAT, "rsqrt_cpu", NULL, out)


cdef TensorImpl reciprocal(TensorImpl self, TensorImpl out=None):
    return unary(table.RECIPROCAL, self, TO_FLOAT, "reciprocal_cpu", NULL, out)


cdef TensorImpl exp(TensorImpl self, TensorImpl out=None):
    return unary(table.EXP, self, TO_FLOAT, "exp_vml_cpu", NULL, out)


cdef TensorImpl exp2(TensorImpl self, TensorImpl out=None):
    if is_complex(self.dtype):
        return exp(view_as_complex(mul(view_as_real(self), wrap_number(_LN2))), out)
    return unary(table.EXP2, self, TO_FLOAT, "exp2_vml_cpu", NULL, out)


cdef TensorImpl expm1(TensorImpl self, TensorImpl out=None):
    return unary(table.EXPM1, self, TO_FLOAT, "expm1_vml_cpu", NULL, out)


cdef TensorImpl log(TensorImpl self, TensorImpl out=None):
    return unary(table.LOG, self, TO_FLOAT, "log_vml_cpu", NULL, out)


cdef TensorImpl log2(TensorImpl self, TensorImpl out=None):
    return unary(table.LOG2, self, TO_FLOAT, "log2_vml_cpu", NULL, out)


cdef TensorImpl log10(TensorImpl self, TensorImpl out=None):
    return unary(table.LOG10, self, TO_FLOAT, "log10_vml_cpu", NULL, out)


cdef TensorImpl log1p(TensorImpl self, TensorImpl out=None):
    return unary(table.LOG1P, self, TO_FLOAT, "log1p_vml_cpu", NULL, out)


cdef TensorImpl sin(TensorImpl self, TensorImpl out=None):
    return unary(table.SIN, self, TO_FLOAT, "sin_vml_cpu", NULL, out)


cdef TensorImpl cos(TensorImpl self, TensorImpl out=None):
    return unary(table.COS, self, TO_FLOAT, "cos_vml_cpu", NULL, out)


cdef TensorImpl tan(TensorImpl self, TensorImpl out=None):
    return unary(table.TAN, self, TO_FLOAT, "tan_vml_cpu", NULL, out)


cdef TensorImpl asin(TensorImpl self, TensorImpl out=None):
    return unary(table.ASIN, self, TO_FLOAT, "asin_vml_cpu", NULL, out)


cdef TensorImpl acos(TensorImpl self, TensorImpl out=None):
    return unary(table.ACOS, self, TO_FLOAT, "acos_vml_cpu", NULL, out)


cdef TensorImpl atan(TensorImpl self, TensorImpl out=None):
    return unary(table.ATAN, self, TO_FLOAT, "atan_vml_cpu", NULL, out)


cdef TensorImpl sinh(TensorImpl self, TensorImpl out=None):
    return unary(table.SINH, self, TO_FLOAT, "sinh_vml_cpu", NULL, out)


cdef TensorImpl cosh(TensorImpl self, TensorImpl out=None):
    return unary(table.COSH, self, TO_FLOAT, "cosh_vml_cpu", NULL, out)


cdef TensorImpl tanh(TensorImpl self, TensorImpl out=None):
    return unary(table.TANH, self, TO_FLOAT, "tanh_vml_cpu", NULL, out)


cdef TensorImpl asinh(TensorImpl self, TensorImpl out=None):
    return unary(table.ASINH, self, TO_FLOAT, "asinh_vml_cpu", NULL, out)


cdef TensorImpl acosh(TensorImpl self, TensorImpl out=None):
    return unary(table.ACOSH, self, TO_FLOAT, "acosh_vml_cpu", NULL, out)


cdef TensorImpl atanh(TensorImpl self, TensorImpl out=None):
    return unary(table.ATANH, self, TO_FLOAT, "atanh_vml_cpu", NULL, out)


cdef TensorImpl sigmoid(TensorImpl self, TensorImpl out=None):
    return unary(table.SIGMOID, self, TO_FLOAT, "sigmoid_cpu", NULL, out)


cdef TensorImpl erf(TensorImpl self, TensorImpl out=None):
    return unary(table.ERF, self, TO_FLOAT, "erf_vml_cpu", NULL, out)


cdef TensorImpl erfc(TensorImpl self, TensorImpl out=None):
    return unary(table.ERFC, self, TO_FLOAT, "erfc_vml_cpu", NULL, out)


cdef TensorImpl erfinv(TensorImpl self, TensorImpl out=None):
    return unary(table.ERFINV, self, TO_FLOAT, "erfinv_vml_cpu", NULL, out)


cdef TensorImpl lgamma(TensorImpl self, TensorImpl out=None):
    return unary(table.LGAMMA, self, TO_FLOAT, "lgamma_vml_cpu", NULL, out)


cdef TensorImpl digamma(TensorImpl self, TensorImpl out=None):
    return unary(table.DIGAMMA, self, TO_FLOAT, "digamma", NULL, out)


# ---- rounding

cdef TensorImpl floor(TensorImpl self, TensorImpl out=None):
    if is_complex(self.dtype):
        raise NotImplementedError("floor is not supported for complex inputs")
    if is_integral(self.dtype):
        return _unchanged(self, out)
    return unary(table.FLOOR, self, STRICT, "floor_vml_cpu", NULL, out)


cdef TensorImpl ceil(TensorImpl self, TensorImpl out=None):
    if is_complex(self.dtype):
        raise NotImplementedError("ceil is not supported for complex inputs")
    if is_integral(self.dtype):
        return _unchanged(self, out)
    return unary(table.CEIL, self, STRICT, "ceil_vml_cpu", NULL, out)


cdef TensorImpl trunc(TensorImpl self, TensorImpl out=None):
    if is_complex(self.dtype):
        raise NotImplementedError("trunc is not supported for complex inputs")
    if is_integral(self.dtype):
        return _unchanged(self, out)
    return unary(table.TRUNC, self, STRICT, "trunc_vml_cpu", NULL, out)


cdef TensorImpl _unchanged(TensorImpl self, TensorImpl out):
    return unary(table.CONJ, self, STRICT, "copy", NULL, out)


cdef TensorImpl round(TensorImpl self, Py_ssize_t decimals=0, TensorImpl out=None):
    cdef TensorImpl scale, result
    if decimals != 0 and (is_integral(self.dtype) or self.dtype == Bool):
        raise NotImplementedError(f'"round_cpu" not implemented for \'{class_name(self.dtype)}\'')
    if is_integral(self.dtype):
        return _unchanged(self, out)
    if decimals == 0 or not is_floating(self.dtype):
        return unary(table.ROUND, self, STRICT, "round_vml_cpu", NULL, out)
    if out is not None and out.dtype != self.dtype:
        raise RuntimeError(f"Found dtype {class_name(out.dtype)} but expected "
                           f"{class_name(self.dtype)}")
    # scale up, round and scale down, all in the dtype of self
    scale = scalar_tensor(10.0 ** (decimals if decimals > 0 else -decimals), self.dtype)
    if decimals > 0:
        result = unary(table.ROUND, mul(self, scale), STRICT, "round_cpu", NULL, None)
        return div(result, scale, None, out)
    result = unary(table.ROUND, div(self, scale), STRICT, "round_cpu", NULL, None)
    return mul(result, scale, out)


cdef TensorImpl frac(TensorImpl self, TensorImpl out=None):
    return unary(table.FRAC, self, STRICT, "frac_cpu", NULL, out)


# ---- predicates

cdef TensorImpl isnan(TensorImpl self):
    if is_wide_unsigned(self.dtype):
        return fill_(empty_like(self, Bool), False)
    return unary(table.ISNAN, self, TO_BOOL, "isnan", NULL, None)


cdef TensorImpl isinf(TensorImpl self):
    if is_integral(self.dtype) or self.dtype == Bool:
        return fill_(empty_like(self, Bool), False)
    return unary(table.ISINF, self, TO_BOOL, "isinf", NULL, None)


cdef TensorImpl isfinite(TensorImpl self):
    if is_integral(self.dtype) or self.dtype == Bool:
        return fill_(empty_like(self, Bool), True)
    return unary(table.ISFINITE, self, TO_BOOL, "isfinite", NULL, None)


cdef TensorImpl nan_to_num(TensorImpl self, object nan=None, object posinf=None, object neginf=None,
                           TensorImpl out=None):
    cdef double[3] params
    cdef double largest
    cdef int real = to_real(self.dtype)
    reject_dtypes(self.dtype, COMPLEX32 | FLOAT8, "nan_to_num")
    if out is not None and out.dtype != self.dtype:
        raise RuntimeError(f"nan_to_num: dtype of out: {class_name(out.dtype)} should be same as "
                           f"input: {class_name(self.dtype)}")
    if out is None:
        out = empty_like(self, self.dtype)
    if is_integral(self.dtype) or self.dtype == Bool:
        return _unchanged(self, out)
    largest = (65504 if real == Float16 else 3.3895313892515355e38 if real == BFloat16
               else 3.4028234663852886e38 if real == Float32 else 1.7976931348623157e308)
    params[0] = 0 if nan is None else nan
    params[1] = largest if posinf is None else posinf
    params[2] = -largest if neginf is None else neginf
    if is_complex(self.dtype):
        # handle the real and imaginary parts separately
        resize_output(out, ndim(self), sizes(self))
        unary(table.NAN_TO_NUM, view_as_real(self), STRICT, "nan_to_num", params, view_as_real(out))
        return out
    return unary(table.NAN_TO_NUM, self, STRICT, "nan_to_num", params, out)


# ---- complex numbers

cdef TensorImpl conj(TensorImpl self):
    if not is_complex(self.dtype):
        return self
    return conj_physical(self)


cdef TensorImpl conj_physical(TensorImpl self, TensorImpl out=None):
    if not is_complex(self.dtype) and (out is None or out is self):
        return self
    if out is None:
        if self.is_wrapped_number:
            return wrap_number(item(self).conjugate())
        out = empty_like(self, self.dtype)
    return unary(table.CONJ, self, STRICT, "conj_cpu", NULL, out)


cdef TensorImpl angle(TensorImpl self, TensorImpl out=None):
    if out is None and is_complex(self.dtype):
        out = empty(ndim(self), sizes(self), to_real(self.dtype))
    return unary(table.ANGLE, self, TO_FLOAT_REAL, "angle_cpu", NULL, out)
