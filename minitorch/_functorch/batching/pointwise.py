"""Elementwise operators: the batch is one more dimension."""

from minitorch._functorch.batching._common import (
    check_written,
    expanded,
    in_front,
    is_batched,
    rule,
    rules,
    wrapped,
    written,
)
from minitorch._functorch.batching.fallback import warn_of_backward
from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.namespace import result_type
from minitorch.autograd.levels import is_older
from minitorch.autograd.operators import full_name_of
from minitorch.autograd.vmap_steps import unwrapped
from minitorch.core.types import channels_last, channels_last_3d, contiguous_format

# operators with at most one tensor, whose other arguments name no dimension
_UNARY = """
    _add_scalar _sub_scalar _mul_scalar _div_scalar subtract_scalar
    abs acos acosh angle asin asinh atan atanh bitwise_not ceil celu clamp clamp_max clamp_min
    conj_physical cos cosh deg2rad digamma elu erf erfc erfinv exp exp2 expm1 fill_copy floor frac gelu hardshrink hardsigmoid
    hardswish hardtanh i0 _isfinite isinf isnan leaky_relu lgamma log log10 log1p log2 log_sigmoid logical_not
    logit mish nan_to_num neg positive polygamma pow_number pow_scalar rad2deg reciprocal relu round rsqrt sgn sigmoid sign
    signbit silu sin sinc sinh softplus softshrink special_airy_ai special_bessel_j0 special_bessel_j1
    special_bessel_y0 special_bessel_y1 special_entr special_erfcx special_i0e special_i1 special_i1e
    special_log_ndtr special_modified_bessel_i0 special_modified_bessel_i1 special_modified_bessel_k0
    special_modified_bessel_k1 special_ndtri special_scaled_modified_bessel_k0
    special_scaled_modified_bessel_k1 special_spherical_bessel_j0 sqrt tan tanh threshold trunc fill zero
    cast _to_copy detach alias clone zeros_like ones_like full_like empty_like frexp mvlgamma alias_copy detach_copy
    _once_differentiable zeroed
"""

_BROADCASTING = """
    add sub rsub mul div remainder fmod pow maximum minimum fmax fmin atan2 hypot copysign nextafter logaddexp
    logaddexp2 xlogy addcmul addcdiv lerp lerp_scalar clamp_tensor clamp_min_tensor clamp_max_tensor where masked_fill
    threshold_backward hardtanh_backward leaky_relu_backward elu_backward gelu_backward silu_backward mish_backward
    softplus_backward log_sigmoid_backward hardsigmoid_backward hardswish_backward hardshrink_backward
    softshrink_backward tanh_backward sigmoid_backward logit_backward special_xlog1py floor_divide complex eq ne lt le gt ge
    logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift
    heaviside gcd lcm igamma igammac special_zeta ldexp copy _standard_gamma_grad
    special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_chebyshev_polynomial_v
    special_chebyshev_polynomial_w special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u
    special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w special_hermite_polynomial_h
    special_hermite_polynomial_he special_laguerre_polynomial_l special_legendre_polynomial_p _prelu_kernel
    native_dropout_backward
"""

# operators on one tensor for which PyTorch's rules move the batch to the front
_IN_FRONT = frozenset(
    """
    _isfinite frexp log_sigmoid pow_number alias_copy polygamma special_modified_bessel_i0 special_modified_bessel_i1
    special_modified_bessel_k0 special_modified_bessel_k1 special_scaled_modified_bessel_k0
    special_scaled_modified_bessel_k1 special_spherical_bessel_j0
    """.split()
)
# operators in place for which PyTorch's rules do not move the batch to the front
_IN_PLACE_ANYWHERE = frozenset(
    """
    _add_scalar _sub_scalar _mul_scalar _div_scalar subtract_scalar clamp conj_physical fill_tensor
    eq ne lt le gt ge fmod remainder xlogy
    """.split()
)
# broadcasting operators that leave the batch in place if the other operand is a number
_WITH_NUMBER = frozenset("eq ne lt le gt ge fmod remainder copysign rsub xlogy".split())

# here a 0-dim operand does not affect the dtype; for the last two PyTorch treats it like one with
# dimensions
_OF_ONE_DTYPE = {
    "copy",
    "copied",
    "where",
    "masked_fill",
    "addcmul",
    "addcdiv",
    "lerp",
    "lerp_scalar",
    "clamp_tensor",
}


def unary(operator, arguments, level):
    """Apply an operator with the batch left in place, or first where PyTorch moves it."""
    check_written(operator, arguments, level)
    if operator.form == "_":
        moved = operator.name not in _IN_PLACE_ANYWHERE
    else:
        moved = operator.name in _IN_FRONT
    dim = 0
    values = []
    for argument in arguments:
        if is_batched(argument, level):
            if moved:
                argument = in_front(argument, level)
            else:
                argument, dim = unwrapped(argument, level)
        values.append(argument)
    result = operator(*values)
    if operator.form:
        return written(operator, arguments)
    return arguments[0] if result is values[0] else wrapped(result, level, dim)


# docs: transform, rule
def broadcasting(operator, arguments, level):
    """Apply an operator with the batch first and the samples aligned for broadcasting."""
    if operator.name in _WITH_NUMBER and ".Scalar" in full_name_of(operator, arguments):
        return unary(operator, arguments, level)
    check_written(operator, arguments, level)
    ndim = max(t.dim() for t in arguments if isinstance(t, Tensor))
    dtype = None
    if operator.name not in _OF_ONE_DTYPE:
        dtype = _common_dtype(arguments, level)
    values = []
    for k, t in enumerate(arguments):
        if is_batched(t, level):
            t = aligned(in_front(t, level), ndim)
        if dtype is not None and isinstance(t, Tensor) and not (operator.form and k == 0):
            t = t.to(dtype)
        values.append(t)
    result = operator(*values)
    if operator.form:
        return written(operator, arguments)
    return wrapped(result, level)


# docs: end
def aligned(t, ndim):
    """Insert dimensions of size 1 after the batch, so that samples have `ndim` dimensions."""
    missing = ndim + 1 - t.dim()
    return t.reshape(t.shape[0], *(1,) * missing, *t.shape[1:]) if missing > 0 else t


def _common_dtype(arguments, level):
    """Return the common dtype if some, but not all, operands are batched 0-dim tensors.

    Their batches have a dimension, but as 0-dim operands they have to promote weakly.
    """
    tensors = [t for t in arguments if isinstance(t, Tensor)]
    numbers = [t.dim() == 0 and is_batched(t, level) for t in tensors]
    if not any(numbers) or all(numbers):
        return None
    dtype = tensors[0].dtype
    if all(t.dtype == dtype for t in tensors):
        return None
    sizes = [t for t in tensors if t.dim()] or tensors
    common = sizes[0]
    for other in [*sizes[1:], *(t for t in tensors if t.dim() == 0)]:
        result = result_type(common, other)
        if result != common.dtype:
            common = _ops.empty((1,) * max(common.dim(), other.dim()), dtype=result)
    return common.dtype


for _name in _UNARY.split():
    rules[_name] = unary
for _name in _BROADCASTING.split():
    rules[_name] = broadcasting


@rule("masked_fill")
def _masked_fill(operator, arguments, level):
    self, mask, value = arguments
    if not isinstance(value, Tensor) or not is_batched(value, level):
        return broadcasting(operator, arguments, level)
    check_written(operator, arguments, level)
    result = _ops.where(mask, value.to(self.dtype), self)
    return self.copy_(result) if operator.form == "_" else result


@rule("copied")
def _copied(operator, arguments, level):
    self, *rest = arguments
    return broadcasting(operator, (wrapped(expanded(self, level), level), *rest), level)


@rule("fill_tensor")
def _fill_tensor(operator, arguments, level):
    self, value = arguments
    if is_older(level) and not is_batched(self, level):
        shape = list(self.shape)
        raise RuntimeError(
            f"output with shape {[1, *shape]} doesn't match the broadcast shape {[level.batch_size, *shape]}"
        )
    check_written(operator, arguments, level)
    if not is_batched(value, level):
        return unary(operator, arguments, level)
    return self.copy_(value.to(self.dtype))


@rule("_prelu_kernel_backward")
def _prelu_kernel_backward(operator, arguments, level):
    ndim = max(t.dim() for t in arguments)
    return wrapped(operator(*(aligned(expanded(t, level), ndim) for t in arguments)), level)


_CHANNELS_LAST = {channels_last._code: "ChannelsLast", channels_last_3d._code: "ChannelsLast3d"}


@rule("clone")
def _clone(operator, arguments, level):
    self, memory_format = arguments
    if memory_format == contiguous_format._code:
        # each sample has to be contiguous
        return wrapped(operator(in_front(self, level), memory_format), level)
    if memory_format in _CHANNELS_LAST:
        raise RuntimeError(
            "NYI: Tensor.clone(memory_format) inside vmap is only supported with memory_format "
            "torch.preserve_format or torch.contiguous_format "
            f"(got {_CHANNELS_LAST[memory_format]})"
        )
    return unary(operator, arguments, level)


@rule("_delayed_error")
def _delayed_error(operator, arguments, level):
    grad, self, *rest = arguments
    warn_of_backward(rest[0], level)
    self = unwrapped(self, level)[0] if isinstance(self, Tensor) else None
    return wrapped(operator(expanded(grad, level), self, *rest), level)
