"""Losses: computed elementwise without a reduction, then reduced for each sample."""

from minitorch._functorch.batching._common import (
    expanded,
    for_each_sample,
    rule,
    wrapped,
)
from minitorch._functorch.batching.pointwise import aligned
from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.operators import _operator

_NONE, _MEAN, _SUM = 0, 1, 2


def _reduced(loss, reduction):
    """Reduce (batch, ...) to (batch,)."""
    if reduction == _NONE:
        return loss
    dims = tuple(range(1, loss.dim()))
    if not dims:
        return loss
    return loss.mean(dims) if reduction == _MEAN else loss.sum(dims)


def _without_reduction(operator, arguments, level):
    """Return the arguments with the batch first and no reduction, and the reduction."""
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
    # composed as in PyTorch, so that it has tangents, which the operator itself lacks
    grad_output, self, target, reduction, delta = arguments
    slopes = grad_output * (self - target).clamp(-delta, delta)
    return slopes / self.numel() if reduction == _MEAN else slopes


def _check_classes(self, target, weight):
    """Check the shapes of a sample, with the assertions of PyTorch's composition."""
    if not 0 < self.dim() <= 2:
        raise AssertionError(f"input tensor should be 1D or 2D, got {self.dim()}D")
    if target.dim() > 1:
        raise AssertionError(
            f"0D or 1D target tensor expected, multi-target not supported, got {target.dim()}D"
        )
    if (self.dim() > 1 or target.dim()) and self.shape[0] != (target.shape or (None,))[0]:
        raise RuntimeError(
            f"size mismatch (got input: {self.shape}, target: {target.shape})".replace("mini", "")
        )
    classes = self.shape[-1]
    if weight is not None and tuple(weight.shape) != (classes,):
        raise AssertionError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight "
            f"tensor of shape: {weight.shape}".replace("mini", "")
        )


@rule("nll_loss_forward", "nll_loss2d_forward")
def _nll_loss(operator, arguments, level):
    self, target, weight, reduction, ignore_index = arguments
    if operator.name == "nll_loss_forward":
        _check_classes(self, target, weight)
    dim = min(self.dim() - 1, 1)
    counted = target != ignore_index
    places = _ops.where(counted, target, 0).unsqueeze(dim)
    if weight is None:
        scores, shares = self, counted.to(self.dtype)
    else:
        weights = weight.reshape(-1, *(1,) * (self.dim() - 1 - dim)).expand(self.shape)
        scores, shares = self * weights, _ops.where(counted, _picked(weights, places, dim), 0)
    loss = _ops.where(counted, -_picked(scores, places, dim), 0)
    if reduction == _NONE:
        return loss, self.new_zeros(()) if dim else shares.sum()
    total, loss = shares.sum(), loss.sum()
    return loss / total if reduction == _MEAN else loss, total


def _picked(values, places, dim):
    return _operator("gather")(values, dim, places, False).squeeze(dim)
