"""The predefined decompositions of operators into simpler ones."""

import math

from minitorch._decomp.tables import register_decomposition
from minitorch._dispatch.operators import ops
from minitorch.autograd.functions import tensor_methods as _ops

aten = ops.aten
_MEAN, _SUM = 1, 2


def _reduced(loss, reduction):
    return loss.mean() if reduction == _MEAN else loss.sum() if reduction == _SUM else loss


def _share(grad_output, like, reduction):
    """Return the gradient of each element of a loss, given the gradient of the reduced loss."""
    return grad_output / like.numel() if reduction == _MEAN else grad_output


@register_decomposition(aten.addmm.default)
def addmm(self, mat1, mat2, *, beta=1, alpha=1):
    return beta * self + alpha * mat1.mm(mat2)


@register_decomposition(aten.baddbmm.default)
def baddbmm(self, batch1, batch2, *, beta=1, alpha=1):
    return beta * self + alpha * batch1.bmm(batch2)


@register_decomposition(aten.addmv.default)
def addmv(self, mat, vec, *, beta=1, alpha=1):
    return beta * self + alpha * mat.mv(vec)


@register_decomposition(aten.addcmul.default)
def addcmul(self, tensor1, tensor2, *, value=1):
    return self + value * tensor1 * tensor2


@register_decomposition(aten.addcdiv.default)
def addcdiv(self, tensor1, tensor2, *, value=1):
    return self + value * (tensor1 / tensor2)


@register_decomposition(aten.lerp.Tensor)
@register_decomposition(aten.lerp.Scalar)
def lerp(self, end, weight):
    return self + weight * (end - self)


@register_decomposition(aten.silu.default)
def silu(self):
    return self * self.sigmoid()


@register_decomposition(aten.silu_backward.default)
def silu_backward(grad_output, self):
    s = self.sigmoid()
    return grad_output * s * (1 + self * (1 - s))


@register_decomposition(aten.sigmoid_backward.default)
def sigmoid_backward(grad_output, output):
    return grad_output * (output * (1 - output)).conj()


@register_decomposition(aten.tanh_backward.default)
def tanh_backward(grad_output, output):
    return grad_output * (1 - output * output).conj()


@register_decomposition(aten.softplus.default)
def softplus(self, beta=1, threshold=20):
    x = self * beta
    return x.exp().log1p().div(beta).where(x <= threshold, self)


@register_decomposition(aten.gelu.default)
def gelu(self, approximate="none"):
    if approximate == "tanh":
        inner = math.sqrt(2 / math.pi) * (self + 0.044715 * self * self * self)
        return 0.5 * self * (1 + inner.tanh())
    return 0.5 * self * (1 + (self / math.sqrt(2)).erf())


@register_decomposition(aten.hardsigmoid.default)
def hardsigmoid(self):
    return (self + 3).clamp(0, 6) / 6


@register_decomposition(aten.hardswish.default)
def hardswish(self):
    return self * (self + 3).clamp(0, 6) / 6


@register_decomposition(aten.threshold_backward.default)
def threshold_backward(grad_output, self, threshold):
    return grad_output.where(self > threshold, _ops.zeros_like(grad_output))


@register_decomposition(aten.mse_loss.default)
def mse_loss(self, target, reduction=_MEAN):
    return _reduced((self - target) ** 2, reduction)


@register_decomposition(aten.mse_loss_backward.default)
def mse_loss_backward(grad_output, self, target, reduction):
    return _share(grad_output, self, reduction) * 2 * (self - target)


@register_decomposition(aten.huber_loss.default)
def huber_loss(self, target, reduction=_MEAN, delta=1.0):
    z = (self - target).abs()
    return _reduced((0.5 * z * z).where(z <= delta, delta * (z - 0.5 * delta)), reduction)


@register_decomposition(aten._softmax.default)
def _softmax(x, dim, half_to_float):
    unnormalized = (x - x.amax(dim, keepdim=True)).exp()
    return unnormalized / unnormalized.sum(dim, keepdim=True)


@register_decomposition(aten._log_softmax.default)
def _log_softmax(x, dim, half_to_float):
    shifted = x - x.amax(dim, keepdim=True)
    return shifted - shifted.exp().sum(dim, keepdim=True).log()


@register_decomposition(aten._softmax_backward_data.default)
def _softmax_backward_data(grad_output, output, dim, input_dtype):
    weighted = grad_output * output
    return weighted - output * weighted.sum(dim, keepdim=True)


@register_decomposition(aten._log_softmax_backward_data.default)
def _log_softmax_backward_data(grad_output, output, dim, input_dtype):
    return grad_output - output.exp() * grad_output.sum(dim, keepdim=True)


@register_decomposition(aten.rsub.Tensor)
@register_decomposition(aten.rsub.Scalar)
def rsub(self, other, alpha=1):
    return other - alpha * self


@register_decomposition(aten.t.default)
def t(self):
    return self if self.dim() < 2 else self.transpose(0, 1)
