"""Convolution layers."""

import math

from minitorch.nn import functional as F
from minitorch.nn import init
from minitorch.nn._making import empty
from minitorch.nn.common_types import _size_1_t, _size_2_t, _size_3_t  # noqa: F401
from minitorch.nn.modules._simple import functional
from minitorch.nn.modules.module import Module
from minitorch.nn.modules.utils import (  # noqa: F401 (names that packages import from here)
    _pair,
    _reverse_repeat_tuple,
    _single,
    _triple,
)
from minitorch.nn.parameter import Parameter


def _tuple(value, n):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * n


def _check_channels(in_channels, out_channels, groups):
    if groups <= 0:
        raise ValueError("groups must be a positive integer")
    if in_channels % groups != 0:
        raise ValueError("in_channels must be divisible by groups")
    if out_channels % groups != 0:
        raise ValueError("out_channels must be divisible by groups")


def _check_padding(padding, padding_mode, stride):
    if isinstance(padding, str):
        if padding not in ("valid", "same"):
            raise ValueError(
                f"Invalid padding string '{padding}', should be one of {{'valid', 'same'}}"
            )
        if padding == "same" and any(s != 1 for s in stride):
            raise ValueError("padding='same' is not supported for strided convolutions")
    if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
        raise ValueError(
            "padding_mode must be one of {'zeros', 'reflect', 'replicate', 'circular'}, but got "
            f"padding_mode='{padding_mode}'"
        )


def _ends(padding, dilation, kernel_size):
    """Return the padding as arguments of `pad`: a list for "same" and "valid", a tuple for numbers.

    The types are PyTorch's.
    """
    if not isinstance(padding, str):
        return tuple(p for p in reversed(padding) for _ in range(2))
    if padding == "valid":
        return [0, 0] * len(kernel_size)
    ends = []
    for d, k in zip(dilation, kernel_size, strict=False):
        total = d * (k - 1)
        ends = [total // 2, total - total // 2, *ends]
    return ends


class _ConvNd(Module):
    dims = 0

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
        bias,
        padding_mode,
        device=None,
        dtype=None,
    ):
        super().__init__()
        _check_channels(in_channels, out_channels, groups)
        _check_padding(padding, padding_mode, stride)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        # (before, after) for each dimension, starting with the last one, as `pad` expects
        self._reversed_padding_repeated_twice = _ends(padding, dilation, kernel_size)
        first, second = (
            (in_channels, out_channels // groups)
            if transposed
            else (out_channels, in_channels // groups)
        )
        self.weight = Parameter(empty((first, second, *kernel_size), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(empty((out_channels,), device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def __setstate__(self, state):
        super().__setstate__(state)
        self.__dict__.setdefault("padding_mode", "zeros")

    def reset_parameters(self):
        """Draw uniform numbers within 1 / sqrt(fan_in)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self):
        text = (
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}"
        )
        if self.padding != (0,) * len(self.padding):
            text += f", padding={self.padding}"
        if self.dilation != (1,) * len(self.dilation):
            text += f", dilation={self.dilation}"
        if self.output_padding != (0,) * len(self.output_padding):
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text


class _Conv(_ConvNd):
    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        n = self.dims
        super().__init__(
            in_channels,
            out_channels,
            _tuple(kernel_size, n),
            _tuple(stride, n),
            padding if isinstance(padding, str) else _tuple(padding, n),
            _tuple(dilation, n),
            False,
            (0,) * n,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _conv_forward(self, input, weight, bias):
        """Convolve with a given weight, for subclasses that compute their weight."""
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            padding = 0
        return self.function(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class Conv1d(_Conv):
    """Convolve lines with learned kernels (a cross-correlation).

    The input has the shape ``(N, C, L)`` or ``(C, L)``. The size of the output along a dimension is
    ``floor((n + 2 * padding - dilation * (kernel_size - 1) - 1) / stride + 1)``. `weight` has the shape
    ``(out_channels, in_channels / groups, *kernel_size)``, `bias` the shape ``(out_channels,)``. Both
    start uniform within ``1 / sqrt(k)``, where k is the number of elements of one kernel.

    Parameters
    ----------
    in_channels, out_channels : int
    kernel_size : int
    stride : int, default 1
        The distance of the windows.
    padding : int, "valid" or "same", default 0
        How many elements to add on each side; "same" keeps the size and needs a stride of 1.
    dilation : int, default 1
        The distance of the elements of a kernel.
    groups : int, default 1
        Split the channels into so many groups, which are convolved separately.
    bias : bool, default True
        Add a learned number for each output channel.
    padding_mode : {"zeros", "reflect", "replicate", "circular"}, default "zeros"
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    ValueError
        If the channels are not divisible by `groups`, or `padding` or `padding_mode` is unknown.
    RuntimeError
        When the layer is called with another number of channels or dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Conv1d(2, 4, kernel_size=3, padding=1)(torch.zeros(1, 2, 8)).shape
    torch.Size([1, 4, 8])
    """

    dims, function = 1, functional("conv1d")


class Conv2d(_Conv):
    """Convolve images with learned kernels (a cross-correlation).

    The input has the shape ``(N, C, H, W)`` or ``(C, H, W)``. The size of the output along a dimension
    is ``floor((n + 2 * padding - dilation * (kernel_size - 1) - 1) / stride + 1)``. `weight` has the
    shape ``(out_channels, in_channels / groups, *kernel_size)``, `bias` the shape ``(out_channels,)``.
    Both start uniform within ``1 / sqrt(k)``, where k is the number of elements of one kernel.

    Parameters
    ----------
    in_channels, out_channels : int
    kernel_size : int or pair of int
    stride : int or pair of int, default 1
        The distance of the windows.
    padding : int or pair of int, "valid" or "same", default 0
        How many elements to add on each side; "same" keeps the size and needs a stride of 1.
    dilation : int or pair of int, default 1
        The distance of the elements of a kernel.
    groups : int, default 1
        Split the channels into so many groups, which are convolved separately.
    bias : bool, default True
        Add a learned number for each output channel.
    padding_mode : {"zeros", "reflect", "replicate", "circular"}, default "zeros"
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    ValueError
        If the channels are not divisible by `groups`, or `padding` or `padding_mode` is unknown.
    RuntimeError
        When the layer is called with another number of channels or dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Conv2d(3, 8, kernel_size=3, stride=2)(torch.zeros(1, 3, 9, 9)).shape
    torch.Size([1, 8, 4, 4])
    """

    dims, function = 2, functional("conv2d")


class Conv3d(_Conv):
    """Convolve volumes with learned kernels (a cross-correlation).

    The input has the shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``. The size of the output along a
    dimension is ``floor((n + 2 * padding - dilation * (kernel_size - 1) - 1) / stride + 1)``. `weight`
    has the shape ``(out_channels, in_channels / groups, *kernel_size)``, `bias` the shape
    ``(out_channels,)``. Both start uniform within ``1 / sqrt(k)``, where k is the number of elements of
    one kernel.

    Parameters
    ----------
    in_channels, out_channels : int
    kernel_size : int or triple of int
    stride : int or triple of int, default 1
        The distance of the windows.
    padding : int or triple of int, "valid" or "same", default 0
        How many elements to add on each side; "same" keeps the size and needs a stride of 1.
    dilation : int or triple of int, default 1
        The distance of the elements of a kernel.
    groups : int, default 1
        Split the channels into so many groups, which are convolved separately.
    bias : bool, default True
        Add a learned number for each output channel.
    padding_mode : {"zeros", "reflect", "replicate", "circular"}, default "zeros"
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    ValueError
        If the channels are not divisible by `groups`, or `padding` or `padding_mode` is unknown.
    RuntimeError
        When the layer is called with another number of channels or dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Conv3d(1, 2, kernel_size=2)(torch.zeros(1, 1, 4, 4, 4)).shape
    torch.Size([1, 2, 3, 3, 3])
    """

    dims, function = 3, functional("conv3d")


class _ConvTransposeNd(_ConvNd):
    """Base class; its constructor has the signature of PyTorch's base class."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
        bias,
        padding_mode,
        device=None,
        dtype=None,
    ):
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            transposed,
            output_padding,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _output_padding(
        self, input, output_size, stride, padding, kernel_size, num_spatial_dims, dilation=None
    ):
        """Return the output padding that gives `output_size`, or the layer's own if it is None."""
        if output_size is None:
            return self.output_padding
        n = num_spatial_dims
        dilation = [1] * n if dilation is None else dilation
        batched = input.dim() - n
        if len(output_size) == n + batched:
            output_size = output_size[batched:]
        if len(output_size) != n:
            raise ValueError(
                f"ConvTranspose{n}D: for {input.dim()}D input, output_size must have {n} or "
                f"{batched + n} elements (got {len(output_size)})"
            )
        smallest = [
            (input.size(k - n) - 1) * stride[k]
            - 2 * padding[k]
            + dilation[k] * (kernel_size[k] - 1)
            + 1
            for k in range(n)
        ]
        largest = [low + step - 1 for low, step in zip(smallest, stride, strict=True)]
        added = [size - low for size, low in zip(output_size, smallest, strict=True)]
        if not all(0 <= extra < step for extra, step in zip(added, stride, strict=True)):
            raise ValueError(
                f"requested an output size of {output_size}, but valid sizes range from {smallest} to "
                f"{largest} (for an input of {input.size()[-n:]})"
            )
        return added


class _ConvTranspose(_ConvTransposeNd):
    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        n = self.dims
        super().__init__(
            in_channels,
            out_channels,
            _tuple(kernel_size, n),
            _tuple(stride, n),
            _tuple(padding, n),
            _tuple(dilation, n),
            True,
            _tuple(output_padding, n),
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input, output_size=None):
        output_padding = self._output_padding(
            input,
            output_size,
            self.stride,
            self.padding,
            self.kernel_size,
            self.dims,
            self.dilation,
        )
        return self.function(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            output_padding,
            self.groups,
            self.dilation,
        )


class ConvTranspose1d(_ConvTranspose):
    """Apply the transpose of a convolution of lines: its derivative with respect to the input.

    The input has the shape ``(N, C, L)`` or ``(C, L)``. The size of the output along a dimension is
    ``(n - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + output_padding + 1``. `weight` has
    the shape ``(in_channels, out_channels / groups, *kernel_size)``.

    Parameters
    ----------
    in_channels, out_channels : int
    kernel_size : int
    stride : int, default 1
        How far an input element moves the kernel in the output.
    padding : int, default 0
        How many elements to cut from each side of the output.
    output_padding : int, default 0
        How many elements to add at one end, since several sizes have the same convolution.
    groups : int, default 1
    bias : bool, default True
        Add a learned number for each output channel.
    dilation : int, default 1
    padding_mode : {"zeros"}, default "zeros"
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    ValueError
        If the channels are not divisible by `groups`, or `padding_mode` is not "zeros".
    RuntimeError
        When the layer is called with another number of channels or dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.ConvTranspose1d(4, 2, kernel_size=3)(torch.zeros(1, 4, 8)).shape
    torch.Size([1, 2, 10])
    """

    dims, function = 1, functional("conv_transpose1d")


class ConvTranspose2d(_ConvTranspose):
    """Apply the transpose of a convolution of images: its derivative with respect to the input.

    The input has the shape ``(N, C, H, W)`` or ``(C, H, W)``. The size of the output along a dimension
    is ``(n - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + output_padding + 1``. `weight`
    has the shape ``(in_channels, out_channels / groups, *kernel_size)``.

    Parameters
    ----------
    in_channels, out_channels : int
    kernel_size : int or pair of int
    stride : int or pair of int, default 1
        How far an input element moves the kernel in the output.
    padding : int or pair of int, default 0
        How many elements to cut from each side of the output.
    output_padding : int or pair of int, default 0
        How many elements to add at one end, since several sizes have the same convolution.
    groups : int, default 1
    bias : bool, default True
        Add a learned number for each output channel.
    dilation : int or pair of int, default 1
    padding_mode : {"zeros"}, default "zeros"
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    ValueError
        If the channels are not divisible by `groups`, or `padding_mode` is not "zeros".
    RuntimeError
        When the layer is called with another number of channels or dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.ConvTranspose2d(8, 3, kernel_size=3, stride=2)(torch.zeros(1, 8, 4, 4)).shape
    torch.Size([1, 3, 9, 9])
    """

    dims, function = 2, functional("conv_transpose2d")


class ConvTranspose3d(_ConvTranspose):
    """Apply the transpose of a convolution of volumes: its derivative with respect to the input.

    The input has the shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``. The size of the output along a
    dimension is ``(n - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + output_padding + 1``.
    `weight` has the shape ``(in_channels, out_channels / groups, *kernel_size)``.

    Parameters
    ----------
    in_channels, out_channels : int
    kernel_size : int or triple of int
    stride : int or triple of int, default 1
        How far an input element moves the kernel in the output.
    padding : int or triple of int, default 0
        How many elements to cut from each side of the output.
    output_padding : int or triple of int, default 0
        How many elements to add at one end, since several sizes have the same convolution.
    groups : int, default 1
    bias : bool, default True
        Add a learned number for each output channel.
    dilation : int or triple of int, default 1
    padding_mode : {"zeros"}, default "zeros"
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    ValueError
        If the channels are not divisible by `groups`, or `padding_mode` is not "zeros".
    RuntimeError
        When the layer is called with another number of channels or dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.ConvTranspose3d(2, 1, kernel_size=2)(torch.zeros(1, 2, 3, 3, 3)).shape
    torch.Size([1, 1, 4, 4, 4])
    """

    dims, function = 3, functional("conv_transpose3d")
