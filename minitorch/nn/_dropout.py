"""Dropout functions, which draw the same numbers as PyTorch after the same seed."""

import warnings

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import zeros
from minitorch.autograd.levels import current_levels
from minitorch.autograd.python_dispatch import written_in_cpp

_DIMS = {1: "2D or 3D", 2: "3D or 4D", 3: "4D or 5D"}


def _check(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if p != p:  # nan: PyTorch's operators check it, its functions do not
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p}")


def _dropout_(input, p, feature):
    if p == 0 or input.numel() == 0:
        return input
    if p == 1:
        return input.mul_(input.new_zeros(()))
    return input.mul_(_ops.dropout_noise(input, float(p), feature))


def dropout(input, p=0.5, training=True, inplace=False):
    """Set elements to 0 at random in training, and scale the others.

    Parameters
    ----------
    input : Tensor
        Any shape.
    p : float, default 0.5
        The probability that an element is set to 0.
    training : bool, default True
        Otherwise, return the input.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1.

    References
    ----------
    G. Hinton et al., Improving neural networks by preventing co-adaptation of feature detectors, 2012.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.dropout(torch.ones(1, 3), p=1.0)
    tensor([[0., 0., 0.]])
    """
    _check(p)
    if inplace:
        return _dropout_(input, p, False) if training else input
    return _ops.dropout(input, p, training)


def _feature_dropout(input, p, training, inplace):
    if training and p and input.dim() < 2 and input.numel():
        # checked first, before the randomness check of vmap
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    if inplace:
        return _dropout_(input, p, True) if training else input
    return _ops.feature_dropout(input, p, training)


def _explain(n):
    return (
        f"Note that dropout{n}d exists to provide channel-wise dropout on inputs with {n} spatial "
        f"dimension{'' if n == 1 else 's'}, a channel dimension, and an optional batch dimension "
        f"(i.e. {_DIMS[n]} inputs)."
    )


def dropout1d(input, p=0.5, training=True, inplace=False):
    """Set whole channels to 0 at random in training, and scale the others.

    Each channel is set to 0 with probability `p`; the others are divided by ``1 - p``.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, L)`` or ``(C, L)``.
    p : float, default 0.5
        The probability of a 0.
    training : bool, default True
        Otherwise, return the input.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1.

    References
    ----------
    J. Tompson et al., Efficient Object Localization Using Convolutional Networks, CVPR 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.dropout1d(torch.ones(1, 1, 2), training=False)
    tensor([[[1., 1.]]])
    """
    _check(p)
    n = input.dim()
    if n not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {n}D input. {_explain(1)}"
        )
    return _batched(input, n == 3, p, training, inplace)


def _batched(input, is_batched, p, training, inplace):
    if is_batched:
        return _feature_dropout(input, p, training, inplace)
    batch = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _feature_dropout(batch, p, training, inplace)
    return result.squeeze_(0) if inplace else result.squeeze(0)


def _warn(n, dims):
    warnings.warn(
        f"dropout{n}d: Received a {dims}-D input to dropout{n}d, which is deprecated and will result in "
        "an error in a future release. To retain the behavior and silence this warning, please use "
        f"dropout instead. {_explain(n)}",
        stacklevel=3,
    )


def dropout2d(input, p=0.5, training=True, inplace=False):
    """Set whole channels to 0 at random in training, and scale the others.

    Each channel is set to 0 with probability `p`; the others are divided by ``1 - p``.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, H, W)`` or ``(C, H, W)``.
    p : float, default 0.5
        The probability of a 0.
    training : bool, default True
        Otherwise, return the input.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1.

    References
    ----------
    J. Tompson et al., Efficient Object Localization Using Convolutional Networks, CVPR 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.dropout2d(torch.ones(1, 1, 1, 2), training=False)
    tensor([[[[1., 1.]]]])
    """
    _check(p)
    n = input.dim()
    if n not in (3, 4):
        _warn(2, n)
    elif n == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout "
            "behavior is desired - input is interpreted as shape (N, C, L), where C is the channel dim. "
            "This behavior will change in a future release to interpret the input as one without a "
            "batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, "
            "please switch to using dropout1d instead.",
            stacklevel=2,
        )
    return _feature_dropout(input, p, training, inplace)


def dropout3d(input, p=0.5, training=True, inplace=False):
    """Set whole channels to 0 at random in training, and scale the others.

    Each channel is set to 0 with probability `p`; the others are divided by ``1 - p``.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``.
    p : float, default 0.5
        The probability of a 0.
    training : bool, default True
        Otherwise, return the input.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1.

    References
    ----------
    J. Tompson et al., Efficient Object Localization Using Convolutional Networks, CVPR 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.dropout3d(torch.ones(1, 1, 1, 1, 2), training=False)
    tensor([[[[[1., 1.]]]]])
    """
    _check(p)
    n = input.dim()
    if n not in (4, 5):
        _warn(3, n)
    return _batched(input, n == 5, p, training, inplace)


def _alpha_dropout(input, p, training, inplace, feature):
    _check(p)
    if not training or p == 0 or input.numel() == 0:
        return input
    if p == 1:
        zero = zeros((), dtype=input.dtype)
        return input.mul_(zero) if inplace else input * zero
    negative = 1.7580993408473766  # the negated limit of selu at minus infinity
    a = 1.0 / ((negative * negative * p + 1) * (1 - p)) ** 0.5
    if feature and input.dim() < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    with written_in_cpp():
        if any(level.kind == "vmap" for level in current_levels()):
            # an unbatched tensor has no room for different numbers per sample; dropout_noise has
            kept = _ops.dropout_noise(input, float(p), feature).sign_()
        elif feature:
            size = (*input.shape[:2], *(1,) * (input.dim() - 2))
            kept = input.new_empty(size).bernoulli_(1.0 - p)
        else:
            kept = _ops.empty_like(input).bernoulli_(1.0 - p)
        shift = _ops._add_scalar(kept, -1).mul_(negative * a).add_(negative * a * p)
        kept.mul_(a)
    return (input.mul_(kept) if inplace else input * kept).add_(shift)


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Apply dropout that preserves mean and variance of the outputs of `SELU`.

    Parameters
    ----------
    input : Tensor
        Any shape.
    p : float, default 0.5
        The probability that an element is replaced.
    training : bool, default False
        Otherwise, return the input.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1.

    References
    ----------
    G. Klambauer et al., Self-Normalizing Neural Networks, NeurIPS 2017.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.alpha_dropout(torch.ones(1, 3))
    tensor([[1., 1., 1.]])
    """
    return _alpha_dropout(input, p, training, inplace, False)


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Apply `AlphaDropout` to whole channels.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, *)``.
    p : float, default 0.5
        The probability that a channel is replaced.
    training : bool, default False
        Otherwise, return the input.
    inplace : bool, default False
        Write the result into the input.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.feature_alpha_dropout(torch.ones(1, 3))
    tensor([[1., 1., 1.]])
    """
    return _alpha_dropout(input, p, training, inplace, True)
