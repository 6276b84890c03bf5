"""Derivatives of the activation functions, each computed in one pass over its two operands.

At the kinks the comparisons follow PyTorch: the gradient of relu at 0 is 0, and so is the gradient of hardtanh at
its limits.
"""

from minitorch.core.dtype cimport Bool, class_name, has_float_kernels, is_complex
from minitorch.core.result_type cimport result_type
from minitorch.core.tensor_impl cimport TensorImpl, empty_like, same_sizes, wrap_number
from minitorch.kernels.common cimport table
from minitorch.ops.common.checks cimport check_broadcast, not_implemented
from minitorch.ops.common.copy cimport cast
from minitorch.ops.common.output cimport check_can_cast
from minitorch.ops.common.scalar cimport number_for, parameter_for, scalar_tensor
from minitorch.ops.elementwise.binary cimport add, mul, rsub
from minitorch.ops.elementwise.division cimport div
from minitorch.ops.elementwise.compare cimport gt, le, logical_or, lt
from minitorch.ops.elementwise.pointwise cimport SAME, binary
from minitorch.ops.elementwise.ternary cimport where
from minitorch.ops.elementwise.unary cimport abs, conj_physical, sigmoid


cdef TensorImpl _laid_out_as(TensorImpl first, TensorImpl second, int dtype):
    """Return an empty result with the layout of `first`, or None if the layouts agree or the sizes differ.

    PyTorch's iterator has the operands in this order, so the result takes the layout of `first`.
    """
    if first.geometry == second.geometry or not same_sizes(first.geometry, second.geometry):
        return None
    return empty_like(first, dtype)


cdef TensorImpl tanh_backward(TensorImpl grad_output, TensorImpl output):
    return binary(table.TANH_BACKWARD, grad_output, output, SAME, "tanh_backward_cpu", NULL, None)


cdef TensorImpl sigmoid_backward(TensorImpl grad_output, TensorImpl output):
    return binary(table.SIGMOID_BACKWARD, grad_output, output, SAME, "sigmoid_backward_cpu", NULL,
                  None)


cdef TensorImpl logit_backward(TensorImpl grad_output, TensorImpl self, object eps):
    cdef bint bounded = eps is not None and eps >= 0
    cdef double low = eps if bounded else 0
    cdef int common = result_type(grad_output, self, None)
    if not has_float_kernels(common):
        raise not_implemented("logit_backward_cpu", common)
    self = cast(self, common)
    # abs() makes the quotient infinite with the sign of the gradient where self is 0 or -0
    cdef TensorImpl slope = div(grad_output, abs(mul(self, rsub(self, wrap_number(1)))))
    cdef TensorImpl outside = logical_or(lt(self, wrap_number(low)), gt(self, wrap_number(1 - low)))
    return where(outside, wrap_number(0.0 if bounded else float("nan")), slope)


cdef TensorImpl threshold_backward(TensorImpl grad_output, TensorImpl self, object threshold):
    cdef int common = result_type(grad_output, self, None)
    threshold = number_for(threshold, common)
    cdef double limit = parameter_for(threshold, common)
    check_broadcast(self, grad_output)
    if common != Bool and not is_complex(common) and not has_float_kernels(common):
        return where(le(cast(self, common), scalar_tensor(int(threshold), common)),
                     scalar_tensor(0, common), cast(grad_output, common))
    return binary(table.THRESHOLD_BACKWARD, grad_output, self, SAME, "threshold_cpu", &limit,
                  _laid_out_as(self, grad_output, common))


cdef TensorImpl hardtanh_backward(TensorImpl grad_output, TensorImpl self, object min_val,
                                  object max_val):
    cdef double[2] params
    params[0] = parameter_for(min_val, self.dtype)
    params[1] = parameter_for(max_val, self.dtype)
    return binary(table.HARDTANH_BACKWARD, grad_output, self, SAME, "hardshrink_backward_cpu",
                  params, None)


cdef TensorImpl leaky_relu_backward(TensorImpl grad_output, TensorImpl self, object negative_slope,
                                    bint self_is_result):
    cdef double slope = parameter_for(negative_slope, self.dtype)
    if self_is_result and slope < 0:
        raise RuntimeError(
            "In-place leakyReLu backward calculation is triggered with a negative slope which is "
            "not supported. This is caused by calling in-place forward function with a negative "
            "slope, please call out-of-place version instead. File an issue at "
            "https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu "
            "backward calculation with negative slope")
    check_broadcast(self, grad_output)
    return binary(table.LEAKY_RELU_BACKWARD, grad_output, self, SAME, "leaky_relu_backward_cpu",
                  &slope, _laid_out_as(self, grad_output, result_type(grad_output, self, None)))


cdef TensorImpl elu_backward(TensorImpl grad_output, object alpha, object scale, object input_scale,
                             bint is_result, TensorImpl self_or_result):
    cdef double[3] params
    params[0] = parameter_for(alpha, self_or_result.dtype)
    params[1] = parameter_for(scale, self_or_result.dtype)
    params[2] = parameter_for(input_scale, self_or_result.dtype)
    if is_result and params[0] < 0:
        raise RuntimeError(
            "In-place elu backward calculation is triggered with a negative slope which is not "
            "supported. This is caused by calling in-place forward function with a negative slope, "
            "please call out-of-place version instead.")
    return binary(table.ELU_BACKWARD_FROM_RESULT if is_result else table.ELU_BACKWARD, grad_output,
                  self_or_result, SAME, "elu_backward_cpu", params, None)


cdef TensorImpl gelu_backward(TensorImpl grad_output, TensorImpl self, str approximate="none"):
    return binary(table.GELU_TANH_BACKWARD if approximate == "tanh" else table.GELU_BACKWARD,
                  grad_output, self, SAME, "GeluBackwardKernelImpl", NULL, None)


cdef TensorImpl silu_backward(TensorImpl grad_output, TensorImpl self):
    cdef TensorImpl gate
    if is_complex(grad_output.dtype) or is_complex(self.dtype):
        # the conjugate of s (1 + x (1 - s)), s being sigmoid(x)
        gate = sigmoid(self)
        gate = mul(gate, add(mul(self, rsub(gate, wrap_number(1))), wrap_number(1)))
        return mul(grad_output, conj_physical(gate))
    return binary(table.SILU_BACKWARD, grad_output, self, SAME, "silu_backward_cpu", NULL, None)


cdef TensorImpl mish_backward(TensorImpl grad_output, TensorImpl self):
    check_can_cast(result_type(grad_output, self, None), self.dtype)
    return cast(binary(table.MISH_BACKWARD, grad_output, self, SAME, "mish_backward_cpu", NULL,
                       None), self.dtype)


cdef TensorImpl softplus_backward(TensorImpl grad_output, TensorImpl self, object beta,
                                  object threshold):
    cdef double[2] params
    params[0] = parameter_for(beta, self.dtype)
    params[1] = parameter_for(threshold, self.dtype)
    return binary(table.SOFTPLUS_BACKWARD, grad_output, self, SAME, "softplus_backward_cpu", params,
                  None)


cdef TensorImpl log_sigmoid_backward(TensorImpl grad_output, TensorImpl self):
    check_broadcast(self, grad_output)
    if grad_output.dtype != self.dtype:
        raise RuntimeError(f"Found dtype {class_name(grad_output.dtype)} but expected "
                           f"{class_name(self.dtype)}")
    return binary(table.LOG_SIGMOID_BACKWARD, grad_output, self, SAME, "log_sigmoid_backward_cpu",
                  NULL, _laid_out_as(grad_output, self, self.dtype))


cdef TensorImpl hardsigmoid_backward(TensorImpl grad_output, TensorImpl self):
    return binary(table.HARDSIGMOID_BACKWARD, grad_output, self, SAME, "hardsigmoid_backward", NULL,
                  None)


cdef TensorImpl hardswish_backward(TensorImpl grad_output, TensorImpl self):
    return binary(table.HARDSWISH_BACKWARD, grad_output, self, SAME, "hardswish_backward_cpu", NULL,
                  None)


cdef TensorImpl _shrink_backward(TensorImpl grad_output, TensorImpl self, object lambd):
    """Return the gradient where |self| > lambd or self is nan, and 0 elsewhere."""
    cdef int common = result_type(grad_output, self, None)
    cdef double limit
    check_broadcast(grad_output, self)
    if not has_float_kernels(common):
        raise not_implemented("shrink_backward_cpu", common)
    limit = parameter_for(lambd, common)
    return binary(table.SHRINK_BACKWARD, grad_output, self, SAME, "shrink_backward_cpu", &limit, None)


cdef TensorImpl hardshrink_backward(TensorImpl grad_out, TensorImpl self, object lambd):
    return _shrink_backward(grad_out, self, lambd)


cdef TensorImpl softshrink_backward(TensorImpl grad_output, TensorImpl self, object lambd):
    return _shrink_backward(grad_output, self, lambd)


cdef tuple _prelu_kernel_backward(TensorImpl grad_output, TensorImpl self, TensorImpl weight):
    cdef TensorImpl zero = scalar_tensor(0, self.dtype)
    for t in (grad_output, weight):
        if (<TensorImpl>t).dtype != self.dtype:
            raise RuntimeError(f"Found dtype {class_name((<TensorImpl>t).dtype)} but expected "
                               f"{class_name(self.dtype)}")
    if not has_float_kernels(self.dtype):
        raise not_implemented("prelu_backward_cpu", self.dtype)
    cdef TensorImpl positive = gt(self, zero)
    return (where(positive, grad_output, mul(weight, grad_output)),
            where(positive, zero, mul(self, grad_output)))
