"""What the tests see of the operators of neural networks: `TensorImpl`s in and out. Not part of the
package's interface."""

from minitorch.core.tensor_impl cimport TensorImpl
from minitorch.ops cimport normalization, softmax


def call(str name, *args, **kwargs):
    """The operator of that name."""
    return _OPERATORS[name](*args, **kwargs)


_OPERATORS = {
    "_softmax": lambda self, dim, half_to_float=False, out=None:
        softmax._softmax(self, dim, half_to_float, out),
    "_log_softmax": lambda self, dim, half_to_float=False, out=None:
        softmax._log_softmax(self, dim, half_to_float, out),
    "_softmax_backward_data": lambda grad, output, dim, dtype:
        softmax._softmax_backward_data(grad, output, dim, dtype),
    "_log_softmax_backward_data": lambda grad, output, dim, dtype:
        softmax._log_softmax_backward_data(grad, output, dim, dtype),
    "native_layer_norm": lambda input, shape, weight, bias, eps:
        normalization.native_layer_norm(input, tuple(shape), weight, bias, eps),
    "native_layer_norm_backward": lambda grad, input, shape, mean, rstd, weight, bias, mask:
        normalization.native_layer_norm_backward(
            grad, input, tuple(shape), mean, rstd, weight, bias, tuple(mask)),
    "native_batch_norm": lambda input, weight, bias, mean, var, training, momentum, eps:
        normalization.native_batch_norm(input, weight, bias, mean, var, training, momentum, eps),
    "native_batch_norm_backward":
        lambda grad, input, weight, mean, var, save_mean, save_invstd, train, eps, mask:
        normalization.native_batch_norm_backward(
            grad, input, weight, mean, var, save_mean, save_invstd, train, eps, tuple(mask)),
    "native_group_norm": lambda input, weight, bias, n, c, l, group, eps:
        normalization.native_group_norm(input, weight, bias, n, c, l, group, eps),
    "native_group_norm_backward": lambda grad, input, mean, rstd, weight, n, c, l, group, mask:
        normalization.native_group_norm_backward(
            grad, input, mean, rstd, weight, n, c, l, group, tuple(mask)),
}
