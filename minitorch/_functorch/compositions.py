"""Operators that PyTorch composes of simpler ones inside of transforms.

Elsewhere each is a single operator with a derivative of its own. Composed, it accepts arguments that this derivative
does not, such as complex targets.
"""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.operators import _operator

_MEAN, _SUM = 1, 2


def _binary_cross_entropy_with_logits(self, target, weight, pos_weight, reduction):
    """Compute (1 - target) * self + log(1 + exp(-self)), with the exponents shifted to be at most 0."""
    shift = (-self).clamp_min(0)
    factor = None if pos_weight is None else (_ops._sub_scalar(pos_weight, 1) * target).add_(1)
    loss = _ops.empty_like(target).fill_(1).sub_(target) * self
    if factor is None:
        loss.add_(shift)
    logs = ((-shift).exp_() + (-self - shift).exp_()).log_()
    if factor is None:
        loss.add_(logs)
    else:
        loss = loss + factor * logs.add_(shift)
    if weight is not None:
        loss = loss * weight
    if reduction == _MEAN:
        return loss.mean()
    return loss.sum() if reduction == _SUM else loss


def _dropout_noise(input, p, feature):
    """Draw in the order of the indices; return None if that is the order of the memory."""
    if feature or input.is_contiguous():
        return None
    return _operator("dropout_noise")(input.contiguous(), p, feature)


COMPOSITIONS = {
    "binary_cross_entropy_with_logits": _binary_cross_entropy_with_logits,
    "dropout_noise": _dropout_noise,
}
