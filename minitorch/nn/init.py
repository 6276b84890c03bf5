"""Filling tensors with initial values; each function writes in place and returns the tensor.

The numbers are drawn as PyTorch draws them, so that a seed gives the same weights.

References
----------
Glorot and Bengio 2010 (xavier); He et al. 2015 (kaiming).
"""

import math
import warnings

from minitorch import _overridden
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.overridable import override_namespace as _override
from minitorch.autograd.grad_mode import no_grad

_GAINS = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
_LINEAR = {"linear", "conv1d", "conv2d", "conv3d", "sigmoid", "conv_transpose1d",
           "conv_transpose2d", "conv_transpose3d"}  # fmt: skip


def calculate_gain(nonlinearity, param=None):
    """The factor by which weights in front of this nonlinearity should be larger."""
    if nonlinearity in _LINEAR:
        return 1
    if nonlinearity in _GAINS:
        return _GAINS[nonlinearity]
    if nonlinearity == "leaky_relu":
        if param is None:
            param = 0.01
        elif isinstance(param, bool) or not isinstance(param, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + param**2))
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """Uniform between `a` and `b`."""
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Normal numbers."""
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Normal numbers, those outside of `a` to `b` drawn again."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. "
            "The distribution of values may be incorrect.",
            stacklevel=2,
        )
    low, high = (a - mean) / std, (b - mean) / std
    with no_grad():
        if 0.5 * (math.erf(high / math.sqrt(2)) - math.erf(low / math.sqrt(2))) > 0.3:
            return _draw_until_inside(tensor, mean, std, a, b, generator)
        return _accept_uniform(tensor, low, high, generator).mul_(std).add_(mean)


def _draw_until_inside(tensor, mean, std, a, b, generator):
    tensor.normal_(mean, std, generator=generator)
    while True:
        outside = _ops.logical_or(tensor < a, tensor > b)
        if not outside.any():
            return tensor
        again = tensor.clone().normal_(mean, std, generator=generator)
        tensor.copy_(_ops.where(outside, again, tensor))


def _accept_uniform(tensor, low, high, generator):
    """Normal numbers of a part that few of them are in: uniform ones, accepted by their density."""
    nearest = min(max(low, 0.0), high)  # where the density is largest
    reach = math.sqrt(nearest * nearest + 80.0)  # beyond, it is below exp(-40) of that
    low, high = max(low, -reach), min(high, reach)
    tensor.uniform_(low, high, generator=generator)
    pending = _ops.logical_or(tensor == tensor, tensor != tensor)
    while True:
        density = ((nearest * nearest - tensor * tensor) / 2).exp()
        chance = tensor.clone().uniform_(0.0, 1.0, generator=generator)
        pending = _ops.logical_and(pending, chance >= density)
        if not pending.any():
            return tensor
        again = tensor.clone().uniform_(low, high, generator=generator)
        tensor.copy_(_ops.where(pending, again, tensor))


def constant_(tensor, val):
    """One value for all."""
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor):
    """Ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor):
    """Zeros."""
    with no_grad():
        return tensor.zero_()


def eye_(tensor):
    """The identity matrix."""
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with no_grad():
        tensor.zero_()
        tensor.diagonal().fill_(1)
    return tensor


def _calculate_fan_in_and_fan_out(tensor):
    if tensor.dim() < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    field = math.prod(tensor.shape[2:])
    return tensor.size(1) * field, tensor.size(0) * field


def xavier_uniform_(tensor, gain=1.0, generator=None):
    """Uniform, of variance 2 / (fan_in + fan_out)."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(fan_in + fan_out)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    """Normal, of variance 2 / (fan_in + fan_out)."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def _fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Uniform, of variance gain**2 / fan."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    fan = _fan(tensor, mode)
    bound = math.sqrt(3.0) * (calculate_gain(nonlinearity, a) / math.sqrt(fan))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Normal, of variance gain**2 / fan."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    fan = _fan(tensor, mode)
    return normal_(tensor, 0, calculate_gain(nonlinearity, a) / math.sqrt(fan), generator)


_override(globals(), _overridden.INITIALIZERS, by_keyword=True, torch_modules=("", "torch.nn.init"))
