"""A convolution in another order of dimensions."""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.python_signatures import parsed_as


@parsed_as("conv_tbc")
def conv_tbc(input, weight, bias, pad=0):
    """A convolution over (time, batch, channels) with a weight of (width, channels in, out)."""
    if input.dim() != 3:
        raise RuntimeError("Input must have 3 dims: time, batch, in_channel")
    if weight.dim() != 3:
        raise RuntimeError(
            "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels."
        )
    if bias.dim() != 1:
        raise RuntimeError("Bias must be 1-D")
    result = _ops.conv1d(input.permute(1, 2, 0), weight.permute(2, 1, 0), bias, 1, pad)
    return result.permute(2, 0, 1).contiguous()


@parsed_as("_convolution")
def _convolution(
    input,
    weight,
    bias,
    stride,
    padding,
    dilation,
    transposed,
    output_padding,
    groups,
    benchmark,
    deterministic,
    cudnn_enabled,
    allow_tf32=True,
):
    """`convolution`, with four switches of GPUs that are not looked at."""
    return _ops.convolution(
        input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
    )
