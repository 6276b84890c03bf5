"""Fusion of a convolution or linear layer with the batch norm that follows it, for evaluation.

In evaluation, batch norm is y = (x - mean) / sqrt(var + eps) * weight + bias, which is linear in x.
"""

import copy

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.nn.parameter import Parameter

__all__ = [
    "fuse_conv_bn_eval",
    "fuse_conv_bn_weights",
    "fuse_linear_bn_eval",
    "fuse_linear_bn_weights",
]


def _check_modes(layer, bn):
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")


def _statistics(bn):
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    return bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias


def fuse_conv_bn_eval(conv, bn, transpose=False):
    """Return a copy of a convolution that includes the batch norm after it, for evaluation.

    Parameters
    ----------
    conv : Module
        A convolution.
    bn : Module
        A batch norm with running statistics.
    transpose : bool, default False
        Treat `conv` as a transposed convolution.

    Returns
    -------
    Module

    Examples
    --------
    >>> import minitorch as torch
    >>> conv, bn = torch.nn.Conv2d(1, 2, 3).eval(), torch.nn.BatchNorm2d(2).eval()
    >>> x = torch.rand(1, 1, 4, 4)
    >>> torch.allclose(torch.nn.utils.fuse_conv_bn_eval(conv, bn)(x), bn(conv(x)), atol=1e-6)
    True
    """
    _check_modes(conv, bn)
    fused = copy.deepcopy(conv)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight, fused.bias, *_statistics(bn), transpose
    )
    return fused


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    """Return the weight and bias of the fused convolution.

    Parameters
    ----------
    conv_w : Tensor
    conv_b : Tensor or None
    bn_rm, bn_rv : Tensor
        The running mean and variance.
    bn_eps : float
    bn_w, bn_b : Tensor or None
        The weight and bias of the batch norm.
    transpose : bool, default False
        Treat `conv_w` as the weight of a transposed convolution.

    Returns
    -------
    tuple of Parameter

    Examples
    --------
    >>> import minitorch as torch
    >>> zero, one = torch.zeros(1), torch.ones(1)
    >>> fuse = torch.nn.utils.fuse_conv_bn_weights
    >>> [p.item() for p in fuse(torch.ones(1, 1, 1), None, one, one, 0.0, None, zero)]
    [1.0, -1.0]
    """
    bias_dtype = (conv_w if conv_b is None else conv_b).dtype
    conv_b = _ops.zeros_like(bn_rm) if conv_b is None else conv_b
    bn_w = _ops.ones_like(bn_rm) if bn_w is None else bn_w
    bn_b = _ops.zeros_like(bn_rm) if bn_b is None else bn_b
    scale = _ops.rsqrt(bn_rv + bn_eps)
    per_output = [1] * conv_w.dim()
    per_output[int(transpose)] = -1
    weight = (conv_w * (bn_w * scale).reshape(per_output)).to(dtype=conv_w.dtype)
    bias = ((conv_b - bn_rm) * scale * bn_w + bn_b).to(dtype=bias_dtype)
    return Parameter(weight, conv_w.requires_grad), Parameter(bias, conv_b.requires_grad)


def fuse_linear_bn_eval(linear, bn):
    """Return a copy of a linear layer that includes the batch norm after it, for evaluation.

    Parameters
    ----------
    linear : Linear
    bn : Module
        A batch norm with running statistics, for one channel or for as many channels as there are
        outputs.

    Returns
    -------
    Linear

    Examples
    --------
    >>> import minitorch as torch
    >>> layer, bn = torch.nn.Linear(3, 2).eval(), torch.nn.BatchNorm1d(2).eval()
    >>> torch.nn.utils.fuse_linear_bn_eval(layer, bn)
    Linear(in_features=3, out_features=2, bias=True)
    """
    _check_modes(linear, bn)
    fused = copy.deepcopy(linear)
    # batch norm applies to dimension 1, a linear layer to the last one
    if bn.num_features not in (1, linear.out_features):
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}"
        )
    fused.weight, fused.bias = fuse_linear_bn_weights(fused.weight, fused.bias, *_statistics(bn))
    return fused


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    """Return the weight and bias of the fused linear layer.

    Parameters
    ----------
    linear_w : Tensor
    linear_b : Tensor or None
    bn_rm, bn_rv : Tensor
        The running mean and variance.
    bn_eps : float
    bn_w, bn_b : Tensor
        The weight and bias of the batch norm.

    Returns
    -------
    tuple of Parameter

    Examples
    --------
    >>> import minitorch as torch
    >>> zero, one = torch.zeros(1), torch.ones(1)
    >>> fuse = torch.nn.utils.fuse_linear_bn_weights
    >>> [p.item() for p in fuse(torch.ones(1, 1), None, one, one, 0.0, one, zero)]
    [1.0, -1.0]
    """
    bias_dtype = (linear_w if linear_b is None else linear_b).dtype
    linear_b = _ops.zeros_like(bn_rm) if linear_b is None else linear_b
    scale = bn_w * _ops.rsqrt(bn_rv + bn_eps)
    weight = linear_w * scale.unsqueeze(-1).to(dtype=linear_w.dtype)
    bias = ((linear_b - bn_rm) * scale + bn_b).to(dtype=bias_dtype)
    return Parameter(weight, linear_w.requires_grad), Parameter(bias, linear_b.requires_grad)
