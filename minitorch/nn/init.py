"""Initializers, which fill a tensor in place and return it.

They draw the same numbers as PyTorch, so a seed gives the same weights.

References
----------
Glorot and Bengio 2010 (xavier); He et al. 2015 (kaiming).
"""

import math
import warnings
from functools import wraps

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.overridable import override_namespace as _override
from minitorch.autograd.functions.random import randperm
from minitorch.autograd.grad_mode import no_grad
from minitorch.namespace import overridden as _overridden

__all__ = [
    "calculate_gain",
    "constant",
    "constant_",
    "dirac",
    "dirac_",
    "eye",
    "eye_",
    "kaiming_normal",
    "kaiming_normal_",
    "kaiming_uniform",
    "kaiming_uniform_",
    "normal",
    "normal_",
    "ones_",
    "orthogonal",
    "orthogonal_",
    "sparse",
    "sparse_",
    "trunc_normal_",
    "uniform",
    "uniform_",
    "xavier_normal",
    "xavier_normal_",
    "xavier_uniform",
    "xavier_uniform_",
    "zeros_",
]

_GAINS = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
_LINEAR = {"linear", "conv1d", "conv2d", "conv3d", "sigmoid", "conv_transpose1d",
           "conv_transpose2d", "conv_transpose3d"}  # fmt: skip


def calculate_gain(nonlinearity, param=None):
    """Return the factor by which to scale weights that feed a nonlinearity.

    Parameters
    ----------
    nonlinearity : str
        "linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu" or the name of a convolution such as
        "conv2d".
    param : float, optional
        The negative slope of "leaky_relu", by default 0.01.

    Returns
    -------
    float
        The gain.

    Raises
    ------
    ValueError
        For another nonlinearity, or a slope that is no number.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.init.calculate_gain("leaky_relu", 0.2)
    1.3867504905630728
    """
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
    """Fill a tensor with numbers that are uniform between `a` and `b`.

    Parameters
    ----------
    tensor : Tensor
        Any shape and a floating-point dtype. It is filled in place, without recording.
    a : float, default 0.0
    b : float, default 1.0
    generator : Generator, optional
        Draws the numbers; by default the generator that `torch.manual_seed` seeds.

    Returns
    -------
    Tensor
        `tensor` itself.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.nn.init.uniform_(torch.empty(100), -1.0, 1.0)
    >>> bool((w.abs() <= 1).all())
    True
    """
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Fill a tensor with normally distributed numbers.

    Parameters
    ----------
    tensor : Tensor
        Any shape and a floating-point dtype. It is filled in place, without recording.
    mean : float, default 0.0
    std : float, default 1.0
    generator : Generator, optional
        Draws the numbers; by default the generator that `torch.manual_seed` seeds.

    Returns
    -------
    Tensor
        `tensor` itself.

    Raises
    ------
    RuntimeError
        If `std` is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.init.normal_(torch.empty(2, 3), std=0.02).shape
    torch.Size([2, 3])
    """
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Fill a tensor with normally distributed numbers between `a` and `b`.

    A warning is given if `mean` is more than two standard deviations outside of the interval.

    Parameters
    ----------
    tensor : Tensor
        Any shape and a floating-point dtype. It is filled in place, without recording.
    mean : float, default 0.0
    std : float, default 1.0
    a : float, default -2.0
    b : float, default 2.0
        Numbers outside of ``[a, b]`` are drawn again.
    generator : Generator, optional
        Draws the numbers; by default the generator that `torch.manual_seed` seeds.

    Returns
    -------
    Tensor
        `tensor` itself.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.nn.init.trunc_normal_(torch.empty(100))
    >>> bool((w.abs() <= 2).all())
    True
    """
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. "
            "The distribution of values may be incorrect.",
            stacklevel=2,
        )
    if tensor.is_meta:
        return tensor
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
    """Fill with normal numbers from an unlikely interval, by rejection sampling."""
    nearest = min(max(low, 0.0), high)  # the density is largest here
    reach = math.sqrt(nearest * nearest + 80.0)  # beyond, the density is relatively below exp(-40)
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
    """Fill a tensor with one number.

    Parameters
    ----------
    tensor : Tensor
        Any shape and dtype. It is filled in place, without recording.
    val : number

    Returns
    -------
    Tensor
        `tensor` itself.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.init.constant_(torch.empty(2), 0.3)
    tensor([0.3000, 0.3000])
    """
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor):
    """Fill a tensor with ones.

    Parameters
    ----------
    tensor : Tensor
        Any shape and dtype. It is filled in place, without recording.

    Returns
    -------
    Tensor
        `tensor` itself.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.init.ones_(torch.empty(2))
    tensor([1., 1.])
    """
    with no_grad():
        return tensor.fill_(1.0)


def zeros_(tensor):
    """Fill a tensor with zeros.

    Parameters
    ----------
    tensor : Tensor
        Any shape and dtype. It is filled in place, without recording.

    Returns
    -------
    Tensor
        `tensor` itself.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.init.zeros_(torch.empty(2))
    tensor([0., 0.])
    """
    with no_grad():
        return tensor.zero_()


# PyTorch's private names, which programs with their own initializers call
_no_grad_uniform_ = uniform_
_no_grad_normal_ = normal_
_no_grad_trunc_normal_ = trunc_normal_
_no_grad_fill_ = constant_
_no_grad_zero_ = zeros_


def eye_(tensor):
    """Fill a matrix with ones on its diagonal and zeros elsewhere.

    Parameters
    ----------
    tensor : Tensor
        Two dimensions. It is filled in place, without recording.

    Returns
    -------
    Tensor
        `tensor` itself.

    Raises
    ------
    ValueError
        For another number of dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.init.eye_(torch.empty(2, 3))
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """
    if tensor.ndimension() != 2:
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
    """Fill a weight with uniform numbers of variance gain**2 * 2 / (fan_in + fan_out).

    fan_in is the number of inputs of an output element, fan_out the number of outputs of an input
    element.

    Parameters
    ----------
    tensor : Tensor
        At least two dimensions: outputs, inputs and perhaps a kernel. It is filled in place, without
        recording.
    gain : float, default 1.0
        See :func:`calculate_gain`.
    generator : Generator, optional
        Draws the numbers; by default the generator that `torch.manual_seed` seeds.

    Returns
    -------
    Tensor
        `tensor` itself.

    Raises
    ------
    ValueError
        For fewer than two dimensions.

    References
    ----------
    X. Glorot and Y. Bengio, Understanding the difficulty of training deep feedforward neural networks,
    AISTATS 2010.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.nn.init.xavier_uniform_(torch.empty(2, 4))
    >>> bool((w.abs() <= 1).all())
    True
    """
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(fan_in + fan_out)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    """Fill a weight with normal numbers of variance gain**2 * 2 / (fan_in + fan_out).

    fan_in is the number of inputs of an output element, fan_out the number of outputs of an input
    element.

    Parameters
    ----------
    tensor : Tensor
        At least two dimensions: outputs, inputs and perhaps a kernel. It is filled in place, without
        recording.
    gain : float, default 1.0
        See :func:`calculate_gain`.
    generator : Generator, optional
        Draws the numbers; by default the generator that `torch.manual_seed` seeds.

    Returns
    -------
    Tensor
        `tensor` itself.

    Raises
    ------
    ValueError
        For fewer than two dimensions.

    References
    ----------
    X. Glorot and Y. Bengio, Understanding the difficulty of training deep feedforward neural networks,
    AISTATS 2010.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.init.xavier_normal_(torch.empty(2, 4)).shape
    torch.Size([2, 4])
    """
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def _calculate_correct_fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Fill a weight with uniform numbers of variance gain**2 / fan.

    fan_in is the number of inputs of an output element, fan_out the number of outputs of an input
    element.

    Parameters
    ----------
    tensor : Tensor
        At least two dimensions: outputs, inputs and perhaps a kernel. It is filled in place, without
        recording.
    a : float, default 0
        The negative slope of "leaky_relu".
    mode : {"fan_in", "fan_out"}, default "fan_in"
        Preserve the variance in the forward or in the backward pass.
    nonlinearity : str, default "leaky_relu"
        What follows the weight; see :func:`calculate_gain`.
    generator : Generator, optional
        Draws the numbers; by default the generator that `torch.manual_seed` seeds.

    Returns
    -------
    Tensor
        `tensor` itself.

    Raises
    ------
    ValueError
        For fewer than two dimensions, or an unknown mode or nonlinearity.

    References
    ----------
    K. He et al., Delving Deep into Rectifiers, ICCV 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.nn.init.kaiming_uniform_(torch.empty(2, 6), nonlinearity="relu")
    >>> bool((w.abs() <= 1).all())
    True
    """
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    fan = _calculate_correct_fan(tensor, mode)
    bound = math.sqrt(3.0) * (calculate_gain(nonlinearity, a) / math.sqrt(fan))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Fill a weight with normal numbers of variance gain**2 / fan.

    fan_in is the number of inputs of an output element, fan_out the number of outputs of an input
    element.

    Parameters
    ----------
    tensor : Tensor
        At least two dimensions: outputs, inputs and perhaps a kernel. It is filled in place, without
        recording.
    a : float, default 0
        The negative slope of "leaky_relu".
    mode : {"fan_in", "fan_out"}, default "fan_in"
        Preserve the variance in the forward or in the backward pass.
    nonlinearity : str, default "leaky_relu"
        What follows the weight; see :func:`calculate_gain`.
    generator : Generator, optional
        Draws the numbers; by default the generator that `torch.manual_seed` seeds.

    Returns
    -------
    Tensor
        `tensor` itself.

    Raises
    ------
    ValueError
        For fewer than two dimensions, or an unknown mode or nonlinearity.

    References
    ----------
    K. He et al., Delving Deep into Rectifiers, ICCV 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.init.kaiming_normal_(torch.empty(2, 6)).shape
    torch.Size([2, 6])
    """
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    fan = _calculate_correct_fan(tensor, mode)
    return normal_(tensor, 0, calculate_gain(nonlinearity, a) / math.sqrt(fan), generator)


def orthogonal_(tensor, gain=1, generator=None):
    """Fill with orthogonal rows (or columns, if there are fewer) of length `gain`.

    Parameters
    ----------
    tensor : Tensor
        With at least two dimensions; all but the first are flattened.
    gain : float
    generator : Generator, optional

    Returns
    -------
    Tensor
        `tensor` itself.

    Raises
    ------
    ValueError
        For fewer than two dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.nn.init.orthogonal_(torch.empty(3, 5))
    >>> bool((w @ w.T - torch.eye(3)).abs().max() < 1e-6)
    True

    References
    ----------
    Saxe et al. 2013, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks.
    """
    if tensor.dim() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.size(0)
    with no_grad():
        matrix = tensor.new_empty((rows, tensor.numel() // rows)).normal_(0, 1, generator=generator)
        wide = rows < matrix.size(1)
        q, r = _ops.linalg_qr(matrix.t() if wide else matrix)
        # Q and R are unique only up to the signs of R's diagonal
        q = q * r.diagonal().sign()
        tensor.copy_((q.t() if wide else q).reshape(tensor.shape)).mul_(gain)
    return tensor


def dirac_(tensor, groups=1):
    """Fill with the weight of a convolution that preserves its input.

    Parameters
    ----------
    tensor : Tensor
        Of shape (out, in, ...) with one to three kernel dimensions.
    groups : int
        The groups of the convolution; each group preserves its own channels.

    Returns
    -------
    Tensor
        `tensor` itself.

    Raises
    ------
    ValueError
        For another number of dimensions, or if `groups` does not divide the first size.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.nn.init.dirac_(torch.empty(2, 2, 3))
    >>> torch.nn.functional.conv1d(torch.tensor([[[1.0, 2.0], [3.0, 4.0]]]), w, padding=1)
    tensor([[[1., 2.],
             [3., 4.]]])
    """
    if tensor.ndimension() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.size(0) % groups:
        raise ValueError("dim 0 must be divisible by groups")
    out_of_one = tensor.size(0) // groups
    centre = tuple(size // 2 for size in tensor.shape[2:])
    with no_grad():
        tensor.zero_()
        for group in range(groups):
            for k in range(min(out_of_one, tensor.size(1))):
                tensor[(group * out_of_one + k, k, *centre)] = 1
    return tensor


def sparse_(tensor, sparsity, std=0.01, generator=None):
    """Fill with normal numbers, and zeros in a fraction of each column.

    Parameters
    ----------
    tensor : Tensor
        A matrix.
    sparsity : float
        The fraction of each column that is zero.
    std : float
        The standard deviation of the normal numbers.
    generator : Generator, optional

    Returns
    -------
    Tensor
        `tensor` itself.

    Raises
    ------
    ValueError
        If the tensor is not a matrix.

    References
    ----------
    Martens 2010, Deep learning via Hessian-free optimization.

    Examples
    --------
    >>> import minitorch as torch
    >>> (torch.nn.init.sparse_(torch.empty(4, 3), sparsity=0.5) == 0).sum(0)
    tensor([2, 2, 2])
    """
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            tensor[randperm(rows)[:zeros], column] = 0
    return tensor


def _with_its_old_name(function):
    old, new = function.__name__[:-1], function.__name__

    @wraps(function)
    def deprecated(*args, **kwargs):
        warnings.warn(
            f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new}`.",
            FutureWarning,
            stacklevel=2,
        )
        return function(*args, **kwargs)

    deprecated.__name__ = deprecated.__qualname__ = old
    return deprecated


uniform = _with_its_old_name(uniform_)
normal = _with_its_old_name(normal_)
constant = _with_its_old_name(constant_)
eye = _with_its_old_name(eye_)
dirac = _with_its_old_name(dirac_)
xavier_uniform = _with_its_old_name(xavier_uniform_)
xavier_normal = _with_its_old_name(xavier_normal_)
kaiming_uniform = _with_its_old_name(kaiming_uniform_)
kaiming_normal = _with_its_old_name(kaiming_normal_)
orthogonal = _with_its_old_name(orthogonal_)
sparse = _with_its_old_name(sparse_)

_override(globals(), _overridden.INITIALIZERS, by_keyword=True, torch_modules=("", "torch.nn.init"))
_override(globals(), _overridden.INITIALIZERS, by_keyword=True, torch_modules=("", "torch.nn.init"))
