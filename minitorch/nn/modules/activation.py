"""Activation functions as modules."""

import warnings

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.nn import functional as F
from minitorch.nn._making import empty
from minitorch.nn.init import constant_
from minitorch.nn.modules._simple import _REQUIRED, layer
from minitorch.nn.modules.module import Module
from minitorch.nn.parameter import Parameter

ReLU = layer("ReLU", "relu", "max(0, x).", "inplace?", inplace=False)
SELU = layer(
    "SELU", "selu", "scale * elu(x), with fixed scale and alpha.", "inplace?", inplace=False
)
SiLU = layer("SiLU", "silu", "x * sigmoid(x).", "inplace?", inplace=False)
Mish = layer("Mish", "mish", "x * tanh(softplus(x)).", "inplace?", inplace=False)
Hardsigmoid = layer("Hardsigmoid", "hardsigmoid", "relu6(x + 3) / 6.", inplace=False)
Hardswish = layer("Hardswish", "hardswish", "x * relu6(x + 3) / 6.", inplace=False)
Sigmoid = layer("Sigmoid", _ops.sigmoid, "1 / (1 + exp(-x)).")
Tanh = layer("Tanh", _ops.tanh, "The hyperbolic tangent.")
LogSigmoid = layer("LogSigmoid", "logsigmoid", "log(sigmoid(x)).")
Softsign = layer("Softsign", "softsign", "x / (1 + |x|).")
Tanhshrink = layer("Tanhshrink", "tanhshrink", "x - tanh(x).")
ELU = layer("ELU", "elu", "x, or alpha * (exp(x) - 1) below 0.", "alpha inplace?",
            alpha=1.0, inplace=False)  # fmt: skip
CELU = layer("CELU", "celu", "x, or alpha * (exp(x / alpha) - 1) below 0.", "alpha inplace?",
             alpha=1.0, inplace=False)  # fmt: skip
GELU = layer("GELU", "gelu", "x * Phi(x), where Phi is the normal distribution function.",
             "approximate", keywords=True, approximate="none")  # fmt: skip
LeakyReLU = layer("LeakyReLU", "leaky_relu", "x, or negative_slope * x below 0.",
                  "negative_slope inplace?", negative_slope=0.01, inplace=False)  # fmt: skip
Softplus = layer("Softplus", "softplus", "log(1 + exp(beta * x)) / beta.", "beta threshold",
                 beta=1.0, threshold=20.0)  # fmt: skip
Threshold = layer("Threshold", "threshold", "x above the threshold, else value.",
                  "threshold value inplace?", threshold=_REQUIRED, value=_REQUIRED, inplace=False)  # fmt: skip
GLU = layer("GLU", "glu", "The first half times the sigmoid of the second half along `dim`.", "dim",
            dim=-1)  # fmt: skip


class Hardtanh(Module):
    """A layer that clamps the elements to the range from `min_val` to `max_val`.

    Parameters
    ----------
    min_val, max_val : float
    inplace : bool, default False
    min_value, max_value : float, optional
        Deprecated names of `min_val` and `max_val`.

    Raises
    ------
    AssertionError
        Unless `max_val` is larger than `min_val`.
    """

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
        super().__init__()
        self.min_val = _renamed("min_value", min_value, "min_val", min_val)
        self.max_val = _renamed("max_value", max_value, "max_val", max_val)
        self.inplace = inplace
        if self.max_val <= self.min_val:
            raise AssertionError(
                f"max_val ({self.max_val}) must be greater than min_val ({self.min_val})"
            )

    def forward(self, input):
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self):
        inplace = ", inplace=True" if self.inplace else ""
        return f"min_val={self.min_val}, max_val={self.max_val}{inplace}"


class ReLU6(Hardtanh):
    """min(max(0, x), 6)."""

    def __init__(self, inplace=False):
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


def _renamed(old, given, new, value):
    """Return the value of a renamed parameter, with a warning if its old name was used."""
    if given is None:
        return value
    warnings.warn(
        f"keyword argument `{old}` is deprecated and renamed to `{new}`",
        FutureWarning,
        stacklevel=3,
    )
    return given


class _AlongDim(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def extra_repr(self):
        return f"dim={self.dim}"


class Softmax(_AlongDim):
    """exp(x), normalized to sum to 1 along `dim`."""

    def forward(self, input):
        return F.softmax(input, self.dim, _stacklevel=5)


class LogSoftmax(_AlongDim):
    """log(softmax(x))."""

    def forward(self, input):
        return F.log_softmax(input, self.dim, _stacklevel=5)


class Softmin(_AlongDim):
    """softmax(-x)."""

    def forward(self, input):
        return F.softmin(input, self.dim, _stacklevel=5)


class Softmax2d(Module):
    """Softmax over the channels of (N, C, H, W) or (C, H, W).

    Raises
    ------
    ValueError
        For an input with another number of dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Softmax2d()(torch.zeros(2, 1, 1)).flatten()
    tensor([0.5000, 0.5000])
    """

    def forward(self, input):
        if input.dim() not in (3, 4):
            raise ValueError(
                f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead"
            )
        return F.softmax(input, -3, _stacklevel=5)


class RReLU(Module):
    """`leaky_relu`, in training with a random slope for each negative element.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.RReLU(0.25, 0.75).eval()(torch.tensor([-1.0, 1.0]))
    tensor([-0.5000,  1.0000])
    """

    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False):
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input):
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self):
        text = f"lower={self.lower}, upper={self.upper}"
        return text + (", inplace=True" if self.inplace else "")


class Hardshrink(Module):
    """x where |x| is greater than `lambd`, else 0."""

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input):
        return F.hardshrink(input, self.lambd)

    def extra_repr(self):
        return str(self.lambd)


class Softshrink(Hardshrink):
    """x shrunk towards 0 by `lambd`, or 0 where |x| is at most `lambd`."""

    def forward(self, input):
        return F.softshrink(input, self.lambd)


class PReLU(Module):
    """`leaky_relu` with learnable slopes."""

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        """Reset the slopes to `init`."""
        constant_(self.weight, self.init)

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"
