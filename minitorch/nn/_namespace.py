"""Layers and losses under the names that they have in PyTorch's own namespace.

`torch.margin_ranking_loss` and its like are what `torch.nn.functional` is made of there, with the
reduction as a number: 0 for none, 1 for the mean, 2 for the sum. Here they lead back to it.
"""

from minitorch._sparse.gradients import sparse_embedding as _sparse_embedding
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.from_data import tensor
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
from minitorch.nn import _loss, functional
from minitorch.nn._activation import rrelu  # noqa: F401
from minitorch.nn._convolution import conv_tbc  # noqa: F401
from minitorch.nn._ctc import ctc_loss as _ctc_loss
from minitorch.nn._embedding_bag import embedding_bag_all as embedding_bag  # noqa: F401
from minitorch.nn._recurrent import (  # noqa: F401
    gru,
    gru_cell,
    lstm,
    lstm_cell,
    rnn_relu,
    rnn_relu_cell,
    rnn_tanh,
    rnn_tanh_cell,
)
from minitorch.nn._sparse import _renormalize
from minitorch.nn.functional import (  # noqa: F401
    bilinear,
    celu_,
    channel_shuffle,
    pixel_shuffle,
    pixel_unshuffle,
    rms_norm,
    rrelu_,
    selu_,
    threshold_,
)

_REDUCTIONS = ("none", "mean", "sum")

native_channel_shuffle = channel_shuffle

# ---- losses


def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction=0):
    """`nn.functional.cosine_embedding_loss`, with the reduction as a number."""
    return _loss.cosine_embedding_loss(
        input1, input2, target, margin, reduction=_REDUCTIONS[reduction]
    )


def hinge_embedding_loss(input, target, margin=1.0, reduction=0):
    """`nn.functional.hinge_embedding_loss`, with the reduction as a number."""
    return _loss.hinge_embedding_loss(input, target, margin, reduction=_REDUCTIONS[reduction])


def margin_ranking_loss(input1, input2, target, margin=0.0, reduction=0):
    """`nn.functional.margin_ranking_loss`, with the reduction as a number."""
    return _loss.margin_ranking_loss(
        input1, input2, target, margin, reduction=_REDUCTIONS[reduction]
    )


def triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2.0, eps=1e-06, swap=False, reduction=0
):
    """`nn.functional.triplet_margin_loss`, with the reduction as a number."""
    return _loss.triplet_margin_loss(
        anchor, positive, negative, margin, p, eps, swap, reduction=_REDUCTIONS[reduction]
    )


def poisson_nll_loss(input, target, log_input, full, eps, reduction):
    """`nn.functional.poisson_nll_loss`, with the reduction as a number."""
    return _loss.poisson_nll_loss(
        input, target, log_input, full, eps=eps, reduction=_REDUCTIONS[reduction]
    )


def ctc_loss(
    log_probs, targets, input_lengths, target_lengths, blank=0, reduction=0, zero_infinity=False
):
    """`nn.functional.ctc_loss`, with the reduction as a number."""
    return _ctc_loss(
        log_probs, targets, input_lengths, target_lengths, blank, _REDUCTIONS[reduction],
        zero_infinity,
    )  # fmt: skip


# ---- dropout, where training comes without a default


def alpha_dropout(input, p, train):
    """`nn.functional.alpha_dropout`."""
    return functional.alpha_dropout(input, p, train)


def alpha_dropout_(input, p, train):
    """`alpha_dropout`, in place."""
    return functional.alpha_dropout(input, p, train, inplace=True)


def dropout_(input, p, train):
    """`dropout`, in place."""
    return functional.dropout(input, p, train, inplace=True)


def feature_alpha_dropout(input, p, train):
    """`nn.functional.feature_alpha_dropout`."""
    return functional.feature_alpha_dropout(input, p, train)


def feature_alpha_dropout_(input, p, train):
    """`feature_alpha_dropout`, in place."""
    return functional.feature_alpha_dropout(input, p, train, inplace=True)


def feature_dropout_(input, p, train):
    """`feature_dropout`, in place."""
    from minitorch.nn._dropout import _feature_dropout

    return _feature_dropout(input, p, train, True)


# ---- lookups, convolution over time, norms


def embedding(*args, **kwargs):
    """Rows of `weight`; ``embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse)``."""
    if len(args) == 5 and args[4] is True:
        return _sparse_embedding(*args[:4], **kwargs)
    if kwargs.get("sparse") is True:
        return _sparse_embedding(*args, **{k: v for k, v in kwargs.items() if k != "sparse"})
    return _ops.embedding(*args, **kwargs)


def embedding_renorm_(input, indices, max_norm, norm_type):
    """Scale the named rows that are longer than `max_norm` down to it, in place."""
    if indices.numel():
        _renormalize(input, indices, max_norm, norm_type)
    return input


def norm_except_dim(v, pow=2, dim=0):
    """The norms over all dimensions but one, which stays with the others as size 1."""
    if dim == -1:
        return _ops.linalg_vector_norm(v, pow)
    dims = tuple(d for d in range(v.dim()) if d != dim)
    return _ops.linalg_vector_norm(v, pow, dims, True)


def _weight_norm(v, g, dim=0):
    """``v * (g / norm_except_dim(v, 2, dim))``."""
    return v * (g / norm_except_dim(v, 2, dim))


def _safe_softmax(input, dim, dtype=None):
    """softmax, and zeros where every element of a slice is minus infinity."""
    result = _ops.softmax(input, dim, dtype)
    return result.masked_fill((input == float("-inf")).all(dim, keepdim=True), 0.0)


# ---- what a tensor is


def is_conj(input):
    """Whether a tensor is lazily conjugated."""
    return input.is_conj()


def is_neg(input):
    """Whether a tensor is lazily negated."""
    return input.is_neg()


def is_signed(input):
    """Whether a dtype has negative numbers."""
    return input.is_signed()


def is_distributed(input):
    """Whether a tensor is spread over processes: never."""
    return False


def _shape_as_tensor(input):
    """The shape, as a tensor of integers."""
    return tensor(list(input.shape)).long()


def functions():
    """The functions of this file by name."""
    return {
        name: value
        for name, value in globals().items()
        if callable(value) and name not in ("functions", "tensor", "_renormalize", "_ctc_loss")
    }
