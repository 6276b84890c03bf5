"""Elementwise losses and their derivatives, composed of elementwise operators.

Each derivative is the derivative of the loss at every element, times the incoming gradient, divided by the number
of elements for a mean. Where possible the first temporary is reused in place.
"""

from libc.math cimport NAN

from minitorch.core.dtype cimport (
    Bool, Float32, Float64, Int64, class_name, has_float_kernels, is_complex, is_floating, itemsizes)
from minitorch.core.iterator cimport is_row_major
from minitorch.core.result_type cimport result_type
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, empty, is_contiguous, ndim, numel, same_sizes, sizes, sizes_tuple,
    wrap_number)
from minitorch.kernels.common cimport table
from minitorch.kernels.nn.squared_error cimport scaled_difference, squared_error_sum
from minitorch.ops.common.bulk cimport zeros
from minitorch.ops.common.checks cimport check_broadcast, not_implemented
from minitorch.ops.common.copy cimport cast, contiguous
from minitorch.ops.common.output cimport check_can_cast
from minitorch.ops.common.scalar cimport item, scalar_tensor, tolist
from minitorch.ops.elementwise.activation cimport log_sigmoid
from minitorch.ops.elementwise.binary cimport add, mul, rsub, sub
from minitorch.ops.elementwise.binary_functions cimport xlogy
from minitorch.ops.elementwise.division cimport div
from minitorch.ops.elementwise.compare cimport gt
from minitorch.ops.elementwise.pointwise cimport SAME, binary
from minitorch.ops.elementwise.ternary cimport clamp, clamp_min
from minitorch.ops.elementwise.unary cimport abs, exp, log, log1p, neg, sigmoid
from minitorch.ops.reduction.extremes cimport amax, amin
from minitorch.ops.reduction.reduction cimport mean, sum
from minitorch.ops.shape.views cimport reshape

cdef enum:
    NONE = 0
    MEAN = 1
    SUM = 2
    RELEASE_GIL = 50000                 # elements from which a kernel runs without the GIL


cdef TensorImpl _reduced(TensorImpl loss, Py_ssize_t reduction):
    if reduction == NONE:
        return loss
    if reduction == MEAN:
        return mean(loss)
    if reduction == SUM:
        return sum(loss)
    raise RuntimeError(f"{reduction} is not a valid value for reduction")


cdef TensorImpl _times_grad(TensorImpl slope, double factor, TensorImpl grad, TensorImpl self,
                            Py_ssize_t reduction):
    """Return slope * factor * grad, row-major, divided by the number of elements for a mean.

    `slope` may be overwritten.
    """
    slope = contiguous(slope)
    if reduction == MEAN:
        factor /= numel(self) if numel(self) else 1
    if not has_float_kernels(grad.dtype) or (
            ndim(grad) == 0 and itemsizes[grad.dtype] < itemsizes[slope.dtype]):
        grad = cast(grad, slope.dtype)
    if numel(grad) == 1 and ndim(grad) == 0:
        # one gradient for all elements: fold it into the factor and make one pass
        return mul(slope, mul(grad, wrap_number(factor)), slope)
    if factor != 1:
        slope = mul(slope, wrap_number(factor), slope)
    return mul(slope, grad)


cdef int _check_floating(TensorImpl self, TensorImpl target, str name) except -1:
    cdef int common = result_type(self, target, None)
    if not has_float_kernels(common):
        raise not_implemented(name, common)
    return 0


cdef int _common_type(TensorImpl grad, TensorImpl self, TensorImpl target, str name) except -1:
    """Return the dtype that a derivative computes in; the result has the dtype of self."""
    cdef int common = result_type(self, target, grad)
    check_can_cast(common, self.dtype)
    if common == Bool or is_complex(common):
        raise not_implemented(name, common)
    return common


cdef int _check_same_dtypes(int wanted, TensorImpl a, TensorImpl b) except -1:
    for t in (a, b):
        if (<TensorImpl>t).dtype != wanted:
            raise RuntimeError(f"Found dtype {class_name((<TensorImpl>t).dtype)} but expected "
                               f"{class_name(wanted)}")
    return 0


cdef inline TensorImpl _number(object value, int dtype):
    """Return a 0-dim tensor of `value`; for integer dtypes it is truncated, as in C++."""
    return scalar_tensor(value if is_floating(dtype) else int(value), dtype)


# ---- differences

cdef inline bint _in_one_pass(TensorImpl self, TensorImpl target) noexcept:
    """Return whether the kernels of squared_error support these operands."""
    return (self.dtype == target.dtype and (self.dtype == Float32 or self.dtype == Float64)
            and same_sizes(self.geometry, target.geometry)
            and is_row_major(self.geometry) and is_contiguous(target))


cdef TensorImpl _squared_error(TensorImpl self, TensorImpl target, Py_ssize_t reduction):
    cdef TensorImpl result = empty(0, NULL, self.dtype)
    cdef char* a = data(self)
    cdef char* b = data(target)
    cdef Py_ssize_t n = numel(self)
    cdef int dtype = self.dtype
    cdef double total
    if n >= RELEASE_GIL:
        with nogil:
            total = squared_error_sum(a, b, n, dtype)
    else:
        total = squared_error_sum(a, b, n, dtype)
    if reduction == MEAN:
        total = total / n if n else NAN
    if dtype == Float32:
        (<float*>data(result))[0] = <float>total
    else:
        (<double*>data(result))[0] = total
    return result


cdef TensorImpl mse_loss(TensorImpl self, TensorImpl target, Py_ssize_t reduction=MEAN):
    _check_floating(self, target, "mse_cpu")
    if (reduction == MEAN or reduction == SUM) and _in_one_pass(self, target):
        return _squared_error(self, target, reduction)
    return _reduced(binary(table.SQUARED_DIFFERENCE, self, target, SAME, "mse_cpu", NULL, None),
                    reduction)


cdef TensorImpl mse_loss_backward(TensorImpl grad_output, TensorImpl self, TensorImpl target,
                                  Py_ssize_t reduction):
    cdef TensorImpl result
    cdef char* a = data(self)
    cdef char* b = data(target)
    cdef char* out
    cdef Py_ssize_t n = numel(self)
    cdef int dtype = self.dtype
    cdef double factor
    if ndim(grad_output) == 0 and grad_output.dtype == dtype and _in_one_pass(self, target):
        if dtype == Float32:
            factor = 2 * (<float*>data(grad_output))[0]
        else:
            factor = 2 * (<double*>data(grad_output))[0]
        if reduction == MEAN and n:
            factor /= n
        result = empty(ndim(self), sizes(self), dtype)
        out = data(result)
        if n >= RELEASE_GIL:
            with nogil:
                scaled_difference(a, b, out, n, factor, dtype)
        else:
            scaled_difference(a, b, out, n, factor, dtype)
        return result
    dtype = _common_type(grad_output, self, target, "mse_backward_cpu_out")
    if not has_float_kernels(dtype):
        factor = 2.0 / numel(self) if reduction == MEAN and numel(self) else 2
        self, target = cast(self, dtype), cast(target, dtype)
        return mul(mul(sub(self, target), _number(factor, dtype)), cast(grad_output, dtype))
    result = sub(cast(self, dtype), cast(target, dtype))
    return cast(_times_grad(result, 2, grad_output, self, reduction), self.dtype)


cdef TensorImpl l1_loss(TensorImpl self, TensorImpl target, Py_ssize_t reduction=MEAN):
    cdef TensorImpl difference = sub(self, target)
    return _reduced(abs(difference, difference if is_floating(difference.dtype) else None),
                    reduction)


cdef TensorImpl smooth_l1_loss(TensorImpl self, TensorImpl target, Py_ssize_t reduction=MEAN,
                               double beta=1):
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    _check_floating(self, target, "smooth_l1_cpu")
    return _reduced(binary(table.SMOOTH_L1, self, target, SAME, "smooth_l1_cpu", &beta, None),
                    reduction)


cdef TensorImpl smooth_l1_loss_backward(TensorImpl grad_output, TensorImpl self, TensorImpl target,
                                        Py_ssize_t reduction, double beta):
    cdef int dtype = _common_type(grad_output, self, target, "smooth_l1_backward_cpu_out")
    cdef int computed = dtype if has_float_kernels(dtype) else Float64
    cdef TensorImpl x = sub(cast(self, computed), cast(target, computed)), slope
    if computed != dtype and reduction == MEAN and numel(self) > 1:
        return zeros(ndim(x), sizes(x), dtype)      # in an integer dtype 1 / n is 0
    if beta == 0:
        slope = sub(mul(gt(x, wrap_number(0)), wrap_number(2.0)), wrap_number(1))
        slope = _times_grad(cast(slope, computed), 1, grad_output, self, reduction)
    else:
        slope = _times_grad(clamp(x, -beta, beta, x), 1 / beta, grad_output, self, reduction)
    return cast(slope if computed == dtype else cast(slope, Int64), self.dtype)


cdef TensorImpl huber_loss(TensorImpl self, TensorImpl target, Py_ssize_t reduction=MEAN,
                           double delta=1):
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    check_can_cast(result_type(self, target, None), self.dtype)
    _check_floating(self, target, "huber_cpu")
    # unlike the other losses, this one returns the dtype of self
    return _reduced(cast(binary(table.HUBER, self, target, SAME, "huber_cpu", &delta, None),
                         self.dtype),
                    reduction)


cdef TensorImpl huber_loss_backward(TensorImpl grad_output, TensorImpl self, TensorImpl target,
                                    Py_ssize_t reduction, double delta):
    cdef TensorImpl x
    _check_same_dtypes(self.dtype, target, grad_output)
    if not has_float_kernels(self.dtype):
        raise not_implemented("huber_backward_cpu_out", self.dtype)
    x = sub(self, target)
    return _times_grad(clamp(x, -delta, delta, x), 1, grad_output, self, reduction)


# log(1 + exp(-y x))
cdef TensorImpl soft_margin_loss(TensorImpl self, TensorImpl target, Py_ssize_t reduction=MEAN):
    check_can_cast(target.dtype, self.dtype)
    cdef TensorImpl loss = mul(self, cast(target, self.dtype))
    if not same_sizes(loss.geometry, self.geometry):
        raise RuntimeError(f"output with shape {list(sizes_tuple(self))} doesn't match the broadcast "
                           f"shape {list(sizes_tuple(loss))}")
    loss = neg(loss, loss)
    exp(loss, loss)
    return _reduced(log1p(loss, loss), reduction)


cdef TensorImpl soft_margin_loss_backward(TensorImpl grad_output, TensorImpl self,
                                          TensorImpl target,
                                          Py_ssize_t reduction):
    # exp(-y x) / (1 + exp(-y x)) is sigmoid(-y x), which does not overflow
    cdef TensorImpl slope = mul(neg(target), self)
    sigmoid(slope, slope)
    return _times_grad(cast(mul(slope, target), self.dtype), -1, grad_output, self, reduction)


# ---- probabilities

cdef Py_ssize_t _first_outside(TensorImpl t) except -1:
    """Return the position of the first element outside of [0, 1], or the number of elements."""
    cdef Py_ssize_t k = 0
    for value in tolist(reshape(t, (-1,))):
        if not 0 <= value <= 1:
            break
        k += 1
    return k


cdef TensorImpl binary_cross_entropy(TensorImpl self, TensorImpl target, TensorImpl weight=None,
                                     Py_ssize_t reduction=MEAN):
    cdef TensorImpl loss, other
    check_broadcast(self, target)
    _check_same_dtypes(self.dtype, target, self)
    if not has_float_kernels(self.dtype):
        raise not_implemented("binary_cross_entropy", self.dtype)
    inside = [numel(t) == 0 or item(amin(t)) >= 0 and item(amax(t)) <= 1 for t in (self, target)]
    if not all(inside):
        # PyTorch checks one element after the other, so the error names the first wrong one
        name = "input" if _first_outside(self) <= _first_outside(target) else "target"
        raise RuntimeError(f"all elements of {name} should be between 0 and 1")
    # the logarithms are clamped to -100, so that the loss is finite
    other = neg(self)
    other = clamp_min(log1p(other, other), -100, other)
    loss = log(self)
    loss = clamp_min(loss, -100, loss)
    # (t - 1) log(1 - x) - t log(x)
    other = mul(sub(target, wrap_number(1)), other)
    loss = sub(other, mul(target, loss), 1, other)
    if weight is not None:
        loss = mul(loss, weight, loss)
    return _reduced(loss, reduction)


cdef TensorImpl binary_cross_entropy_backward(TensorImpl grad_output, TensorImpl self,
                                              TensorImpl target, TensorImpl weight=None,
                                              Py_ssize_t reduction=MEAN):
    cdef TensorImpl slope, scale
    check_broadcast(grad_output, self)
    check_broadcast(self, target)
    _check_same_dtypes(grad_output.dtype, self, target)
    if not has_float_kernels(self.dtype):
        raise not_implemented("binary_cross_entropy_backward", self.dtype)
    scale = rsub(self, wrap_number(1))
    scale = mul(scale, self, scale)
    scale = clamp_min(scale, <float>1e-12, scale)       # the clamp is in float32 for all dtypes, as in PyTorch
    slope = sub(self, target)
    slope = div(slope, scale, None, slope)
    if weight is not None:
        slope = mul(slope, weight, slope)
    # the result has the layout of self
    if reduction == MEAN and numel(self):
        slope = div(slope, wrap_number(numel(self)), None, slope)
    return mul(slope, grad_output)


cdef TensorImpl binary_cross_entropy_with_logits(TensorImpl self, TensorImpl target,
                                                 TensorImpl weight=None, TensorImpl pos_weight=None,
                                                 Py_ssize_t reduction=MEAN):
    cdef TensorImpl logs = log_sigmoid(self), scale, loss
    if pos_weight is not None:
        scale = mul(sub(pos_weight, wrap_number(1)), target)
        logs = mul(logs, add(scale, wrap_number(1)), logs)
    if target.dtype == Bool:
        sub(target, target)             # raises the error for two bool tensors, as PyTorch does
    loss = rsub(target, wrap_number(1))
    mul(loss, self, loss)
    sub(loss, logs, 1, loss)
    if weight is not None:
        mul(loss, weight, loss)
    return _reduced(loss, reduction)


cdef TensorImpl binary_cross_entropy_with_logits_backward(
        TensorImpl grad, TensorImpl self, TensorImpl target, TensorImpl weight,
        TensorImpl pos_weight,
        Py_ssize_t reduction):
    cdef TensorImpl slope = sigmoid(self), scaled
    if pos_weight is not None:
        scaled = mul(pos_weight, target)
        slope = mul(add(sub(scaled, target), wrap_number(1)), slope)
        slope = sub(slope, scaled)
    else:
        slope = sub(slope, target)
    if weight is not None:
        slope = mul(slope, weight)
    return _times_grad(slope, 1, grad, self, reduction)


cdef TensorImpl kl_div(TensorImpl self, TensorImpl target, Py_ssize_t reduction=MEAN,
                       bint log_target=False):
    if log_target:
        return _reduced(mul(exp(target), sub(target, self)), reduction)
    return _reduced(sub(xlogy(target, target), mul(target, self)), reduction)
