"""Activation functions."""

import math
import warnings

from minitorch.autograd.by_sample import without_batching_rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.gathered import one_node
from minitorch.autograd.levels import in_transform, innermost_kind
from minitorch.core.types import contiguous_format
from minitorch.nn._precision import raise_not_implemented, require_floating_point
from minitorch.tensors.gradient_checks import reject_tangents


def relu(input, inplace=False):
    """Return max(0, x)."""
    return _ops.relu_(input) if inplace else _ops.relu(input)


def relu6(input, inplace=False):
    """Return min(max(0, x), 6)."""
    return _ops.hardtanh_(input, 0, 6) if inplace else _ops.relu6(input)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """Clamp the elements to the range from `min_val` to `max_val`."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return (
        _ops.hardtanh_(input, min_val, max_val)
        if inplace
        else _ops.hardtanh(input, min_val, max_val)
    )


def elu(input, alpha=1.0, inplace=False):
    """Return x above zero and alpha * (exp(x) - 1) below."""
    return _ops.elu_(input, alpha) if inplace else _ops.elu(input, alpha)


_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


def selu(input, inplace=False):
    """Scale `elu` so that mean 0 and variance 1 are preserved (Klambauer et al. 2017)."""
    return _ops.elu_(input, _SELU_ALPHA, _SELU_SCALE) if inplace else _ops.selu(input)


def celu(input, alpha=1.0, inplace=False):
    """Return max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return _ops.celu_(input, alpha) if inplace else _ops.celu(input, alpha)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    """Return x above zero and negative_slope * x below."""
    return (
        _ops.leaky_relu_(input, negative_slope)
        if inplace
        else _ops.leaky_relu(input, negative_slope)
    )


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    """Apply `leaky_relu`, in training with a random slope for each negative element."""
    return _rrelu(input, None, lower, upper, training, inplace)


def rrelu_with_noise(
    input, noise, lower=1.0 / 8, upper=1.0 / 3, training=False, generator=None, inplace=False
):
    """Apply `rrelu`, and in training write the slopes to `noise` (1 for positive elements)."""
    if noise.shape != input.shape:
        raise RuntimeError(
            "noise tensor shape must match self tensor shape. Got self.shape = "
            f"{list(input.shape)} noise.shape = {list(noise.shape)}"
        )
    return _rrelu(input, noise, lower, upper, training, inplace, generator)


_NOT_YET = "vmap: we do not yet support {name}. Please file an issue"


def _rrelu(input, noise, lower, upper, training, inplace, generator=None):
    if innermost_kind() == "vmap" and in_transform():  # even if no argument is batched
        name = "rrelu_with_noise" if noise is not None else "rrelu_" if inplace else "rrelu"
        raise RuntimeError(_NOT_YET.format(name=f"aten::{name}"))
    for name, bound in (("lower", lower), ("upper", upper)):
        if training and not math.isfinite(bound):
            raise RuntimeError(f"rrelu: {name} bound must be finite, got {bound:g}")
    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    return _with_noise(input, noise, lower, upper, training, inplace, generator)


@without_batching_rule("aten::rrelu_with_noise", _NOT_YET, composed=False)
def _with_noise(input, noise, lower, upper, training, inplace, generator):
    if inplace:
        reject_tangents([input], "rrelu_with_noise_", "inplace")
    if not training:
        mean = (lower + upper) / 2
        if inplace:
            return leaky_relu(input, mean, inplace)
        kept = input.detach() if noise is None else noise
        return _rrelu_node(leaky_relu, input, mean, kept, lower, upper, training)
    slope = _slopes(input, lower, upper, generator)
    if noise is not None:
        noise.copy_(slope)
    if inplace:
        return input.mul_(slope)
    return _rrelu_node(_ops.mul, input, slope, slope, lower, upper, training)


def _slopes(input, lower, upper, generator):
    from minitorch.autograd.functions.creation import ones_like

    require_floating_point(input, "rrelu_with_noise_out_cpu")
    if input.dtype._class_name == "Half":
        raise_not_implemented(input, "rrelu_with_noise_out_cpu")
    slope = ones_like(input)
    negative = input.detach() <= 0
    # PyTorch draws in float64 for every input dtype
    if not input.is_meta:
        drawn = slope[negative].double().uniform_(lower, upper, generator=generator)
        slope[negative] = drawn.to(slope.dtype)
    return slope


def _rrelu_node(function, input, slope, noise, lower, upper, training):
    return one_node(
        "RreluWithNoiseBackward0",
        function,
        (input,),
        (slope,),
        lower=lower,
        noise=noise,
        self=input,
        training=training,
        upper=upper,
    )


def silu(input, inplace=False):
    """Return x * sigmoid(x)."""
    return _ops.silu_(input) if inplace else _ops.silu(input)


def mish(input, inplace=False):
    """Return x * tanh(softplus(x))."""
    return _ops.mish_(input) if inplace else _ops.mish(input)


def hardsigmoid(input, inplace=False):
    """Return relu6(x + 3) / 6."""
    return _ops.hardsigmoid_(input) if inplace else _ops.hardsigmoid(input)


def hardswish(input, inplace=False):
    """Return x * relu6(x + 3) / 6."""
    return _ops.hardswish_(input) if inplace else _ops.hardswish(input)


def threshold(input, threshold, value, inplace=False):
    """Return x where it exceeds `threshold`, and `value` elsewhere."""
    return (
        _ops.threshold_(input, threshold, value)
        if inplace
        else _ops.threshold(input, threshold, value)
    )


def glu(input, dim=-1):
    """Multiply the first half of dimension `dim` by the sigmoid of the second half."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return _ops.glu(input, dim)


def sigmoid(input):
    """Return 1 / (1 + exp(-x))."""
    return input.sigmoid()


def tanh(input):
    """Return the hyperbolic tangent."""
    return input.tanh()


def softsign(input):
    """Return x / (1 + |x|)."""
    return input / (input.abs() + 1)


def tanhshrink(input):
    """Return x - tanh(x)."""
    return input - input.tanh()


def _get_softmax_dim(name, ndim, stacklevel):
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """Return exp(x), normalized to sum to 1 along `dim`."""
    if dim is None:
        dim = _get_softmax_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """Return softmax(-x)."""
    if dim is None:
        dim = _get_softmax_dim("softmin", input.dim(), _stacklevel)
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """Return log(softmax(x)), computed without overflow."""
    if dim is None:
        dim = _get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """Draw a sample of the Gumbel-softmax distribution.

    With `hard`, the result is the one-hot vector of the sample's maximum, and the gradient is that
    of the soft sample.
    """
    from minitorch.autograd.functions.creation import zeros_like

    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    gumbels = -zeros_like(logits.detach(), memory_format=contiguous_format).exponential_().log()
    soft = ((logits + gumbels) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one_hot = zeros_like(logits.detach()).scatter_(dim, index, 1.0)
    return one_hot - soft.detach() + soft
