"""Layers, activations and losses as functions.

Most of the work is an operator of the table (autograd/derivatives.toml); here stand the arguments'
Python side: defaults, `inplace`, `reduction`, the checks that come before the operator.
"""

from minitorch.autograd.functions import tensor_methods as _ops

linear = _ops.linear
conv1d, conv2d, conv3d = _ops.conv1d, _ops.conv2d, _ops.conv3d
conv_transpose1d = _ops.conv_transpose1d
conv_transpose2d = _ops.conv_transpose2d
conv_transpose3d = _ops.conv_transpose3d
avg_pool1d, avg_pool2d, avg_pool3d = _ops.avg_pool1d, _ops.avg_pool2d, _ops.avg_pool3d
adaptive_avg_pool1d = _ops.adaptive_avg_pool1d
gelu, prelu, softplus = _ops.gelu, _ops.prelu, _ops.softplus
logsigmoid = _ops.log_sigmoid
hardshrink, softshrink = _ops.hardshrink, _ops.softshrink
one_hot = _ops.one_hot
cosine_similarity, pairwise_distance = _ops.cosine_similarity, _ops.pairwise_distance


def relu_(input):
    """relu, written to `input`."""
    return input.relu_()


__all__ = [name for name in dir() if not name.startswith("_")]
