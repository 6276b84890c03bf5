"""Gradients of convolutions with respect to the input and the weight."""

from minitorch.autograd.functions import tensor_methods as _ops

__all__ = [
    "conv1d_input",
    "conv1d_weight",
    "conv2d_input",
    "conv2d_weight",
    "conv3d_input",
    "conv3d_weight",
]


def _per_dimension(n, *values):
    return [list(v) if isinstance(v, (tuple, list)) else [v] * n for v in values]


def _gradient(n, grad_output, input, weight, stride, padding, dilation, groups, of_input):
    stride, padding, dilation = _per_dimension(n, stride, padding, dilation)
    gradients = _ops.convolution_backward(
        grad_output, input, weight, [0], stride, padding, dilation, False, [0] * n, groups,
        (int(of_input), int(not of_input), 0),
    )  # fmt: skip
    return gradients[0 if of_input else 1]


def _input_gradient(n):
    def gradient(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1):
        # only the size of the input is used
        input = grad_output.new_empty(1).expand(input_size)
        return _gradient(n, grad_output, input, weight, stride, padding, dilation, groups, True)

    gradient.__name__ = gradient.__qualname__ = f"conv{n}d_input"
    gradient.__doc__ = f"""Return the gradient of `conv{n}d` with respect to its input.

    Parameters
    ----------
    input_size : tuple of int
    weight, grad_output : Tensor
    stride, padding, dilation : int or tuple of int
    groups : int
    """
    return gradient


def _weight_gradient(n):
    def gradient(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1):
        weight = grad_output.new_empty(1).expand(weight_size)
        return _gradient(n, grad_output, input, weight, stride, padding, dilation, groups, False)

    gradient.__name__ = gradient.__qualname__ = f"conv{n}d_weight"
    gradient.__doc__ = f"""Return the gradient of `conv{n}d` with respect to its weight.

    Parameters
    ----------
    input : Tensor
    weight_size : tuple of int
    grad_output : Tensor
    stride, padding, dilation : int or tuple of int
    groups : int
    """
    return gradient


conv1d_input, conv2d_input, conv3d_input = map(_input_gradient, (1, 2, 3))
conv1d_weight, conv2d_weight, conv3d_weight = map(_weight_gradient, (1, 2, 3))
