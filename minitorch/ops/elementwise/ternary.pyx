"""Elementwise operators on three operands: clamp, where, addcmul, addcdiv, lerp.

The error messages are PyTorch's. A bound that is a number is promoted like a Python number in arithmetic.
"""

from minitorch.core.dtype cimport (
    Bool, Float32, Float64, UInt8, c_name, class_name, has_float_kernels, is_complex, is_floating, is_integral,
    is_reduced_floating)
from minitorch.core.iterator cimport TensorIterator, infer_shape
from minitorch.core.overlap cimport assert_no_internal_overlap, assert_no_partial_overlap
from minitorch.core.result_type cimport result_type
from minitorch.core.tensor_impl cimport SizesAndStrides, TensorImpl, ndim, wrap_number
from minitorch.kernels.common cimport table
from minitorch.ops.common.checks cimport COMPLEX32, FLOAT8, reject_dtypes
from minitorch.ops.common.copy cimport cast
from minitorch.ops.common.output cimport check_can_cast
from minitorch.ops.common.scalar cimport item, number_for, scalar_tensor, write_scalar
from minitorch.ops.elementwise.binary cimport add, mul
from minitorch.ops.elementwise.pointwise cimport MASKED, SAME, STRICT, binary, ternary, unary

from minitorch.core.once import warn_once


# ---- clamp

cdef TensorImpl clamp(TensorImpl self, object min=None, object max=None, TensorImpl out=None):
    cdef double[2] params
    cdef double[2] element
    cdef int dtype
    cdef TensorImpl low, high
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if is_complex(self.dtype):
        raise NotImplementedError("clamp is not supported for complex types")
    if is_floating(self.dtype):
        min, max = number_for(min, Float64), number_for(max, Float64)
    low = None if min is None else wrap_number(min)
    high = None if max is None else wrap_number(max)
    if low is None:
        dtype = result_type(self, high, None)
    else:
        dtype = result_type(self, low, high)
    if is_complex(dtype) and out is not self:
        raise NotImplementedError("clamp is not supported for complex types")
    if dtype != self.dtype:
        if out is self:
            raise RuntimeError(f"result type {class_name(dtype)} can't be cast to the desired "
                               f"output type {c_name(self.dtype)}")
        self = cast(self, dtype)
    if out is not None and out.dtype != dtype:
        raise RuntimeError(f"Found dtype {class_name(out.dtype)} but expected {class_name(dtype)}")
    if dtype == Bool:
        name = "clamp_max" if min is None else "clamp_min" if max is None else "clamp"
        raise NotImplementedError(f"\"{name}_scalar_cpu\" not implemented for 'Bool'")
    if min is not None:
        write_scalar(min, dtype, element)
    if max is not None:
        write_scalar(max, dtype, element)
    if not has_float_kernels(dtype):
        # a double may not represent the bounds exactly
        if high is None:
            return binary(table.MAXIMUM, self, low, SAME, "clamp_min_scalar_cpu", NULL, out)
        if low is None:
            return binary(table.MINIMUM, self, high, SAME, "clamp_max_scalar_cpu", NULL, out)
        return ternary(table.CLAMP_TENSOR, self, low, high, SAME, "clamp_scalar_cpu", NULL, out)
    params[0] = float("-inf") if min is None else float(min)
    params[1] = float("inf") if max is None else float(max)
    return clamp_between(self, params, out)


cdef TensorImpl clamp_between(TensorImpl self, double* bounds, TensorImpl out):
    if bounds[0] != bounds[0] or bounds[1] != bounds[1]:
        # as in PyTorch, a bound of nan makes every element nan
        return mul(self, scalar_tensor(float("nan"), self.dtype), out)
    return unary(table.CLAMP, self, STRICT, "clamp_scalar_cpu", bounds, out)


cdef int _check_real(object bound) except -1:
    """Raise for a complex bound, even without an imaginary part; only clamp itself accepts those."""
    if isinstance(bound, complex):
        raise NotImplementedError("clamp is not supported for complex types")
    return 0


cdef TensorImpl clamp_min(TensorImpl self, object min, TensorImpl out=None):
    _check_real(min)
    return clamp(self, min, None, out)


cdef TensorImpl clamp_max(TensorImpl self, object max, TensorImpl out=None):
    _check_real(max)
    return clamp(self, None, max, out)


cdef TensorImpl clamp_tensor(TensorImpl self, TensorImpl min, TensorImpl max, TensorImpl out=None):
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if is_complex(self.dtype):
        raise NotImplementedError("clamp is not supported for complex types")
    if max is None:
        return binary(table.MAXIMUM, self, min, SAME, "maximum_cpu", NULL, out)
    if min is None:
        return binary(table.MINIMUM, self, max, SAME, "minimum_cpu", NULL, out)
    return ternary(table.CLAMP_TENSOR, self, min, max, SAME, "clamp_cpu", NULL, out)


cdef int _check_bound(TensorImpl self, TensorImpl bound, TensorImpl out, str name) except -1:
    cdef int dtype = result_type(self, bound, None)
    if out is not None:
        assert_no_internal_overlap(out)
        assert_no_partial_overlap(out, self)
        assert_no_partial_overlap(out, bound)
        _check_shapes(self, bound, bound)
        check_can_cast(dtype, out.dtype)
    if is_complex(dtype):
        _check_shapes(self, bound, bound)
        raise NotImplementedError(f'"{name}" not implemented for \'{class_name(dtype)}\'')
    return 0


cdef TensorImpl clamp_min_tensor(TensorImpl self, TensorImpl min, TensorImpl out=None):
    _check_bound(self, min, out, "maximum_cpu")
    return clamp_tensor(self, min, None, out)


cdef TensorImpl clamp_max_tensor(TensorImpl self, TensorImpl max, TensorImpl out=None):
    _check_bound(self, max, out, "minimum_cpu")
    return clamp_tensor(self, None, max, out)


cdef int _check_fits(object number, int dtype) except -1:
    """Raise if the dtype cannot hold the number, even if no element is computed with it."""
    cdef double[2] element
    write_scalar(number, Float32 if is_reduced_floating(dtype) else dtype, element)
    return 0


# ---- choosing

cdef TensorImpl where(TensorImpl condition, TensorImpl self, TensorImpl other, TensorImpl out=None):
    cdef int dtype
    if self.is_wrapped_number or other.is_wrapped_number:
        dtype = result_type(self, other, None)
        if not is_reduced_floating(dtype):          # there, numbers that are too large become infinite
            for number in (self, other):
                if (<TensorImpl>number).is_wrapped_number:
                    _check_fits(item(<TensorImpl>number), dtype)
    if condition.dtype != Bool:
        if condition.dtype != UInt8:
            raise RuntimeError("where expected condition to be a boolean tensor, but got a tensor "
                               f"with dtype {class_name(condition.dtype)}")
        warn_once("where received a uint8 condition tensor. This behavior is deprecated and will be "
                  "removed in a future version of PyTorch. Use a boolean condition instead.")
        condition = cast(condition, Bool)
    return ternary(table.WHERE, condition, self, other, MASKED, "where_cpu", NULL, out)


# ---- products added

cdef int _write_params(double* params, object value, int dtype) except -1:
    """Write a number as the parameters of a kernel: one double, or two for a complex dtype."""
    if is_complex(dtype):
        params[0], params[1] = value.real, value.imag
    elif is_integral(dtype):
        params[0] = int(value)
    else:
        params[0] = value
    return 0


cdef int _check_shapes(TensorImpl a, TensorImpl b, TensorImpl c) except -1:
    """Raise the error of broadcasting all three at once."""
    cdef TensorIterator it
    cdef SizesAndStrides* inputs[3]
    inputs[0], inputs[1], inputs[2] = a.geometry, b.geometry, c.geometry
    infer_shape(&it, 3, inputs)
    return 0


cdef TensorImpl addcmul(TensorImpl self, TensorImpl tensor1, TensorImpl tensor2, object value=1,
                        TensorImpl out=None):
    cdef double[2] params
    cdef int dtype = result_type(self, tensor1, tensor2)
    if dtype == Bool:
        _check_shapes(self, tensor1, tensor2)
        raise NotImplementedError("\"addcmul_cpu_out\" not implemented for 'Bool'")
    value = number_for(value, dtype)
    _check_fits(value, dtype)
    if is_integral(dtype) and not -2**53 < value < 2**53:       # a kernel takes the value as a double
        _check_shapes(self, tensor1, tensor2)
        return add(self, mul(mul(cast(tensor1, dtype), wrap_number(value)), tensor2), 1, out)
    _write_params(params, value, dtype)
    return ternary(table.ADDCMUL, self, tensor1, tensor2, SAME, "addcmul_cpu_out", params, out)


cdef TensorImpl addcdiv(TensorImpl self, TensorImpl tensor1, TensorImpl tensor2, object value=1,
                        TensorImpl out=None):
    cdef double[2] params
    cdef int dtype = result_type(self, tensor1, tensor2)
    if not (is_floating(tensor1.dtype) or is_complex(tensor1.dtype)
            or is_floating(tensor2.dtype) or is_complex(tensor2.dtype)):
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release "
            "addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv "
            "behavior can be implemented as (input + value * torch.trunc(tensor1 / "
            "tensor2)).to(input.dtype) for "
            "integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The "
            "future addcdiv behavior is just the latter implementation: (input + value * tensor1 / "
            "tensor2), for all dtypes.")
    value = number_for(value, dtype)
    _check_fits(value, dtype)
    _write_params(params, value, dtype)
    return ternary(table.ADDCDIV, self, tensor1, tensor2, SAME, "addcdiv_cpu_out", params, out)


# ---- interpolation

cdef TensorImpl lerp(TensorImpl self, TensorImpl end, TensorImpl weight, TensorImpl out=None):
    cdef double[2] params
    cdef bint scalar = weight.is_wrapped_number or ndim(weight) == 0
    cdef int dtype = self.dtype
    cdef str name = "lerp_kernel_scalar" if weight.is_wrapped_number else "lerp_kernel_tensor"
    reject_dtypes(self.dtype, COMPLEX32 | FLOAT8, name)
    if end.dtype != self.dtype:
        raise RuntimeError(f"expected dtype {c_name(self.dtype)} for `end` but got dtype "
                           f"{c_name(end.dtype)}")
    if scalar and not weight.is_wrapped_number:
        dtype = result_type(self, end, weight)
        if dtype != self.dtype:
            self, end = cast(self, dtype), cast(end, dtype)
    if not scalar and weight.dtype != self.dtype:
        raise RuntimeError(f"expected dtype {c_name(self.dtype)} for `weight` but got dtype "
                           f"{c_name(weight.dtype)}")
    if not (is_floating(self.dtype) or is_complex(self.dtype)):
        _check_shapes(self, end, self if scalar else weight)
        raise NotImplementedError(f'"{name}" not implemented for \'{class_name(self.dtype)}\'')
    if is_complex(self.dtype):
        if out is not None and not scalar and out.dtype != self.dtype:
            raise RuntimeError(f"Found dtype {class_name(out.dtype)} but expected "
                               f"{class_name(self.dtype)}")
    if scalar:
        number = number_for(item(weight), self.dtype)
        if weight.is_wrapped_number:
            _check_fits(number, self.dtype)
        _write_params(params, number, self.dtype)
        return binary(table.LERP_SCALAR, self, end, SAME, name, params, out)
    return ternary(table.LERP, self, end, weight, STRICT, name, NULL, out)


cdef TensorImpl lerp_scalar(TensorImpl self, TensorImpl end, object weight, TensorImpl out=None):
    return lerp(self, end, wrap_number(weight), out)
