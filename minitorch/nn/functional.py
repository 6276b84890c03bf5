"""Layers, activations and losses as functions.

Most of them dispatch to an operator of autograd/derivatives/. This module and those it imports
handle the Python side of the arguments: defaults, `inplace`, `reduction` and the checks that run
before the operator.
"""

# ruff: noqa: F401 (what is imported here is the namespace)
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.overridable import override_namespace as _override
from minitorch.autograd.functions.python_signatures import parsed_as as _parsed_as
from minitorch.composed.distances import pdist
from minitorch.namespace import overridden as _overridden
from minitorch.nn._activation import (
    celu,
    elu,
    glu,
    gumbel_softmax,
    hardsigmoid,
    hardswish,
    hardtanh,
    leaky_relu,
    log_softmax,
    mish,
    relu,
    relu6,
    rrelu,
    selu,
    sigmoid,
    silu,
    softmax,
    softmin,
    softsign,
    tanh,
    tanhshrink,
    threshold,
)
from minitorch.nn._attention import pad, scaled_dot_product_attention
from minitorch.nn._bilinear import bilinear
from minitorch.nn._convolution import conv_tbc
from minitorch.nn._ctc import ctc_loss
from minitorch.nn._dropout import (
    alpha_dropout,
    dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    feature_alpha_dropout,
)
from minitorch.nn._embedding_bag import embedding_bag
from minitorch.nn._folding import (
    channel_shuffle,
    fold,
    native_channel_shuffle,
    pixel_shuffle,
    pixel_unshuffle,
    unfold,
)
from minitorch.nn._grid import affine_grid, grid_sample
from minitorch.nn._linear_cross_entropy import linear_cross_entropy
from minitorch.nn._loss import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cosine_embedding_loss,
    cross_entropy,
    gaussian_nll_loss,
    hinge_embedding_loss,
    huber_loss,
    kl_div,
    l1_loss,
    margin_ranking_loss,
    mse_loss,
    nll_loss,
    poisson_nll_loss,
    smooth_l1_loss,
    soft_margin_loss,
    triplet_margin_loss,
)
from minitorch.nn._margin_loss import (
    multi_margin_loss,
    multilabel_margin_loss,
    multilabel_soft_margin_loss,
    triplet_margin_with_distance_loss,
)
from minitorch.nn._multihead import multi_head_attention_forward
from minitorch.nn._normalization import (
    batch_norm,
    group_norm,
    instance_norm,
    layer_norm,
    local_response_norm,
    normalize,
    rms_norm,
)
from minitorch.nn._pooling import (
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool1d_with_indices,
    adaptive_max_pool2d,
    adaptive_max_pool2d_with_indices,
    adaptive_max_pool3d,
    adaptive_max_pool3d_with_indices,
    max_pool1d,
    max_pool1d_with_indices,
    max_pool2d,
    max_pool2d_with_indices,
    max_pool3d,
    max_pool3d_with_indices,
)
from minitorch.nn._sparse import embedding
from minitorch.nn._unpooling import (
    fractional_max_pool2d,
    fractional_max_pool2d_with_indices,
    fractional_max_pool3d,
    fractional_max_pool3d_with_indices,
    lp_pool1d,
    lp_pool2d,
    lp_pool3d,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)
from minitorch.nn._upsampling import interpolate, upsample, upsample_bilinear, upsample_nearest

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
threshold_ = _ops.threshold_
relu_ = _ops.relu_
cosine_similarity, pairwise_distance = _ops.cosine_similarity, _ops.pairwise_distance


@_parsed_as("hardtanh_")
def hardtanh_(input, min_val=-1.0, max_val=1.0):
    """Apply `hardtanh` in place.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    min_val : float, default -1.0
    max_val : float, default 1.0

    Returns
    -------
    Tensor
        `input`, which holds the result.

    Raises
    ------
    RuntimeError
        If `input` is a leaf that requires gradients.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.hardtanh_(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-1.,  0.,  1.])
    """
    return hardtanh(input, min_val, max_val, inplace=True)


@_parsed_as("leaky_relu_")
def leaky_relu_(input, negative_slope=0.01):
    """Apply `leaky_relu` in place.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    negative_slope : float, default 0.01

    Returns
    -------
    Tensor
        `input`, which holds the result.

    Raises
    ------
    RuntimeError
        If `input` is a leaf that requires gradients.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.leaky_relu_(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.0100,  0.0000,  2.0000])
    """
    return leaky_relu(input, negative_slope, inplace=True)


@_parsed_as("elu_")
def elu_(input, alpha=1.0):
    """Apply `elu` in place.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    alpha : float, default 1.0
        The result for -inf is -alpha.

    Returns
    -------
    Tensor
        `input`, which holds the result.

    Raises
    ------
    RuntimeError
        If `input` is a leaf that requires gradients.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.elu_(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.6321,  0.0000,  2.0000])
    """
    return elu(input, alpha, inplace=True)


@_parsed_as("selu_")
def selu_(input):
    """Apply `selu` in place.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.

    Returns
    -------
    Tensor
        `input`, which holds the result.

    Raises
    ------
    RuntimeError
        If `input` is a leaf that requires gradients.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.selu_(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-1.1113,  0.0000,  2.1014])
    """
    return selu(input, inplace=True)


@_parsed_as("celu_")
def celu_(input, alpha=1.0):
    """Apply `celu` in place.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point dtype.
    alpha : float, default 1.0
        Unlike for `ELU`, the slope at 0 is 1 for every alpha.

    Returns
    -------
    Tensor
        `input`, which holds the result.

    Raises
    ------
    RuntimeError
        If `input` is a leaf that requires gradients.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.celu_(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.6321,  0.0000,  2.0000])
    """
    return celu(input, alpha, inplace=True)


@_parsed_as("rrelu_")
def rrelu_(input, lower=1.0 / 8, upper=1.0 / 3, training=False):
    """Apply `rrelu` in place.

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

    Returns
    -------
    Tensor
        `input`, which holds the result.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.rrelu_(torch.tensor([-24.0, 1.0]))
    tensor([-5.5000,  1.0000])
    """
    return rrelu(input, lower, upper, training, inplace=True)


# PyTorch dispatches to these from a wrapper, which chooses between indices or none, in place or not
for _function in (
    *(
        max_pool1d,
        max_pool2d,
        max_pool3d,
        adaptive_max_pool1d,
        adaptive_max_pool2d,
        adaptive_max_pool3d,
    ),
    *(fractional_max_pool2d, fractional_max_pool3d, threshold),
):
    _function.__qualname__ = f"_{_function.__name__}"
del _function

# private names that programs import
from minitorch.nn import _reduction as _Reduction  # noqa: E402
from minitorch.nn._activation import _get_softmax_dim  # noqa: E402
from minitorch.nn._multihead import (  # noqa: E402
    _canonical_mask,
    _in_projection,
    _in_projection_packed,
    _mha_shape_check,
    _none_or_dtype,
)
from minitorch.nn._normalization import _verify_batch_size  # noqa: E402

__all__ = [name for name in dir() if not name.startswith("_")]
_FUNCTIONS = [name for name in __all__ if name not in _overridden.NOT_LAYERS]
_override(
    globals(),
    _FUNCTIONS,
    in_python=set(_FUNCTIONS) - _overridden.PARSED_LAYERS,
    torch_modules=("torch.nn", "torch.nn.functional"),
)

# names that programs use to write overridable functions
from minitorch._tensor import Tensor  # noqa: E402
from minitorch.autograd.torch_function import (  # noqa: E402
    _has_torch_function as has_torch_function,
)
from minitorch.autograd.torch_function import (  # noqa: E402
    _has_torch_function_unary as has_torch_function_unary,
)
from minitorch.autograd.torch_function import (  # noqa: E402
    _has_torch_function_variadic as has_torch_function_variadic,
)
from minitorch.autograd.torch_function import handle_torch_function  # noqa: E402
from minitorch.nn import grad as grad  # noqa: E402
