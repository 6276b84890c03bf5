"""What the tests see of these operators: `TensorImpl`s in and out. Not part of the package's
interface."""

from minitorch.ops.nn cimport adaptive_pooling, convolution, pooling


def call(str name, *args, **kwargs):
    """The operator of that name."""
    return _OPERATORS[name](*args, **kwargs)


_OPERATORS = {
    "_adaptive_avg_pool2d": lambda self, output_size:
        adaptive_pooling._adaptive_avg_pool2d(self, tuple(output_size)),
    "_adaptive_avg_pool2d_backward": lambda grad_output, self:
        adaptive_pooling._adaptive_avg_pool2d_backward(grad_output, self),
    "_adaptive_avg_pool3d": lambda self, output_size:
        adaptive_pooling._adaptive_avg_pool3d(self, tuple(output_size)),
    "_adaptive_avg_pool3d_backward": lambda grad_output, self:
        adaptive_pooling._adaptive_avg_pool3d_backward(grad_output, self),
    "adaptive_max_pool2d": lambda self, output_size:
        adaptive_pooling.adaptive_max_pool2d(self, tuple(output_size)),
    "adaptive_max_pool2d_backward": lambda grad_output, self, indices:
        adaptive_pooling.adaptive_max_pool2d_backward(grad_output, self, indices),
    "adaptive_max_pool3d": lambda self, output_size:
        adaptive_pooling.adaptive_max_pool3d(self, tuple(output_size)),
    "adaptive_max_pool3d_backward": lambda grad_output, self, indices:
        adaptive_pooling.adaptive_max_pool3d_backward(grad_output, self, indices),
    "convolution": lambda input, weight, bias, stride, padding, dilation, transposed,
        output_padding, groups:
        convolution.convolution(input, weight, bias, tuple(stride), tuple(padding), tuple(dilation),
                                transposed, tuple(output_padding), groups),
    "convolution_backward": lambda grad_output, input, weight, bias_sizes, stride, padding,
        dilation, transposed, output_padding, groups, output_mask:
        convolution.convolution_backward(grad_output, input, weight, bias_sizes, tuple(stride),
                                         tuple(padding), tuple(dilation), transposed,
                                         tuple(output_padding), groups, tuple(output_mask)),
    "max_pool2d_with_indices": lambda self, kernel_size, stride=(), padding=(0,),
        dilation=(1,), ceil_mode=False:
        pooling.max_pool2d_with_indices(self, tuple(kernel_size), tuple(stride), tuple(padding),
                                        tuple(dilation), ceil_mode),
    "max_pool2d_with_indices_backward": lambda grad_output, self, kernel_size, stride,
        padding, dilation, ceil_mode, indices:
        pooling.max_pool2d_with_indices_backward(grad_output, self, tuple(kernel_size),
                                                 tuple(stride), tuple(padding), tuple(dilation),
                                                 ceil_mode, indices),
    "max_pool3d_with_indices": lambda self, kernel_size, stride=(), padding=(0,),
        dilation=(1,), ceil_mode=False:
        pooling.max_pool3d_with_indices(self, tuple(kernel_size), tuple(stride), tuple(padding),
                                        tuple(dilation), ceil_mode),
    "max_pool3d_with_indices_backward": lambda grad_output, self, kernel_size, stride,
        padding, dilation, ceil_mode, indices:
        pooling.max_pool3d_with_indices_backward(grad_output, self, tuple(kernel_size),
                                                 tuple(stride), tuple(padding), tuple(dilation),
                                                 ceil_mode, indices),
    "avg_pool2d": lambda self, kernel_size, stride=(), padding=(0,), ceil_mode=False,
        count_include_pad=True, divisor_override=None:
        pooling.avg_pool2d(self, tuple(kernel_size), tuple(stride), tuple(padding), ceil_mode,
                           count_include_pad, divisor_override),
    "avg_pool2d_backward": lambda grad_output, self, kernel_size, stride, padding,
        ceil_mode, count_include_pad, divisor_override:
        pooling.avg_pool2d_backward(grad_output, self, tuple(kernel_size), tuple(stride),
                                    tuple(padding), ceil_mode, count_include_pad, divisor_override),
    "avg_pool3d": lambda self, kernel_size, stride=(), padding=(0,), ceil_mode=False,
        count_include_pad=True, divisor_override=None:
        pooling.avg_pool3d(self, tuple(kernel_size), tuple(stride), tuple(padding), ceil_mode,
                           count_include_pad, divisor_override),
    "avg_pool3d_backward": lambda grad_output, self, kernel_size, stride, padding,
        ceil_mode, count_include_pad, divisor_override:
        pooling.avg_pool3d_backward(grad_output, self, tuple(kernel_size), tuple(stride),
                                    tuple(padding), ceil_mode, count_include_pad, divisor_override),
}
