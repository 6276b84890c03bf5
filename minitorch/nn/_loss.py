"""Loss functions."""

import math
import warnings

from minitorch.autograd import no_grad
from minitorch.autograd.by_sample import without_batching_rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.composed.broadcasting import broadcast_shapes, broadcast_tensors
from minitorch.core.types import contiguous_format, preserve_format
from minitorch.nn._reduction import get_enum, name_of, number_of


def cross_entropy(
    input,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
):
    """Compute the cross entropy of the softmax of logits and a target.

    `input` has the shape ``(N, C)``, ``(N, C, d1, ...)`` or ``(C,)``, and `target` holds class indices
    in ``(N,)``, ``(N, d1, ...)`` or ``()``, of dtype int64 or uint8. A floating-point `target` of the
    shape of `input` holds a probability for each class instead.

    Parameters
    ----------
    input : Tensor
    target : Tensor
    weight : Tensor, optional
        A factor for each of the C classes; a mean divides by the sum of the targets' weights.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    ignore_index : int, default -100
        Targets of this class have no loss and no gradient.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.
    label_smoothing : float, default 0.0
        The share of each target's probability that is spread evenly over all classes.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Raises
    ------
    IndexError
        If a target is not a class and not `ignore_index`.
    RuntimeError
        If a dtype or shape of the target is wrong.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.cross_entropy(torch.tensor([[2.0, 0.0, 0.0]]), torch.tensor([0]))
    tensor(0.2395)
    """
    number = number_of(size_average, reduce, reduction)
    return _ops.cross_entropy_loss(input, target, weight, number, ignore_index, label_smoothing)


def nll_loss(
    input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"
):
    """Compute the negative log-likelihood -input[target] of an input of log-probabilities.

    `input` has the shape ``(N, C)``, ``(N, C, d1, ...)`` or ``(C,)``, and `target` holds class indices
    in ``(N,)``, ``(N, d1, ...)`` or ``()``, of dtype int64 or uint8.

    Parameters
    ----------
    input : Tensor
    target : Tensor
    weight : Tensor, optional
        A factor for each of the C classes; a mean divides by the sum of the targets' weights.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    ignore_index : int, default -100
        Targets of this class have no loss and no gradient.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Raises
    ------
    IndexError
        If a target is not a class and not `ignore_index`.
    RuntimeError
        If the dtype of the target is wrong.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.nll_loss(torch.tensor([[0.25, 0.75]]).log(), torch.tensor([1]))
    tensor(0.2877)
    """
    number = number_of(size_average, reduce, reduction)
    return _ops.nll_loss_nd(input, target, weight, number, ignore_index)


def _warn_of_sizes(input, target):
    """Warn when the sizes of input and target differ."""
    if input.size() == target.size():
        return
    warnings.warn(
        f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). "
        "This will likely lead to incorrect results due to broadcasting. "
        "Please ensure they have the same size.",
        stacklevel=3,
    )


def _broadcast(input, target):
    return (input, target) if input.size() == target.size() else broadcast_tensors(input, target)


def _check_weight(weight, input):
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")


def _weighted(loss, reduction, mean):
    """Reduce weighted losses; `mean` is the function for the reduction "mean"."""
    if reduction == "none":
        return loss
    if reduction == "sum":
        return loss.sum()
    if reduction == "mean":
        return mean(loss)
    raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """Compute the squared error (input - target)**2.

    `input` and `target` have the same shape. The result is a scalar, or has their shape if `reduction`
    is "none".

    Parameters
    ----------
    input : Tensor
    target : Tensor
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.
    weight : Tensor, optional
        A factor for each element.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.mse_loss(torch.tensor([1.0, 2.0]), torch.tensor([0.0, 4.0]))
    tensor(2.5000)
    """
    _warn_of_sizes(input, target)
    reduction = name_of(size_average, reduce, reduction)
    a, b = _broadcast(input, target)
    if weight is not None:
        _check_weight(weight, input)
        return _weighted((a - b).pow(2) * weight, reduction, lambda loss: loss.sum() / weight.sum())
    return _ops.mse_loss(a, b, get_enum(reduction))


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """Compute the absolute error |input - target|.

    `input` and `target` have the same shape. The result is a scalar, or has their shape if `reduction`
    is "none".

    Parameters
    ----------
    input : Tensor
    target : Tensor
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.
    weight : Tensor, optional
        A factor for each element.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.l1_loss(torch.tensor([1.0, 2.0]), torch.tensor([0.0, 4.0]))
    tensor(1.5000)
    """
    _warn_of_sizes(input, target)
    reduction = name_of(size_average, reduce, reduction)
    a, b = _broadcast(input, target)
    if weight is not None:
        _check_weight(weight, input)
        return _weighted((a - b).abs() * weight, reduction, lambda loss: loss.sum() / weight.sum())
    return _ops.l1_loss(a, b, get_enum(reduction))


def _handed_on(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    options = {"size_average": size_average, "reduce": reduce, "reduction": reduction}
    return (input, target), options


l1_loss.handed_on = _handed_on


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """Compute a loss that is quadratic for errors below `beta` and linear beyond.

    For an error d it is ``d**2 / (2 * beta)`` if ``|d| < beta``, otherwise ``|d| - beta / 2``. `input`
    and `target` have the same shape. The result is a scalar, or has their shape if `reduction` is
    "none".

    Parameters
    ----------
    input : Tensor
    target : Tensor
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.
    beta : float, default 1.0
        Must not be negative; 0 gives `L1Loss`.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Raises
    ------
    RuntimeError
        If `beta` is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.smooth_l1_loss(torch.tensor([0.5, 3.0]), torch.zeros(2), reduction="none")
    tensor([0.1250, 2.5000])
    """
    _warn_of_sizes(input, target)
    reduction = name_of(size_average, reduce, reduction)
    a, b = _broadcast(input, target)
    number = get_enum(reduction)
    if beta == 0.0:
        return _ops.l1_loss(a, b, number)
    return _ops.smooth_l1_loss(a, b, number, beta)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """Compute a loss that is quadratic for errors below `delta` and linear beyond.

    For an error d it is ``d**2 / 2`` if ``|d| < delta``, otherwise ``delta * (|d| - delta / 2)``.
    `input` and `target` have the same shape. The result is a scalar, or has their shape if `reduction`
    is "none".

    Parameters
    ----------
    input : Tensor
    target : Tensor
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.
    delta : float, default 1.0
        Must be positive.
    weight : Tensor, optional
        A factor for each element.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Raises
    ------
    RuntimeError
        If `delta` is not positive.

    References
    ----------
    P. Huber, Robust Estimation of a Location Parameter, 1964.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.huber_loss(torch.tensor([0.5, 3.0]), torch.zeros(2), reduction="none")
    tensor([0.1250, 2.5000])
    """
    _warn_of_sizes(input, target)
    a, b = _broadcast(input, target)
    if weight is not None:
        _check_weight(weight, input)
        # PyTorch divides by the number of elements, not by the sum of the weights
        loss = _ops.huber_loss(a, b, 0, delta) * weight
        return _weighted(loss, reduction, lambda loss: loss.mean())
    return _ops.huber_loss(a, b, get_enum(reduction), delta)


def binary_cross_entropy(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean"
):
    """Compute the binary cross entropy of probabilities.

    It is ``-(target * log(input) + (1 - target) * log(1 - input))``; logarithms are clamped to at least
    -100. `input` and `target` have the same shape. The result is a scalar, or has their shape if
    `reduction` is "none".

    Parameters
    ----------
    input : Tensor
    target : Tensor
    weight : Tensor, optional
        A factor for each element, of a shape that broadcasts with the input.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Raises
    ------
    RuntimeError
        If an element of `input` is not between 0 and 1.
    ValueError
        If the shapes of `input` and `target` differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.binary_cross_entropy(torch.tensor([0.9, 0.2]), torch.tensor([1.0, 0.0]))
    tensor(0.1643)
    """
    number = number_of(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}) is deprecated. Please ensure they have the same size."
        )
    if weight is not None:
        weight = weight.expand(broadcast_shapes(target.size(), weight.size()))
    return _ops.binary_cross_entropy(input, target, weight, number)


def binary_cross_entropy_with_logits(
    input,
    target,
    weight=None,
    size_average=None,
    reduce=None,
    reduction="mean",
    pos_weight=None,
):
    """Compute the binary cross entropy of logits, the arguments of a sigmoid.

    It is more accurate than a sigmoid followed by `binary_cross_entropy`. `input` and `target` have the
    same shape. The result is a scalar, or has their shape if `reduction` is "none".

    Parameters
    ----------
    input : Tensor
    target : Tensor
    weight : Tensor, optional
        A factor for each element, of a shape that broadcasts with the input.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.
    pos_weight : Tensor, optional
        A factor for the loss of positive targets, one for each class in the last dimension.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Raises
    ------
    ValueError
        If the shapes of `input` and `target` differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.binary_cross_entropy_with_logits(torch.tensor([2.0, -1.0]), torch.tensor([1.0, 0.0]))
    tensor(0.2201)
    """
    number = number_of(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Target size ({target.size()}) must be the same as input size ({input.size()})"
        )
    return _ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """Compute the terms target * (log(target) - input) of the Kullback-Leibler divergence.

    `input` holds log-probabilities. `input` and `target` have the same shape. The result is a scalar,
    or has their shape if `reduction` is "none".

    Parameters
    ----------
    input : Tensor
    target : Tensor
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "batchmean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.
        "batchmean" divides the sum by the size of the first dimension, which is the divergence.
    log_target : bool, default False
        `target` holds log-probabilities, as `input` always does.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.kl_div(torch.tensor([[0.5, 0.5]]).log(), torch.tensor([[0.25, 0.75]]), reduction="batchmean")
    tensor(0.1308)
    """
    if size_average is not None or reduce is not None:
        number = number_of(size_average, reduce, reduction)
    else:
        if reduction == "mean":
            warnings.warn(
                "reduction: 'mean' divides the total loss by both the batch size and the support size."
                "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
                "'mean' will be changed to behave the same as 'batchmean' in the next major release.",
                stacklevel=2,
            )
        number = 2 if reduction == "batchmean" else get_enum(reduction)
    result = _kl_div(input, target, number, log_target=log_target)
    if reduction == "batchmean" and input.dim() != 0:
        result = result / input.size()[0]
    return result


_kl_div = without_batching_rule("aten::kl_div")(_ops.kl_div)


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """Compute log(1 + exp(-target * input)) for targets of 1 or -1.

    `input` and `target` have the same shape. The result is a scalar, or has their shape if `reduction`
    is "none".

    Parameters
    ----------
    input : Tensor
    target : Tensor
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.soft_margin_loss(torch.tensor([2.0, -1.0]), torch.tensor([1.0, -1.0]))
    tensor(0.2201)
    """
    return _ops.soft_margin_loss(input, target, number_of(size_average, reduce, reduction))


def _reduced(loss, number):
    return loss.mean() if number == 1 else loss.sum() if number == 2 else loss


def _number_less(number, t):
    """Return number - t, computed by the same operators as in PyTorch's C++ code."""
    return _ops.empty_like(t, memory_format=preserve_format).fill_(number).sub_(t)


def margin_ranking_loss(
    input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"
):
    """Compute max(0, -target * (input1 - input2) + margin).

    The inputs and `target` have the same shape. A target of 1 says that `input1` should be larger, -1
    that `input2` should be.

    Parameters
    ----------
    input1, input2 : Tensor
    target : Tensor
    margin : float, default 0.0
        The difference by which the right input should be larger.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.margin_ranking_loss(torch.zeros(2), torch.zeros(2), torch.ones(2), margin=1.0)
    tensor(1.)
    """
    number = number_of(size_average, reduce, reduction)
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    return _margin_ranking_loss(input1, input2, target, margin, number)


# the functions of PyTorch's top-level namespace, which take the reduction as a number


@parsed_as("margin_ranking_loss")
@without_batching_rule("aten::margin_ranking_loss")
def _margin_ranking_loss(input1, input2, target, margin=0.0, reduction=0):
    """Compute max(0, -target * (input1 - input2) + margin).

    Parameters
    ----------
    input1, input2 : Tensor
        Any shape.
    target : Tensor
        1 or -1, of the same shape.
    margin : float, default 0.0
    reduction : int, default 0
        0 returns every element, 1 the mean, 2 the sum.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is 0.

    Raises
    ------
    RuntimeError
        If the numbers of dimensions differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.margin_ranking_loss(torch.zeros(2), torch.zeros(2), torch.ones(2), 1.0)
    tensor([1., 1.])
    """
    difference = input1 - input2
    scores = _ops._add_scalar(-target * difference, float(margin))
    return _reduced(scores.clamp_min_(0), reduction)


def hinge_embedding_loss(
    input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"
):
    """Compute the input where the target is 1, and max(0, margin - input) where it is -1.

    The input is usually a distance of two embeddings. `input` and `target` have the same shape. The
    result is a scalar, or has their shape if `reduction` is "none".

    Parameters
    ----------
    input : Tensor
    target : Tensor
    margin : float, default 1.0
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.hinge_embedding_loss(torch.zeros(2), torch.tensor([1.0, -1.0]))
    tensor(0.5000)
    """
    number = number_of(size_average, reduce, reduction)
    return _hinge_embedding_loss(input, target, margin, number)


@parsed_as("hinge_embedding_loss")
def _hinge_embedding_loss(input, target, margin=1.0, reduction=0):
    """Compute the input where the target is 1, and max(0, margin - input) where it is -1.

    Parameters
    ----------
    input : Tensor
        Any shape.
    target : Tensor
        1 or -1, of the same shape.
    margin : float, default 1.0
    reduction : int, default 0
        0 returns every element, 1 the mean, 2 the sum.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is 0.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.hinge_embedding_loss(torch.zeros(2), torch.tensor([1.0, -1.0]))
    tensor([0., 1.])
    """
    zeros = _ops.zeros_like(input, memory_format=contiguous_format)
    missing = _number_less(margin, input).clamp_min_(0)
    far = _ops.where(target != 1, missing, zeros)
    near = _ops.where(target != -1, input, zeros)
    return _reduced(far + near, reduction)


def cosine_embedding_loss(
    input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"
):
    """Compute 1 - cosine where the target is 1, and max(0, cosine - margin) where it is -1.

    The inputs have the shape ``(N, D)`` or ``(D,)``; `target` has the shape ``(N,)`` or ``()``.

    Parameters
    ----------
    input1, input2 : Tensor
    target : Tensor
    margin : float, default 0.0
        Between -1 and 1.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.cosine_embedding_loss(torch.ones(1, 3), torch.ones(1, 3), torch.tensor([-1]), margin=0.5)
    tensor(0.5000)
    """
    number = number_of(size_average, reduce, reduction)
    return _cosine_embedding_loss(input1, input2, target, margin, number)


@parsed_as("cosine_embedding_loss")
def _cosine_embedding_loss(input1, input2, target, margin=0.0, reduction=0):
    """Compute 1 - cosine where the target is 1, and max(0, cosine - margin) where it is -1.

    Parameters
    ----------
    input1, input2 : Tensor
        The shape ``(N, D)`` or ``(D,)``.
    target : Tensor
        1 or -1, of the shape ``(N,)`` or ``()``.
    margin : float, default 0.0
    reduction : int, default 0
        0 returns every element, 1 the mean, 2 the sum.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is 0.

    Raises
    ------
    RuntimeError
        If a shape does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.cosine_embedding_loss(torch.ones(1, 3), torch.ones(1, 3), torch.tensor([-1]), 0.5)
    tensor([0.5000])
    """
    eps = 9.999999960041972e-13  # 1e-12 rounded to float32
    dim = target.dim()
    if dim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if input1.dim() != dim + 1 or input2.dim() != dim + 1:
        raise RuntimeError(
            f"{dim}D target tensor expects {dim + 1}D input tensors, but found inputs with sizes "
            f"{list(input1.shape)} and {list(input2.shape)}."
        )
    inner = (input1 * input2).sum(dim)
    first, second = (_ops._add_scalar((t * t).sum(dim), eps) for t in (input1, input2))
    lengths = first * second
    cosine = inner / lengths.sqrt_()
    zeros = _ops.zeros_like(cosine, memory_format=contiguous_format)
    distance = _number_less(1, cosine)
    beyond = _ops._sub_scalar(cosine, margin).clamp_min_(0)
    near = _ops.where(target == 1, distance, zeros)
    far = _ops.where(target == -1, beyond, zeros)
    return _reduced(near + far, reduction)


def triplet_margin_loss(
    anchor,
    positive,
    negative,
    margin=1.0,
    p=2,
    eps=1e-6,
    swap=False,
    size_average=None,
    reduce=None,
    reduction="mean",
):
    """Compute max(0, |anchor - positive| - |anchor - negative| + margin).

    The three inputs have the shape ``(N, D)`` or ``(D,)``; the result has the shape ``(N,)`` or ``()``
    if `reduction` is "none".

    Parameters
    ----------
    anchor, positive, negative : Tensor
    margin : float, default 1.0
        Must be positive.
    p : float, default 2.0
        The p of the norm.
    eps : float, default 1e-06
        Added to each difference.
    swap : bool, default False
        Use the distance of `positive` and `negative` where it is smaller than that of `anchor` and
        `negative`.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Raises
    ------
    ValueError
        If `margin` is not positive.

    References
    ----------
    V. Balntas et al., Learning shallow convolutional feature descriptors with triplet losses, BMVC
    2016.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.triplet_margin_loss(torch.zeros(1, 2), torch.zeros(1, 2), torch.ones(1, 2), margin=2.0)
    tensor(0.5858)
    """
    number = number_of(size_average, reduce, reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return _triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)


@parsed_as("triplet_margin_loss")
@without_batching_rule("aten::triplet_margin_loss")
def _triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False, reduction=0
):
    """Compute max(0, |anchor - positive| - |anchor - negative| + margin).

    Parameters
    ----------
    anchor, positive, negative : Tensor
        The shape ``(N, D)`` or ``(D,)``.
    margin : float, default 1.0
    p : float, default 2
        The p of the norm.
    eps : float, default 1e-06
        Added to each difference.
    swap : bool, default False
        Use the distance of `positive` and `negative` where it is smaller.
    reduction : int, default 0
        0 returns every element, 1 the mean, 2 the sum.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is 0.

    Raises
    ------
    RuntimeError
        If the numbers of dimensions differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.triplet_margin_loss(torch.zeros(1, 2), torch.zeros(1, 2), torch.ones(1, 2), 2.0)
    tensor([0.5858])
    """
    dims = anchor.dim(), positive.dim(), negative.dim()
    if dims != (dims[0],) * 3:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of "
            f"dimensions, but got: anchor {dims[0]}D, positive {dims[1]}D, and negative {dims[2]}D inputs"
        )
    near = _ops.pairwise_distance(anchor, positive, p, eps)
    far = _ops.pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = _ops.minimum(far, _ops.pairwise_distance(positive, negative, p, eps))
    return _reduced((_ops._add_scalar(near, margin) - far).clamp_min(0), reduction)


def poisson_nll_loss(
    input,
    target,
    log_input=True,
    full=False,
    size_average=None,
    eps=1e-8,
    reduce=None,
    reduction="mean",
):
    """Compute the negative log-likelihood of counts with a Poisson distribution.

    `input` and `target` have the same shape. The result is a scalar, or has their shape if `reduction`
    is "none".

    Parameters
    ----------
    input : Tensor
    target : Tensor
    log_input : bool, default True
        The input is the logarithm of the expected count: the loss is exp(input) - target * input. Otherwise
        it is
        input - target * log(input + eps).
    full : bool, default False
        Add Stirling's approximation of log(target!) for targets above 1.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    eps : float, default 1e-08
        Keeps the logarithm finite.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.poisson_nll_loss(torch.zeros(2), torch.ones(2))
    tensor(1.)
    """
    reduction = name_of(size_average, reduce, reduction)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not a valid value for reduction")
    return _poisson_nll_loss(input, target, log_input, full, eps, get_enum(reduction))


@parsed_as("poisson_nll_loss")
def _poisson_nll_loss(input, target, log_input, full, eps, reduction):
    """Compute the negative log-likelihood of counts with a Poisson distribution.

    Parameters
    ----------
    input : Tensor
        The expected counts or their logarithms.
    target : Tensor
        The counts, of the same shape.
    log_input : bool
        Whether `input` holds logarithms.
    full : bool
        Add Stirling's approximation of log(target!) for targets above 1.
    eps : float
        Keeps the logarithm finite.
    reduction : int
        0 returns every element, 1 the mean, 2 the sum.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is 0.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.poisson_nll_loss(torch.zeros(2), torch.ones(2), True, False, 1e-8, 1)
    tensor(1.)
    """
    if log_input:
        product = target * input
        loss = input.exp() - product
    else:
        loss = input - target * _ops._add_scalar(input, eps).log()
    if full:
        half = _ops._mul_scalar(_ops._mul_scalar(target, 2 * math.pi).log(), 0.5)
        stirling = target * target.log() - target + half
        loss += stirling.masked_fill(target <= 1, 0)
    return _reduced(loss, reduction)


def _one_dimension_apart(size, other):
    """Check whether the sizes differ in exactly one dimension, where `other` is 1."""
    if len(size) != len(other):
        return False
    return [b for a, b in zip(size, other, strict=True) if a != b] == [1]


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """Compute the negative log-likelihood of targets with a normal distribution.

    The loss is ``(log(var) + (input - target)**2 / var) / 2``. `var` has the shape of `input`, or a
    last dimension of size 1.

    Parameters
    ----------
    input, target : Tensor
    var : Tensor or float
        The variances.
    full : bool, default False
        Add the constant log(2 * pi) / 2.
    eps : float, default 1e-06
        The smallest variance; smaller ones are raised to it.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Returns
    -------
    Tensor
        A scalar, or every element if `reduction` is "none".

    Raises
    ------
    ValueError
        If a variance is negative, or a shape does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.gaussian_nll_loss(torch.zeros(2), torch.ones(2), torch.ones(2))
    tensor(0.5000)
    """
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * (input.detach() * 0 + 1)
    elif (var < 0).any():
        raise ValueError("var has negative entry/entries")
    elif var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        elif not _one_dimension_apart(input.size(), var.size()):
            raise ValueError("var is of incorrect size")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    var = var.clone()
    with no_grad():
        var.clamp_(min=eps)
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        loss += 0.5 * math.log(2 * math.pi)
    return _reduced(loss, get_enum(reduction))
