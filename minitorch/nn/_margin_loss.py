"""Margin losses over several classes, and losses for several labels."""

import math

from minitorch.autograd.by_sample import without_batching_rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import arange
from minitorch.autograd.functions.gathered import one_node
from minitorch.autograd.graph_api.composite_node import as_one_composed, as_one_operator
from minitorch.autograd.python_dispatch import asked
from minitorch.nn._precision import (
    check_scalar_type,
    reject_16_bits,
    require_floating_point,
)
from minitorch.nn._reduction import get_enum, legacy_get_string, number_of
from minitorch.tensors.gradient_checks import derived_once, reject_gradients, reject_tangents
from minitorch.tensors.vmap_values import all_samples


def _reduced(loss, number):
    return loss.mean() if number == 1 else loss.sum() if number == 2 else loss


def multi_margin_loss(
    input,
    target,
    p=1,
    margin=1.0,
    weight=None,
    size_average=None,
    reduce=None,
    reduction="mean",
):
    """Average max(0, margin - input[target] + input[j])**p over the other classes j.

    Parameters
    ----------
    input : Tensor
        (N, C) or (C,).
    target : Tensor
        (N,) or (), classes.
    p : int, default 1
        1 or 2.
    margin : float, default 1.0
    weight : Tensor, optional
        (C,), a factor for each target class.
    reduction : str, default "mean"
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.

    Returns
    -------
    Tensor
        (), or (N,) without reduction.

    Raises
    ------
    ValueError, RuntimeError
        For another `p`, or for shapes that do not match.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[0.1, 0.2, 0.4, 0.8]])
    >>> torch.nn.functional.multi_margin_loss(x, torch.tensor([3]))
    tensor(0.3250)
    """
    number = number_of(size_average, reduce, reduction)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    reject_gradients("multi_margin_loss", weight=weight)
    rest = (target, p, margin, weight, number)
    return as_one_operator(
        "multi_margin_loss",
        (input, *rest),
        lambda: one_node(
            "MultiMarginLossBackward0",
            _over_the_margin,
            (input,),
            rest,
            margin=margin,
            p=p,
            reduction=number,
            self=input,
            target=target,
            weight=weight,
        ),
        _over_the_margin_backward,
    )


def _over_the_margin_backward(grad, input, *rest):
    def refused(*_):
        raise RuntimeError("derivative for aten::multi_margin_loss_backward is not implemented")

    return as_one_operator("multi_margin_loss_backward", (grad, input, *rest), refused, refused)


def _violations(difference, counted):
    """Return the positive elements that are counted, and 0 elsewhere, including for nan.

    The gradient is multiplied by 0 there. So if it is nan, it is nan for all elements, as in PyTorch.
    """
    finite_or_large = difference.masked_fill(~(difference > -math.inf), 0.0)
    return finite_or_large * ((difference > 0) & counted) + 0.0


def _check(input, target, weight):
    """Raise PyTorch's error for arguments of `multi_margin_loss` that do not fit."""
    if input.dim() > 2 or input.numel() == 0 and input.size(-1) == 0:
        raise RuntimeError(
            "Expected non-empty vector or matrix with optional 0-dim batch size, but got: "
            f"{list(input.shape)}"
        )
    classes = input.size(-1) if input.dim() else 1
    samples = input.size(0) if input.dim() == 2 else 1
    if target.dim() > 1 or target.numel() != samples:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples "
            f"(batch size). Expected target size [{samples}], but got {list(target.shape)}. Input has "
            f"shape {list(input.shape)}."
        )
    if weight is not None and weight.numel() != classes:
        raise RuntimeError(
            f"inconsistent weight size, expected {classes} but got {list(weight.shape)}"
        )
    reject_16_bits(input, "multi_margin_loss_cpu_kernel")
    require_floating_point(input, "multi_margin_loss_cpu_kernel")
    check_scalar_type(target, "Long")
    if weight is not None:
        check_scalar_type(weight, input.dtype._class_name)
    every, _ = all_samples(target)
    known = every.numel() and not asked(every)
    if known and (int(every.min()) < 0 or int(every.max()) >= classes):
        raise RuntimeError("target out of range")


@without_batching_rule("aten::multi_margin_loss", composed=False)
def _over_the_margin(input, target, p, margin, weight, number):
    _check(input, target, weight)
    input = derived_once(input, "multi_margin_loss", "multi_margin_loss_backward")
    if weight is not None:
        reject_tangents([weight], "multi_margin_loss")
    rows = input.reshape(-1, input.size(-1)) if input.dim() else input.reshape(1, 1)
    classes, of_target = rows.size(1), target.reshape(-1, 1)
    others = arange(0, classes, device=input.device) != of_target
    loss = _violations(margin - rows.gather(1, of_target) + rows, others)
    if p == 2:
        loss = loss * loss
    if weight is not None:
        loss = loss * weight[of_target]
    loss = loss.sum(1) / classes
    return _reduced(loss.squeeze(0) if target.dim() == 0 else loss, number)


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """Sum max(0, 1 - input[y] + input[j]) over the labels y and all other classes j, divided by C.

    Parameters
    ----------
    input : Tensor
        (N, C) or (C,).
    target : Tensor
        int64, of the same shape: the labels, followed by -1.
    reduction : str, default "mean"
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.

    Returns
    -------
    Tensor
        (), or (N,) without reduction.

    Raises
    ------
    RuntimeError
        For shapes that do not match, or labels out of range.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[0.1, 0.2, 0.4, 0.8]])
    >>> torch.nn.functional.multilabel_margin_loss(x, torch.tensor([[3, 0, -1, 1]]))
    tensor(0.8500)
    """
    return _multilabel_margin_loss(input, target, number_of(size_average, reduce, reduction))


@without_batching_rule("aten::multilabel_margin_loss")
def _multilabel_margin_loss(input, target, number):
    if input.dim() > 2 or input.dim() and input.size(-1) == 0:
        raise RuntimeError(
            "Expected non-empty vector or matrix with optional 0-dim batch size, but got: "
            f"{list(input.shape)}"
        )
    if tuple(target.shape) != tuple(input.shape) and input.numel() != target.numel():
        raise RuntimeError(
            f"inconsistent target size: {list(target.shape)} for input of size: {list(input.shape)}"
        )
    classes = input.size(-1) if input.dim() else 1
    labels = (
        target if target.dim() == 2 and target.shape == input.shape else target.reshape(-1, classes)
    )
    reject_16_bits(input, "multilabel_margin_loss_forward_out_frame")
    require_floating_point(input, "multilabel_margin_loss_forward_out_frame")
    check_scalar_type(labels, "Long")
    every, _ = all_samples(labels)
    known = every.numel() and not asked(every)
    if known and (int(every.min()) < -1 or int(every.max()) >= classes):
        raise RuntimeError("argument #2 'target' is out of range")

    def loss_of(input):
        loss = one_node(
            "MultilabelMarginLossBackward0",
            _over_all_labels,
            (input,),
            (labels, number),
            reduction=number,
            self=input,
            target=target,
        )
        return loss, None

    return as_one_composed("multilabel_margin_loss_forward", (input, target, number), loss_of)[0]


@without_batching_rule("aten::multilabel_margin_loss_forward", composed=False)
def _over_all_labels(input, labels, number):
    input = derived_once(input, "multilabel_margin_loss_forward", "multilabel_margin_loss_backward")
    rows = input.reshape(labels.size())
    classes = rows.size(1)
    counted = ((labels == -1).long().cumsum(1) == 0).unsqueeze(2)
    is_label = ((labels.unsqueeze(2) == arange(0, classes, device=input.device)) & counted).any(1)
    scores = rows.gather(1, labels.clamp_min(0)).unsqueeze(2)
    loss = _violations(1 - scores + rows.unsqueeze(1), counted & ~is_label.unsqueeze(1))
    loss = loss.sum((1, 2)) / classes
    return _reduced(loss if input.dim() == 2 else loss.squeeze(0), number)


def multilabel_soft_margin_loss(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean"
):
    """Average the binary cross entropy of sigmoid(input) over the classes.

    Parameters
    ----------
    input, target : Tensor
        (N, C), the targets 0 or 1.
    weight : Tensor, optional
        (C,), a factor for each class.
    reduction : str, default "mean"
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.

    Returns
    -------
    Tensor
        (), or (N,) without reduction.

    Raises
    ------
    ValueError
        For another `reduction`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.functional.multilabel_soft_margin_loss(torch.zeros(1, 2), torch.ones(1, 2))
    tensor(0.6931)
    """
    if size_average is not None or reduce is not None:
        reduction = legacy_get_string(size_average, reduce)
    loss = -(target * _ops.log_sigmoid(input) + (1 - target) * _ops.log_sigmoid(-input))
    if weight is not None:
        loss = loss * weight
    classes = input.dim() - 1  # input's last dimension; loss may have more
    loss = loss.sum(classes) / input.size(classes)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    return _reduced(loss, get_enum(reduction))


def triplet_margin_with_distance_loss(
    anchor,
    positive,
    negative,
    *,
    distance_function=None,
    margin=1.0,
    swap=False,
    reduction="mean",
):
    """Return max(0, d(anchor, positive) - d(anchor, negative) + margin) for any distance d.

    Parameters
    ----------
    anchor, positive, negative : Tensor
        Of shapes that the distance accepts.
    distance_function : callable, optional
        `pairwise_distance` by default.
    margin : float, default 1.0
    swap : bool, default False
        Use the distance from positive to negative where it is smaller than from anchor to negative.
    reduction : str, default "mean"

    Returns
    -------
    Tensor
        A scalar, or one loss for each example if `reduction` is "none".

    Raises
    ------
    ValueError, RuntimeError
        For a margin that is not positive, an unknown `reduction`, or different numbers of
        dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> a, b = torch.zeros(1, 2), torch.ones(1, 2)
    >>> torch.nn.functional.triplet_margin_with_distance_loss(a, a, b, margin=2.0)
    tensor(0.5858)
    """
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    dims = anchor.dim(), positive.dim(), negative.dim()
    if len(set(dims)) > 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of "
            f"dimensions, but got: anchor {dims[0]}D, positive {dims[1]}D, and negative {dims[2]}D "
            "inputs"
        )
    distance = _ops.pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = _ops.minimum(far, distance(positive, negative))
    return _reduced((margin + near - far).clamp_min(0), get_enum(reduction))
