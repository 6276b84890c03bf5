"""What the tests see of these operators: `TensorImpl`s in and out. Not part of the package's
interface."""

from minitorch.ops.nn cimport elementwise_loss, loss


def call(str name, *args, **kwargs):
    """The operator of that name."""
    return _OPERATORS[name](*args, **kwargs)


_OPERATORS = {
    "mse_loss": lambda self, target, reduction=1:
        elementwise_loss.mse_loss(self, target, reduction),
    "mse_loss_backward": lambda grad_output, self, target, reduction:
        elementwise_loss.mse_loss_backward(grad_output, self, target, reduction),
    "l1_loss": lambda self, target, reduction=1:
        elementwise_loss.l1_loss(self, target, reduction),
    "smooth_l1_loss": lambda self, target, reduction=1, beta=1:
        elementwise_loss.smooth_l1_loss(self, target, reduction, beta),
    "smooth_l1_loss_backward": lambda grad_output, self, target, reduction, beta:
        elementwise_loss.smooth_l1_loss_backward(grad_output, self, target, reduction, beta),
    "huber_loss": lambda self, target, reduction=1, delta=1:
        elementwise_loss.huber_loss(self, target, reduction, delta),
    "huber_loss_backward": lambda grad_output, self, target, reduction, delta:
        elementwise_loss.huber_loss_backward(grad_output, self, target, reduction, delta),
    "soft_margin_loss": lambda self, target, reduction=1:
        elementwise_loss.soft_margin_loss(self, target, reduction),
    "soft_margin_loss_backward": lambda grad_output, self, target, reduction:
        elementwise_loss.soft_margin_loss_backward(grad_output, self, target, reduction),
    "binary_cross_entropy": lambda self, target, weight=None, reduction=1:
        elementwise_loss.binary_cross_entropy(self, target, weight, reduction),
    "binary_cross_entropy_backward": lambda grad_output, self, target, weight=None,
        reduction=1:
        elementwise_loss.binary_cross_entropy_backward(grad_output, self, target, weight,
                                                       reduction),
    "binary_cross_entropy_with_logits": lambda self, target, weight=None, pos_weight=None,
        reduction=1:
        elementwise_loss.binary_cross_entropy_with_logits(self, target, weight, pos_weight,
                                                          reduction),
    "binary_cross_entropy_with_logits_backward": lambda grad, self, target, weight,
        pos_weight, reduction:
        elementwise_loss.binary_cross_entropy_with_logits_backward(
            grad, self, target, weight, pos_weight, reduction),
    "kl_div": lambda self, target, reduction=1, log_target=False:
        elementwise_loss.kl_div(self, target, reduction, log_target),
    "nll_loss_forward": lambda self, target, weight, reduction, ignore_index:
        loss.nll_loss_forward(self, target, weight, reduction, ignore_index),
    "nll_loss_backward": lambda grad_output, self, target, weight, reduction, ignore_index,
        total_weight:
        loss.nll_loss_backward(grad_output, self, target, weight, reduction, ignore_index,
                               total_weight),
    "nll_loss2d_forward": lambda self, target, weight, reduction, ignore_index:
        loss.nll_loss2d_forward(self, target, weight, reduction, ignore_index),
    "nll_loss2d_backward": lambda grad_output, self, target, weight, reduction,
        ignore_index, total_weight:
        loss.nll_loss2d_backward(grad_output, self, target, weight, reduction, ignore_index,
                                 total_weight),
}
