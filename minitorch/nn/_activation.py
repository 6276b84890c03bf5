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
    """Return max(0, x) for each element.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.relu(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([0., 0., 2.])
    """
    return _ops.relu_(input) if inplace else _ops.relu(input)


def relu6(input, inplace=False):
    """Return min(max(0, x), 6) for each element.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.relu6(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([0., 0., 2.])
    """
    return _ops.hardtanh_(input, 0, 6) if inplace else _ops.relu6(input)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """Return min(max(min_val, x), max_val) for each element.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    min_val : float, default -1.0
    max_val : float, default 1.0
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.hardtanh(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-1.,  0.,  1.])
    """
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return (
        _ops.hardtanh_(input, min_val, max_val)
        if inplace
        else _ops.hardtanh(input, min_val, max_val)
    )


def elu(input, alpha=1.0, inplace=False):
    """Return x where it is positive, and alpha * (exp(x) - 1) elsewhere.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    alpha : float, default 1.0
        The result for -inf is -alpha.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    References
    ----------
    D. Clevert et al., Fast and Accurate Deep Network Learning by Exponential Linear Units, ICLR 2016.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.elu(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.6321,  0.0000,  2.0000])
    """
    return _ops.elu_(input, alpha) if inplace else _ops.elu(input, alpha)


_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


def selu(input, inplace=False):
    """Return scale * elu(x, alpha), with the two constants that keep mean 0 and variance 1.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    References
    ----------
    G. Klambauer et al., Self-Normalizing Neural Networks, NeurIPS 2017.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.selu(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-1.1113,  0.0000,  2.1014])
    """
    return _ops.elu_(input, _SELU_ALPHA, _SELU_SCALE) if inplace else _ops.selu(input)


def celu(input, alpha=1.0, inplace=False):
    """Return x where it is positive, and alpha * (exp(x / alpha) - 1) elsewhere.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    alpha : float, default 1.0
        Unlike for `ELU`, the slope at 0 is 1 for every alpha.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    References
    ----------
    J. Barron, Continuously Differentiable Exponential Linear Units, 2017.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.celu(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.6321,  0.0000,  2.0000])
    """
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return _ops.celu_(input, alpha) if inplace else _ops.celu(input, alpha)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    """Return x where it is positive, and negative_slope * x elsewhere.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    negative_slope : float, default 0.01
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.leaky_relu(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.0100,  0.0000,  2.0000])
    """
    return (
        _ops.leaky_relu_(input, negative_slope)
        if inplace
        else _ops.leaky_relu(input, negative_slope)
    )


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    """Return x where it is positive, and a * x elsewhere, with a random slope a.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    lower : float, default 1/8
    upper : float, default 1/3
        In training, each negative element gets its own slope, drawn uniformly between them; otherwise the
        slope is
        their mean.
    training : bool, default False
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    References
    ----------
    B. Xu et al., Empirical Evaluation of Rectified Activations in Convolutional Network, 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.rrelu(torch.tensor([-24.0, 1.0]))
    tensor([-5.5000,  1.0000])
    """
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
    """Return x * sigmoid(x) for each element, also called swish.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.silu(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.2689,  0.0000,  1.7616])
    """
    return _ops.silu_(input) if inplace else _ops.silu(input)


def mish(input, inplace=False):
    """Return x * tanh(softplus(x)) for each element.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    References
    ----------
    D. Misra, Mish: A Self Regularized Non-Monotonic Activation Function, BMVC 2020.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.mish(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.3034,  0.0000,  1.9440])
    """
    return _ops.mish_(input) if inplace else _ops.mish(input)


def hardsigmoid(input, inplace=False):
    """Return relu6(x + 3) / 6, a sigmoid of three straight lines.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.hardsigmoid(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([0.3333, 0.5000, 0.8333])
    """
    return _ops.hardsigmoid_(input) if inplace else _ops.hardsigmoid(input)


def hardswish(input, inplace=False):
    """Return x * relu6(x + 3) / 6 for each element.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    References
    ----------
    A. Howard et al., Searching for MobileNetV3, ICCV 2019.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.hardswish(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.3333,  0.0000,  1.6667])
    """
    return _ops.hardswish_(input) if inplace else _ops.hardswish(input)


def threshold(input, threshold, value, inplace=False):
    """Return x where it is larger than `threshold`, and `value` elsewhere.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    threshold : float
    value : float
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.threshold(torch.tensor([-1.0, 0.0, 2.0]), 0.5, -5.0)
    tensor([-5., -5.,  2.])
    """
    return (
        _ops.threshold_(input, threshold, value)
        if inplace
        else _ops.threshold(input, threshold, value)
    )


def glu(input, dim=-1):
    """Split the input into halves a and b along `dim`, and return a * sigmoid(b).

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    dim : int, default -1
        The dimension to split. Its size must be even.

    Returns
    -------
    Tensor
        Half the size along `dim`, the dtype of `input`.

    Raises
    ------
    RuntimeError
        If the size along `dim` is odd.

    References
    ----------
    Y. Dauphin et al., Language Modeling with Gated Convolutional Networks, ICML 2017.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.glu(torch.tensor([1.0, 2.0, 0.0, 0.0]))
    tensor([0.5000, 1.0000])
    """
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return _ops.glu(input, dim)


def sigmoid(input):
    """Return 1 / (1 + exp(-x)) for each element.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.sigmoid(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([0.2689, 0.5000, 0.8808])
    """
    return input.sigmoid()


def tanh(input):
    """Return the hyperbolic tangent of each element.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.tanh(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.7616,  0.0000,  0.9640])
    """
    return input.tanh()


def softsign(input):
    """Return x / (1 + |x|) for each element.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.softsign(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.5000,  0.0000,  0.6667])
    """
    return input / (input.abs() + 1)


def tanhshrink(input):
    """Return x - tanh(x) for each element.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.tanhshrink(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.2384,  0.0000,  1.0360])
    """
    return input - input.tanh()


def _get_softmax_dim(name, ndim, stacklevel):
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """Return exp(x) divided by its sum along `dim`.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    dim : int, optional
        The dimension along which the elements belong together. Without it, a warning is given, and it is
        0 for inputs of 0, 1 or 3 dimensions and 1 for others.
    dtype : dtype, optional
        Convert the input to this dtype first.

    Returns
    -------
    Tensor
        The shape of `input`.

    Raises
    ------
    IndexError
        If there is no dimension `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.softmax(torch.tensor([0.0, 1.0]), dim=0)
    tensor([0.2689, 0.7311])
    """
    if dim is None:
        dim = _get_softmax_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """Return the softmax of -x along `dim`.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    dim : int, optional
        The dimension along which the elements belong together. Without it, a warning is given, and it is
        0 for inputs of 0, 1 or 3 dimensions and 1 for others.
    dtype : dtype, optional
        Convert the input to this dtype first.

    Returns
    -------
    Tensor
        The shape of `input`.

    Raises
    ------
    IndexError
        If there is no dimension `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.softmin(torch.tensor([0.0, 1.0]), dim=0)
    tensor([0.7311, 0.2689])
    """
    if dim is None:
        dim = _get_softmax_dim("softmin", input.dim(), _stacklevel)
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """Return the logarithm of the softmax along `dim`, computed without overflow.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    dim : int, optional
        The dimension along which the elements belong together. Without it, a warning is given, and it is
        0 for inputs of 0, 1 or 3 dimensions and 1 for others.
    dtype : dtype, optional
        Convert the input to this dtype first.

    Returns
    -------
    Tensor
        The shape of `input`.

    Raises
    ------
    IndexError
        If there is no dimension `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.log_softmax(torch.tensor([0.0, 1000.0]), dim=0)
    tensor([-1000.,     0.])
    """
    if dim is None:
        dim = _get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """Draw from the Gumbel-softmax distribution, a differentiable form of a random class.

    Parameters
    ----------
    logits : Tensor
        Unnormalized log-probabilities, of any shape.
    tau : float, default 1
        The temperature; the lower, the closer the result is to one class.
    hard : bool, default False
        Return exact zeros and ones, with the gradient of the soft result.
    eps : float, default 1e-10
        Deprecated, without effect.
    dim : int, default -1
        The dimension of the classes.

    Returns
    -------
    Tensor
        The shape and dtype of `logits`; the elements along `dim` sum to 1.

    References
    ----------
    E. Jang et al., Categorical Reparameterization with Gumbel-Softmax, ICLR 2017.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.gumbel_softmax(torch.zeros(4, 3), hard=True).sum(-1)
    tensor([1., 1., 1., 1.])
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
