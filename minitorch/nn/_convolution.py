"""Convolutions with another memory order or with a padding mode."""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.python_signatures import parsed_as


@parsed_as("conv_tbc")
def conv_tbc(input, weight, bias, pad=0):
    """Convolve sequences of the shape (time, batch, channels).

    Parameters
    ----------
    input : Tensor
        The shape ``(T, N, C_in)``.
    weight : Tensor
        The shape ``(kernel, C_in, C_out)``.
    bias : Tensor
        The shape ``(C_out,)``.
    pad : int, default 0
        How many zeros to add before and after the sequence.

    Returns
    -------
    Tensor
        The shape ``(T + 2 * pad - kernel + 1, N, C_out)``.

    Raises
    ------
    RuntimeError
        If a shape does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.conv_tbc(torch.ones(4, 1, 2), torch.ones(3, 2, 1), torch.zeros(1)).flatten()
    tensor([6., 6.])
    """
    if input.dim() != 3:
        raise RuntimeError("Input must have 3 dims: time, batch, in_channel")
    if weight.dim() != 3:
        raise RuntimeError(
            "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels."
        )
    if bias.dim() != 1:
        raise RuntimeError("Bias must be 1-D")
    if input.size(2) != weight.size(1):
        raise RuntimeError("Input dim 2 (input channels) is not == dim 1 in the weight tensor")
    if bias.size(0) != weight.size(2):
        raise RuntimeError("Bias size must equal dim 2 in the weight tensor (output channels).")
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
    allow_tf32=False,
):
    """Call `torch.convolution`; the last arguments only matter on other devices."""
    return _ops.convolution(
        input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
    )


@parsed_as("_convolution_mode")
def _convolution_mode(input, weight, bias, stride, padding, dilation, groups):
    """Convolve with the padding ``"same"`` or ``"valid"``."""
    n = weight.dim()
    if padding not in ("same", "valid"):
        raise RuntimeError(f"Invalid padding string: '{padding}'")
    if n < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if input.dim() != n:
        space = "" if padding == "same" else " "
        raise RuntimeError(
            f"Expected {n}-dimensional input for {n}-dimensional weight{space}{list(weight.shape)}, but got "
            f"{input.dim()}-dimensional input of size {list(input.shape)} instead"
        )
    if n > 5:
        raise NotImplementedError(f"a convolution of {n - 2} dimensions is not part of minitorch")
    along = {3: _ops.conv1d, 4: _ops.conv2d, 5: _ops.conv3d}[n]
    stride, dilation = (tuple(x) * (n - 2) if len(x) == 1 else x for x in (stride, dilation))
    return along(input, weight, bias, stride, padding, dilation, groups)
