"""Layers and losses of PyTorch's top-level namespace.

`torch.nn.functional` is built on these functions in PyTorch, and their arguments are parsed by a
signature: `torch.margin_ranking_loss` takes the reduction as a number, 0 for none, 1 for the mean,
2 for the sum.
"""

from minitorch._sparse.gradients import sparse_embedding as _sparse_embedding
from minitorch.autograd.by_sample import without_batching_rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.functions.tensor_methods import (  # noqa: F401
    _adaptive_avg_pool2d,
    _adaptive_avg_pool3d,
    _embedding_bag,
    _log_softmax,
    _log_softmax_backward_data,
    _prelu_kernel,
    _softmax,
    _softmax_backward_data,
    _standard_gamma,
    _standard_gamma_grad,
    _unique2,
    convolution,
    native_batch_norm,
    native_layer_norm,
)
from minitorch.autograd.grad_mode import is_grad_enabled, no_grad
from minitorch.composed.statistics import _unique  # noqa: F401
from minitorch.core.tensor_impl import maybe_wrap_dim
from minitorch.nn import _loss, _precision, _recurrent, functional
from minitorch.nn._attention import (  # noqa: F401
    _fused_sdp_choice,
    _safe_softmax,
    _scaled_dot_product_attention_math,
)
from minitorch.nn._convolution import (  # noqa: F401
    _convolution,
    _convolution_mode,
    conv_tbc,
)
from minitorch.nn._ctc import _ctc_loss as ctc_loss  # noqa: F401
from minitorch.nn._embedding_bag import embedding_bag_all
from minitorch.nn._normalization import _rms_norm as rms_norm  # noqa: F401
from minitorch.nn._sparse import _renormalize
from minitorch.nn.functional import (  # noqa: F401
    bilinear,
    celu_,
    channel_shuffle,
    native_channel_shuffle,
    pixel_shuffle,
    pixel_unshuffle,
    rrelu_,
    selu_,
    threshold_,
)

cosine_embedding_loss = _loss._cosine_embedding_loss
hinge_embedding_loss = _loss._hinge_embedding_loss
margin_ranking_loss = _loss._margin_ranking_loss
poisson_nll_loss = _loss._poisson_nll_loss
triplet_margin_loss = _loss._triplet_margin_loss
embedding_bag = parsed_as("embedding_bag")(embedding_bag_all)
globals().update({name: parsed_as(name)(getattr(_recurrent, name)) for name in _recurrent.__all__})


@parsed_as("rrelu")
def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False):
    """Multiply negative elements by a slope: a random one for each in training, else the mean.

    Parameters
    ----------
    input : Tensor
        Any shape, with a floating-point dtype.
    lower, upper : float, default 1/8 and 1/3
        The bounds of the slopes.
    training : bool, default False
        Whether to draw the slopes.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    NotImplementedError
        If `input` has an integer dtype.
    RuntimeError
        In training, if `lower` exceeds `upper`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.rrelu(torch.tensor([-2.0, 3.0]), 0.25, 0.75)
    tensor([-1.,  3.])
    """
    return functional.rrelu(input, lower, upper, training)


# ---- a sum followed by relu, not differentiable


@parsed_as("_add_relu")
def _add_relu(input, other, alpha=1, out=None):
    """Return ``relu(input + alpha * other)``."""
    _check_add_relu(input)
    with no_grad():
        return _ops.relu_(_ops.add(input, other, alpha=alpha, out=out))


@parsed_as("_add_relu_")
def _add_relu_(input, other, alpha=1):
    """Apply `_add_relu` in place."""
    _check_add_relu(input)
    if input.requires_grad and input.is_leaf and is_grad_enabled():
        raise RuntimeError(
            "a leaf Variable that requires grad is being used in an in-place operation."
        )
    with no_grad():
        return _ops.relu_(input.add_(other, alpha=alpha))


def _check_add_relu(input):
    if input.dtype._class_name not in ("Float", "Double", "Int", "Long", "Short", "Char"):
        raise RuntimeError(f"Unsupported datatype for add_relu:{input.dtype}")


# ---- dropout functions, whose `train` has no default


@parsed_as("alpha_dropout")
def alpha_dropout(input, p, train):
    """Call `nn.functional.alpha_dropout`.

    Parameters
    ----------
    input : Tensor
        Any shape and a floating-point dtype.
    p : float
        The probability.
    train : bool
        If False, nothing changes.

    Returns
    -------
    Tensor
        The same shape.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.alpha_dropout(torch.ones(1, 2), 0.5, False)
    tensor([[1., 1.]])
    """
    return functional.alpha_dropout(input, p, train)


@parsed_as("alpha_dropout_")
def alpha_dropout_(input, p, train):
    """Apply `alpha_dropout` in place.

    Parameters
    ----------
    input : Tensor
        Any shape and a floating-point dtype.
    p : float
        The probability.
    train : bool
        If False, nothing changes.

    Returns
    -------
    Tensor
        `input` itself.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.alpha_dropout_(torch.ones(1, 2), 0.5, False)
    tensor([[1., 1.]])
    """
    return functional.alpha_dropout(input, p, train, inplace=True)


@parsed_as("dropout_")
def dropout_(input, p, train):
    """Apply `dropout` in place."""
    return functional.dropout(input, p, train, inplace=True)


@parsed_as("feature_alpha_dropout")
def feature_alpha_dropout(input, p, train):
    """Call `nn.functional.feature_alpha_dropout`.

    Parameters
    ----------
    input : Tensor
        Any shape and a floating-point dtype.
    p : float
        The probability.
    train : bool
        If False, nothing changes.

    Returns
    -------
    Tensor
        The same shape.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.feature_alpha_dropout(torch.ones(1, 2), 0.5, False)
    tensor([[1., 1.]])
    """
    return functional.feature_alpha_dropout(input, p, train)


@parsed_as("feature_alpha_dropout_")
def feature_alpha_dropout_(input, p, train):
    """Apply `feature_alpha_dropout` in place.

    Parameters
    ----------
    input : Tensor
        Any shape and a floating-point dtype.
    p : float
        The probability.
    train : bool
        If False, nothing changes.

    Returns
    -------
    Tensor
        `input` itself.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.feature_alpha_dropout_(torch.ones(1, 2), 0.5, False)
    tensor([[1., 1.]])
    """
    return functional.feature_alpha_dropout(input, p, train, inplace=True)


@parsed_as("feature_dropout_")
def feature_dropout_(input, p, train):
    """Apply `feature_dropout` in place."""
    from minitorch.nn._dropout import _feature_dropout

    return _feature_dropout(input, p, train, True)


# ---- embeddings, weight norm, batch norm


def embedding(*args, **kwargs):
    """Select rows: ``embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse)``."""
    if len(args) == 5 and args[4] is True:
        return _sparse_embedding(*args[:4], **kwargs)
    if kwargs.get("sparse") is True:
        return _sparse_embedding(*args, **{k: v for k, v in kwargs.items() if k != "sparse"})
    return _ops.embedding(*args, **kwargs)


@parsed_as("embedding_renorm_")
def embedding_renorm_(input, indices, max_norm, norm_type):
    """Scale the selected rows whose norm is too large down to it, in place.

    Parameters
    ----------
    input : Tensor
        A table of rows.
    indices : Tensor
        int64 or int32, of any shape.
    max_norm : float
    norm_type : float
        The p of the norm.

    Returns
    -------
    Tensor
        `input` itself.

    Raises
    ------
    RuntimeError
        If the table has not two dimensions, or the indices have another dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.embedding_renorm_(torch.tensor([[3.0, 4.0], [6.0, 8.0]]), torch.tensor([0]), 1.0, 2.0)
    tensor([[0.6000, 0.8000],
            [6.0000, 8.0000]])
    """
    if input.dim() != 2:
        raise RuntimeError(
            f"Expected 2-dimensional tensor, but got {input.dim()}-dimensional tensor for argument #1 "
            "'self' (while checking arguments for embedding_renorm_)"
        )
    _renormalize(input, indices, max_norm, norm_type)
    return input


@parsed_as("norm_except_dim")
def norm_except_dim(v, pow=2, dim=0):
    """Return the norms over all dimensions except `dim`, with the reduced ones kept as size 1.

    Parameters
    ----------
    v : Tensor
        Any shape and a floating-point dtype.
    pow : int, default 2
        The order of the norm.
    dim : int, default 0
        The dimension that is kept; -1 for none.

    Returns
    -------
    Tensor
        The norms.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.norm_except_dim(torch.tensor([[3.0, 4.0], [0.0, 1.0]]), 2, 0)
    tensor([[5.],
            [1.]])
    """
    if dim == -1:
        return _ops.linalg_vector_norm(v, pow)
    dims = tuple(d for d in range(v.dim()) if d != dim)
    return _ops.linalg_vector_norm(v, pow, dims, True)


@parsed_as("_weight_norm")
@without_batching_rule("aten::_weight_norm")
def _weight_norm(v, g, dim=0):
    """Return ``v * (g / norm_except_dim(v, 2, dim))``."""
    maybe_wrap_dim(dim, v.dim())
    v.size(dim)  # raises for a scalar
    if dim in (0, v.dim() - 1):
        _precision.require_floating_point(v, "weight_norm_kernel")
        _precision.check_scalar_type(g, v.dtype._class_name)
    return v * (g / norm_except_dim(v, 2, dim))


@parsed_as("_native_batch_norm_legit")
def _native_batch_norm_legit(input, weight, bias, *rest, out=None):
    """Call `native_batch_norm`, with or without running statistics."""
    if len(rest) == 3:
        rest = (None, None, *rest)
    return native_batch_norm(input, weight, bias, *rest, out=out)


# ---- properties of tensors


@parsed_as("is_conj")
def is_conj(input):
    """Check whether a tensor is lazily conjugated."""
    return input.is_conj()


@parsed_as("is_neg")
def is_neg(input):
    """Check whether a tensor is lazily negated."""
    return input.is_neg()


@parsed_as("is_signed")
def is_signed(input):
    """Check whether a tensor's dtype has negative numbers."""
    return input.is_signed()


@parsed_as("is_distributed")
def is_distributed(input):
    """Return False: tensors are never distributed over processes.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.

    Returns
    -------
    bool
        Always False.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.is_distributed(torch.ones(1))
    False
    """
    return False


@parsed_as("_shape_as_tensor")
def _shape_as_tensor(input):
    """Return the shape as an int64 tensor."""
    return tensor(list(input.shape)).long()


_OF_THIS_FILE = frozenset(
    "functions tensor _renormalize embedding_bag_all maybe_wrap_dim parsed_as "
    "without_batching_rule".split()
)


def functions():
    """Return the public functions of this module by name."""
    return {
        name: value
        for name, value in globals().items()
        if callable(value) and name not in _OF_THIS_FILE
    }
