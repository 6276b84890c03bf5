"""Losses: what has no reduction is elementwise, and the reductions are those of each sample."""

from minitorch._functorch.batching._common import (
    expanded,
    for_each_sample,
    is_batched,
    rule,
    wrapped,
)
from minitorch._functorch.batching.pointwise import aligned
from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _ops

_NONE, _MEAN, _SUM = 0, 1, 2


def _reduced(loss, reduction):
    """(batch, ...) to (batch,)."""
    if reduction == _NONE:
        return loss
    dims = tuple(range(1, loss.dim()))
    if not dims:
        return loss
    return loss.mean(dims) if reduction == _MEAN else loss.sum(dims)


def _without_reduction(operator, arguments, level):
    """(arguments with the batch in front, the reduction they asked for)."""
    ndim = max(a.dim() for a in arguments if isinstance(a, Tensor))
    values = []
    reduction = _NONE
    for (name, _, _), value in zip(operator.parameters, arguments, strict=True):
        if name == "reduction":
            value, reduction = _NONE, value
        elif isinstance(value, Tensor):
            value = aligned(expanded(value, level), ndim)
        values.append(value)
    return values, reduction


@rule(
    "mse_loss",
    "huber_loss",
    "smooth_l1_loss",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
)
def _loss(operator, arguments, level):
    self, target, *_ = arguments
    if self.shape != target.shape:
        return for_each_sample(operator, arguments, level)
    values, reduction = _without_reduction(operator, arguments, level)
    return wrapped(_reduced(operator(*values), reduction), level)


@rule(
    "mse_loss_backward",
    "smooth_l1_loss_backward",
    "binary_cross_entropy_backward",
    "binary_cross_entropy_with_logits_backward",
)
def _loss_backward(operator, arguments, level):
    grad_output, self, target, *_ = arguments
    if self.shape != target.shape:
        return for_each_sample(operator, arguments, level)
    values, reduction = _without_reduction(operator, arguments, level)
    if reduction != _NONE:
        values[0] = values[0].expand(values[1].shape)
    result = operator(*values)
    return wrapped(result / self.numel() if reduction == _MEAN else result, level)


@rule("huber_loss_backward")
def _huber_loss_backward(operator, arguments, level):
    # composed, as there: so it has tangents, which it has not by itself
    grad_output, self, target, reduction, delta = arguments
    slopes = grad_output * (self - target).clamp(-delta, delta)
    return slopes / self.numel() if reduction == _MEAN else slopes


@rule("nll_loss_forward", "nll_loss2d_forward")
def _nll_loss(operator, arguments, level):
    self, target, weight, reduction, ignore_index = arguments
    if (
        (weight is not None and is_batched(weight, level))
        or level.batch_size == 0
        or self.dim() == 0
    ):
        return for_each_sample(operator, arguments, level)
    scores, classes = expanded(self, level), expanded(target, level)
    alone = target.dim() == 0
    if self.dim() - target.dim() != 1 or (not alone and self.shape[0] != target.shape[0]):
        return for_each_sample(operator, arguments, level)
    if not alone:
        scores, classes = scores.flatten(0, 1), classes.flatten(0, 1)
    loss, _ = operator(scores, classes, weight, _NONE, ignore_index)
    loss = loss.reshape(level.batch_size, *target.shape)
    if reduction == _NONE:
        return wrapped((loss, _ops.zeros_like(loss[:, *(0,) * target.dim()])), level)
    counted = expanded(target, level) != ignore_index
    if weight is None:
        counts = counted.to(loss.dtype)
    else:
        counts = weight[_ops.where(counted, expanded(target, level), 0)] * counted
    dims = tuple(range(1, loss.dim()))
    total = counts.sum(dims) if dims else counts
    summed = loss.sum(dims) if dims else loss
    if reduction == _MEAN:
        summed = summed / total
    return wrapped((summed, total), level)
