"""Activation functions as modules."""

import warnings

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.nn import functional as F
from minitorch.nn._making import empty
from minitorch.nn.init import constant_
from minitorch.nn.modules._simple import _REQUIRED, layer
from minitorch.nn.modules.module import Module
from minitorch.nn.parameter import Parameter

ReLU = layer(
    "ReLU",
    "relu",
    """Return max(0, x) for each element.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.
    The derivative at 0 is 0.

    Parameters
    ----------
    inplace : bool, default False
        Write the result into the input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.ReLU()(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([0., 0., 2.])
    """,
    "inplace?",
    inplace=False,
)
SELU = layer(
    "SELU",
    "selu",
    """Return scale * elu(x, alpha), with the two constants that keep mean 0 and variance 1.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.
    alpha is 1.6733 and scale is 1.0507.

    Parameters
    ----------
    inplace : bool, default False
        Write the result into the input.

    References
    ----------
    G. Klambauer et al., Self-Normalizing Neural Networks, NeurIPS 2017.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.SELU()(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-1.1113,  0.0000,  1.0507])
    """,
    "inplace?",
    inplace=False,
)
SiLU = layer(
    "SiLU",
    "silu",
    """Return x * sigmoid(x) for each element, also called swish.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    inplace : bool, default False
        Write the result into the input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.SiLU()(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.2689,  0.0000,  0.7311])
    """,
    "inplace?",
    inplace=False,
)
Mish = layer(
    "Mish",
    "mish",
    """Return x * tanh(softplus(x)) for each element.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    inplace : bool, default False
        Write the result into the input.

    References
    ----------
    D. Misra, Mish: A Self Regularized Non-Monotonic Activation Function, BMVC 2020.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Mish()(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.3034,  0.0000,  0.8651])
    """,
    "inplace?",
    inplace=False,
)
Hardsigmoid = layer(
    "Hardsigmoid",
    "hardsigmoid",
    """Return relu6(x + 3) / 6, a sigmoid of three straight lines.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.
    The result is 0 below -3 and 1 above 3, where the derivative is 0.

    Parameters
    ----------
    inplace : bool, default False
        Write the result into the input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Hardsigmoid()(torch.tensor([-4.0, 0.0, 1.5]))
    tensor([0.0000, 0.5000, 0.7500])
    """,
    inplace=False,
)
Hardswish = layer(
    "Hardswish",
    "hardswish",
    """Return x * relu6(x + 3) / 6 for each element.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.
    The result is 0 below -3 and x above 3.

    Parameters
    ----------
    inplace : bool, default False
        Write the result into the input.

    References
    ----------
    A. Howard et al., Searching for MobileNetV3, ICCV 2019.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Hardswish()(torch.tensor([-4.0, 1.0, 4.0]))
    tensor([-0.0000, 0.6667, 4.0000])
    """,
    inplace=False,
)
Sigmoid = layer(
    "Sigmoid",
    _ops.sigmoid,
    """Return 1 / (1 + exp(-x)) for each element.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    *args, **kwargs
        Not accepted.

    Raises
    ------
    TypeError
        For any argument.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Sigmoid()(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([0.2689, 0.5000, 0.7311])
    """,
)
Tanh = layer(
    "Tanh",
    _ops.tanh,
    """Return the hyperbolic tangent of each element.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    *args, **kwargs
        Not accepted.

    Raises
    ------
    TypeError
        For any argument.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Tanh()(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.7616,  0.0000,  0.7616])
    """,
)
LogSigmoid = layer(
    "LogSigmoid",
    "logsigmoid",
    """Return log(1 / (1 + exp(-x))), computed without overflow.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    *args, **kwargs
        Not accepted.

    Raises
    ------
    TypeError
        For any argument.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.LogSigmoid()(torch.tensor([-100.0, 0.0]))
    tensor([-100.0000,   -0.6931])
    """,
)
Softsign = layer(
    "Softsign",
    "softsign",
    """Return x / (1 + |x|) for each element.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    *args, **kwargs
        Not accepted.

    Raises
    ------
    TypeError
        For any argument.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Softsign()(torch.tensor([-1.0, 0.0, 3.0]))
    tensor([-0.5000,  0.0000,  0.7500])
    """,
)
Tanhshrink = layer(
    "Tanhshrink",
    "tanhshrink",
    """Return x - tanh(x) for each element.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    *args, **kwargs
        Not accepted.

    Raises
    ------
    TypeError
        For any argument.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Tanhshrink()(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.2384,  0.0000,  0.2384])
    """,
)
ELU = layer(
    "ELU",
    "elu",
    """Return x where it is positive, and alpha * (exp(x) - 1) elsewhere.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    alpha : float, default 1.0
        The result for -inf is -alpha.
    inplace : bool, default False
        Write the result into the input.

    References
    ----------
    D. Clevert et al., Fast and Accurate Deep Network Learning by Exponential Linear Units, ICLR 2016.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.ELU()(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.6321,  0.0000,  1.0000])
    """,
    "alpha inplace?",
    alpha=1.0,
    inplace=False,
)
CELU = layer(
    "CELU",
    "celu",
    """Return x where it is positive, and alpha * (exp(x / alpha) - 1) elsewhere.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    alpha : float, default 1.0
        Unlike for `ELU`, the slope at 0 is 1 for every alpha.
    inplace : bool, default False
        Write the result into the input.

    References
    ----------
    J. Barron, Continuously Differentiable Exponential Linear Units, 2017.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.CELU(alpha=2.0)(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.7869,  0.0000,  1.0000])
    """,
    "alpha inplace?",
    alpha=1.0,
    inplace=False,
)
GELU = layer(
    "GELU",
    "gelu",
    """Return x * Phi(x), where Phi is the distribution function of the normal distribution.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    approximate : {"none", "tanh"}, default "none"
        "tanh" replaces Phi(x) by (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))) / 2.

    References
    ----------
    D. Hendrycks and K. Gimpel, Gaussian Error Linear Units, 2016.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.GELU()(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.1587,  0.0000,  0.8413])
    >>> torch.nn.GELU("tanh")(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.1588,  0.0000,  0.8412])
    """,
    "approximate",
    keywords=True,
    approximate="none",
)
LeakyReLU = layer(
    "LeakyReLU",
    "leaky_relu",
    """Return x where it is positive, and negative_slope * x elsewhere.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    negative_slope : float, default 0.01
    inplace : bool, default False
        Write the result into the input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.LeakyReLU(0.1)(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.1000,  0.0000,  2.0000])
    """,
    "negative_slope inplace?",
    negative_slope=0.01,
    inplace=False,
)
Softplus = layer(
    "Softplus",
    "softplus",
    """Return log(1 + exp(beta * x)) / beta, a smooth form of max(0, x).

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    beta : float, default 1.0
        The larger, the sharper the bend at 0.
    threshold : float, default 20.0
        Where beta * x is larger, x itself is returned.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Softplus()(torch.tensor([-1.0, 0.0, 30.0]))
    tensor([ 0.3133,  0.6931, 30.0000])
    """,
    "beta threshold",
    beta=1.0,
    threshold=20.0,
)
Threshold = layer(
    "Threshold",
    "threshold",
    """Return x where it is larger than `threshold`, and `value` elsewhere.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    threshold : float
    value : float
    inplace : bool, default False
        Write the result into the input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Threshold(0.5, -1.0)(torch.tensor([0.2, 0.5, 0.8]))
    tensor([-1.0000, -1.0000,  0.8000])
    """,
    "threshold value inplace?",
    threshold=_REQUIRED,
    value=_REQUIRED,
    inplace=False,
)
GLU = layer(
    "GLU",
    "glu",
    """Split the input into halves a and b along `dim`, and return a * sigmoid(b).

    The output has half the size along `dim`; its dtype is that of the input.

    Parameters
    ----------
    dim : int, default -1
        The dimension to split. Its size must be even.

    Raises
    ------
    RuntimeError
        When the size along `dim` is odd.

    References
    ----------
    Y. Dauphin et al., Language Modeling with Gated Convolutional Networks, ICML 2017.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.GLU()(torch.tensor([1.0, 2.0, 0.0, 0.0]))
    tensor([0.5000, 1.0000])
    """,
    "dim",
    dim=-1,
)


class Hardtanh(Module):
    """Return min(max(min_val, x), max_val) for each element.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.
    The derivative is 0 at and beyond both bounds.

    Parameters
    ----------
    min_val : float, default -1.0
    max_val : float, default 1.0
    inplace : bool, default False
        Write the result into the input.
    min_value, max_value : float, optional
        Deprecated names of `min_val` and `max_val`.

    Raises
    ------
    AssertionError
        Unless `max_val` is larger than `min_val`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Hardtanh()(torch.tensor([-2.0, 0.5, 2.0]))
    tensor([-1.0000,  0.5000,  1.0000])
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
    """Return min(max(0, x), 6) for each element.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    inplace : bool, default False
        Write the result into the input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.ReLU6()(torch.tensor([-1.0, 3.0, 8.0]))
    tensor([0., 3., 6.])
    """

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
    """Return exp(x) divided by its sum along `dim`.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    dim : int, optional
        The dimension along which the elements belong together. Without it, a warning is given, and it is
        0 for inputs of 0, 1 or 3 dimensions and 1 for others.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Softmax(dim=0)(torch.tensor([0.0, 1.0]))
    tensor([0.2689, 0.7311])
    """

    def forward(self, input):
        return F.softmax(input, self.dim, _stacklevel=5)


class LogSoftmax(_AlongDim):
    """Return the logarithm of the softmax along `dim`, computed without overflow.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    dim : int, optional
        The dimension along which the elements belong together. Without it, a warning is given, and it is
        0 for inputs of 0, 1 or 3 dimensions and 1 for others.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.LogSoftmax(dim=0)(torch.tensor([0.0, 1000.0]))
    tensor([-1000.,     0.])
    """

    def forward(self, input):
        return F.log_softmax(input, self.dim, _stacklevel=5)


class Softmin(_AlongDim):
    """Return the softmax of -x along `dim`.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    dim : int, optional
        The dimension along which the elements belong together. Without it, a warning is given, and it is
        0 for inputs of 0, 1 or 3 dimensions and 1 for others.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Softmin(dim=0)(torch.tensor([0.0, 1.0]))
    tensor([0.7311, 0.2689])
    """

    def forward(self, input):
        return F.softmin(input, self.dim, _stacklevel=5)


class Softmax2d(Module):
    """Return the softmax over the channels of images.

    The input has the shape ``(N, C, H, W)`` or ``(C, H, W)``; the output has the same shape and dtype.

    Parameters
    ----------
    *args, **kwargs
        None are allowed.

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
    """Return x where it is positive, and a * x elsewhere, with a random slope a.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    lower : float, default 1/8
    upper : float, default 1/3
        In training, each negative element gets its own slope, drawn uniformly between `lower` and `upper`.
        In evaluation the slope is their mean.
    inplace : bool, default False
        Write the result into the input.

    References
    ----------
    B. Xu et al., Empirical Evaluation of Rectified Activations in Convolutional Network, 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.RReLU().eval()(torch.tensor([-24.0, 1.0]))
    tensor([-5.5000,  1.0000])
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
    """Return x where |x| is larger than `lambd`, and 0 elsewhere.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    lambd : float, default 0.5

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Hardshrink()(torch.tensor([-1.0, 0.2, 0.7]))
    tensor([-1.0000,  0.0000,  0.7000])
    """

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input):
        return F.hardshrink(input, self.lambd)

    def extra_repr(self):
        return str(self.lambd)


class Softshrink(Hardshrink):
    """Move each element towards 0 by `lambd`, and stop at 0.

    The input may have any shape and a floating-point dtype; the output has the same shape and dtype.

    Parameters
    ----------
    lambd : float, default 0.5

    Raises
    ------
    RuntimeError
        When the layer is called and `lambd` is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Softshrink()(torch.tensor([-1.0, 0.2, 0.7]))
    tensor([-0.5000,  0.0000,  0.2000])
    """

    def forward(self, input):
        return F.softshrink(input, self.lambd)


class PReLU(Module):
    """Return x where it is positive, and weight * x elsewhere; the weight is learned.

    The output has the shape and dtype of the input. The parameter `weight` has the shape
    ``(num_parameters,)``.

    Parameters
    ----------
    num_parameters : int, default 1
        One weight for all elements, or one for each channel (the second dimension of the input).
    init : float, default 0.25
        The initial value of the weights.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    References
    ----------
    K. He et al., Delving Deep into Rectifiers, ICCV 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.PReLU()(torch.tensor([-1.0, 2.0])).detach()
    tensor([-0.2500,  2.0000])
    """

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
