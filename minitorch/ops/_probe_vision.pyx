"""What the tests see of convolution: `TensorImpl`s in and out. Not part of the
package's interface."""

from minitorch.core.tensor_impl cimport TensorImpl
from minitorch.ops cimport convolution


def call(str name, *args, **kwargs):
    """The operator of that name."""
    return _OPERATORS[name](*args, **kwargs)


_OPERATORS = {
    "convolution": lambda input, weight, bias, stride, padding, dilation, transposed,
        output_padding, groups:
        convolution.convolution(input, weight, bias, tuple(stride), tuple(padding),
        tuple(dilation), transposed, tuple(output_padding), groups),
    "convolution_backward": lambda grad_output, input, weight, bias_sizes, stride, padding,
        dilation, transposed, output_padding, groups, output_mask:
        convolution.convolution_backward(grad_output, input, weight, bias_sizes,
        tuple(stride), tuple(padding), tuple(dilation), transposed, tuple(output_padding),
        groups, tuple(output_mask)),
}
