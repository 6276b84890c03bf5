"""What the tests see of these operators: `TensorImpl`s in and out. Not part of the package's
interface."""

from minitorch.ops.nn cimport normalization, softmax


def call(str name, *args, **kwargs):
    """The operator of that name."""
    return _OPERATORS[name](*args, **kwargs)


_OPERATORS = {
    "native_layer_norm": lambda input, normalized_shape, weight, bias, eps:
        normalization.native_layer_norm(input, tuple(normalized_shape), weight, bias, eps),
    "native_layer_norm_backward": lambda grad_out, input, normalized_shape, mean, rstd,
        weight, bias, output_mask=(True, True, True):
        normalization.native_layer_norm_backward(grad_out, input, tuple(normalized_shape), mean,
                                                 rstd, weight, bias, tuple(output_mask)),
    "native_batch_norm": lambda input, weight, bias, running_mean, running_var, training,
        momentum, eps:
        normalization.native_batch_norm(input, weight, bias, running_mean, running_var, training,
                                        momentum, eps),
    "native_batch_norm_backward": lambda grad_out, input, weight, running_mean, running_var,
        save_mean, save_invstd, train, eps, output_mask=(True, True, True):
        normalization.native_batch_norm_backward(grad_out, input, weight, running_mean, running_var,
                                                 save_mean, save_invstd, train, eps,
                                                 tuple(output_mask)),
    "native_group_norm": lambda input, weight, bias, N, C, HxW, group, eps:
        normalization.native_group_norm(input, weight, bias, N, C, HxW, group, eps),
    "native_group_norm_backward": lambda grad_out, input, mean, rstd, weight, N, C, HxW,
        group, output_mask=(True, True, True):
        normalization.native_group_norm_backward(grad_out, input, mean, rstd, weight, N, C, HxW,
                                                 group, tuple(output_mask)),
    "_softmax": lambda self, dim, half_to_float=False, out=None:
        softmax._softmax(self, dim, half_to_float, out),
    "_log_softmax": lambda self, dim, half_to_float=False, out=None:
        softmax._log_softmax(self, dim, half_to_float, out),
    "_softmax_backward_data": lambda grad_output, output, dim, input_dtype, out=None:
        softmax._softmax_backward_data(grad_output, output, dim, input_dtype, out),
    "_log_softmax_backward_data": lambda grad_output, output, dim, input_dtype, out=None:
        softmax._log_softmax_backward_data(grad_output, output, dim, input_dtype, out),
}
