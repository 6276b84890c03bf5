"""Activation functions.

Each operator checks its arguments and calls `pointwise.unary` once, with the parameters of its kernel.
The derivatives are in `activation_backward`.
"""

from minitorch.core.dtype cimport (
    BFloat16, Bool, Float16, Float32, Float64, UInt8, class_name, has_float_kernels, is_complex)
from minitorch.core.tensor_impl cimport (
    TensorImpl, empty, empty_like, ndim, numel, resize, same_sizes, sizes)
from minitorch.kernels.common cimport table
from minitorch.ops.common.checks cimport check_broadcast, check_scalar_type, not_implemented
from minitorch.ops.common.scalar cimport number_for, parameter_for, read_scalar, scalar_tensor, write_scalar
from minitorch.ops.elementwise.binary cimport mul
from minitorch.ops.elementwise.compare cimport gt
from minitorch.ops.elementwise.pointwise cimport SAME, STRICT, unary
from minitorch.ops.elementwise.ternary cimport clamp, clamp_between, where

cdef double _SELU_ALPHA = 1.6732632423543772848170429916717
cdef double _SELU_SCALE = 1.0507009873554804934193349852946


cdef TensorImpl relu(TensorImpl self, TensorImpl out=None):
    if self.dtype == Bool:
        raise RuntimeError("Boolean inputs not supported for relu")
    if is_complex(self.dtype):
        raise NotImplementedError("clamp is not supported for complex types")
    return unary(table.RELU, self, STRICT, "clamp_min_scalar_cpu", NULL, out)


cdef double _as_type_of(TensorImpl self, object value) except? -1.0:
    """Return `value` rounded to the dtype of `self`, as the kernel sees it."""
    cdef double[2] element
    write_scalar(value, self.dtype, element)
    return read_scalar(<char*>element, self.dtype)


cdef TensorImpl threshold(TensorImpl self, object threshold, object value, TensorImpl out=None):
    cdef double[2] params
    if self.dtype == Bool or is_complex(self.dtype):
        raise NotImplementedError(f'"threshold_cpu" not implemented for '
                                  f'\'{class_name(self.dtype)}\'')
    params[0] = _as_type_of(self, threshold)
    params[1] = _as_type_of(self, value)
    return unary(table.THRESHOLD, self, SAME, "threshold_cpu", params, out)


cdef TensorImpl hardtanh(TensorImpl self, object min_val=-1, object max_val=1, TensorImpl out=None):
    cdef double[2] params
    if self.dtype == Bool:
        raise RuntimeError("Bool inputs not supported for hardtanh")
    if is_complex(self.dtype):
        raise NotImplementedError("clamp is not supported for complex types")
    if not has_float_kernels(self.dtype):
        min_val, max_val = int(min_val), int(max_val)
        if self.dtype == UInt8 and (min_val < 0 or max_val < 0):
            raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
        return clamp(self, min_val, max_val, empty_like(self, self.dtype) if out is None else out)
    params[0] = number_for(min_val, Float64)
    params[1] = number_for(max_val, Float64)
    if out is None:
        out = empty_like(self, self.dtype)
    return clamp_between(self, params, out)


cdef TensorImpl relu6(TensorImpl self, TensorImpl out=None):
    return hardtanh(self, 0, 6, out)


cdef TensorImpl _floating(int op, TensorImpl self, str name, double* params, TensorImpl out):
    if not has_float_kernels(self.dtype):
        if out is not None and out.dtype != self.dtype:
            raise RuntimeError(f"Found dtype {class_name(out.dtype)} but expected "
                               f"{class_name(self.dtype)}")
        raise NotImplementedError(f'"{name}" not implemented for \'{class_name(self.dtype)}\'')
    return unary(op, self, STRICT, name, params, out)


cdef TensorImpl leaky_relu(TensorImpl self, object negative_slope=0.01, TensorImpl out=None):
    cdef double slope = parameter_for(negative_slope, self.dtype)
    return _floating(table.LEAKY_RELU, self, "leaky_relu_cpu", &slope, out)


cdef TensorImpl elu(TensorImpl self, object alpha=1, object scale=1, object input_scale=1,
                    TensorImpl out=None):
    cdef double[3] params
    params[0] = parameter_for(alpha, self.dtype)
    params[1] = parameter_for(scale, self.dtype)
    params[2] = parameter_for(input_scale, self.dtype)
    return _floating(table.ELU, self, "elu_cpu", params, out)


cdef TensorImpl selu(TensorImpl self, TensorImpl out=None):
    return _floating(table.SELU, self, "elu_cpu", NULL, out)


cdef TensorImpl celu(TensorImpl self, object alpha=1.0, TensorImpl out=None):
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    alpha = number_for(alpha, Float64)
    return elu(self, alpha, 1.0, 1.0 / alpha, out)


cdef TensorImpl gelu(TensorImpl self, str approximate="none", TensorImpl out=None):
    if approximate == "none":
        return _floating(table.GELU, self, "GeluKernelImpl", NULL, out)
    if approximate == "tanh":
        return _floating(table.GELU_TANH, self, "GeluKernelImpl", NULL, out)
    raise RuntimeError("approximate argument must be either none or tanh.")


cdef TensorImpl silu(TensorImpl self, TensorImpl out=None):
    if is_complex(self.dtype):
        return unary(table.SILU, self, STRICT, "silu_cpu", NULL, out)
    return _floating(table.SILU, self, "silu_cpu", NULL, out)


cdef TensorImpl mish(TensorImpl self, TensorImpl out=None):
    return _floating(table.MISH, self, "mish_cpu", NULL, out)


cdef TensorImpl softplus(TensorImpl self, object beta=1, object threshold=20, TensorImpl out=None):
    cdef double[2] params
    params[0] = parameter_for(beta, self.dtype)
    params[1] = parameter_for(threshold, self.dtype)
    return _floating(table.SOFTPLUS, self, "softplus_cpu", params, out)


cdef TensorImpl log_sigmoid(TensorImpl self, TensorImpl out=None):
    if out is not None:
        check_scalar_type(out, self.dtype)
        if not same_sizes(out.geometry, self.geometry):
            resize(out, ndim(self), sizes(self))
    elif has_float_kernels(self.dtype):
        out = empty(ndim(self), sizes(self), self.dtype)
    return _floating(table.LOG_SIGMOID, self, "log_sigmoid_cpu", NULL, out)


cdef TensorImpl hardsigmoid(TensorImpl self, TensorImpl out=None):
    return _floating(table.HARDSIGMOID, self, "hardsigmoid_cpu", NULL, out)


cdef TensorImpl hardswish(TensorImpl self, TensorImpl out=None):
    return _floating(table.HARDSWISH, self, "hardswish_cpu", NULL, out)


cdef TensorImpl hardshrink(TensorImpl self, object lambd=0.5, TensorImpl out=None):
    cdef double limit = parameter_for(lambd, self.dtype)
    return _floating(table.HARDSHRINK, self, "hardshrink_cpu", &limit, out)


cdef TensorImpl softshrink(TensorImpl self, object lambd=0.5, TensorImpl out=None):
    cdef double limit = parameter_for(lambd, Float64)
    if has_float_kernels(self.dtype) and not limit >= 0:
        largest = ("65504" if self.dtype == Float16 else "3.38953e+38" if self.dtype == BFloat16
                   else "3.40282e+38" if self.dtype == Float32 else "1.79769e+308")
        raise RuntimeError(f"lambda must be in range [0, {largest}] for input dtype "
                           f"{class_name(self.dtype)}, but found {limit:g}")
    if not has_float_kernels(self.dtype):
        raise NotImplementedError(f'"softshrink_check" not implemented for '
                                  f'\'{class_name(self.dtype)}\'')
    return _floating(table.SOFTSHRINK, self, "softshrink_cpu", &limit, out)


cdef TensorImpl _prelu_kernel(TensorImpl self, TensorImpl weight):
    check_broadcast(self, weight)
    if weight.dtype != self.dtype:
        raise RuntimeError(f"Found dtype {class_name(weight.dtype)} but expected "
                           f"{class_name(self.dtype)}")
    if not has_float_kernels(self.dtype):
        raise not_implemented("prelu_cpu", self.dtype)
    cdef TensorImpl result = where(gt(self, scalar_tensor(0, self.dtype)), self, mul(weight, self))
    if numel(self) == 0 and same_sizes(result.geometry, self.geometry):
        return empty_like(self, self.dtype)
    return result
