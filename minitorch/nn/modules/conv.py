"""Convolutions."""

import math

from minitorch.autograd.functions.creation import empty_ as empty
from minitorch.nn import functional as F
from minitorch.nn import init
from minitorch.nn.modules.module import Module
from minitorch.nn.parameter import Parameter


def _tuple(value, n):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * n


class _ConvNd(Module):
    dims = 0
    transposed = False

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        output_padding,
        dilation,
        groups,
        bias,
        padding_mode,
        dtype,
    ):
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        n = self.dims
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = _tuple(kernel_size, n)
        self.stride = _tuple(stride, n)
        self.dilation = _tuple(dilation, n)
        if isinstance(padding, str):
            if padding not in ("valid", "same"):
                raise ValueError(
                    f"Invalid padding string '{padding}', should be one of {{'valid', 'same'}}"
                )
            if padding == "same" and any(s != 1 for s in self.stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
            self.padding = padding
        else:
            self.padding = _tuple(padding, n)
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError(
                "padding_mode must be one of {'zeros', 'reflect', 'replicate', 'circular'}, but got "
                f"padding_mode='{padding_mode}'"
            )
        self.output_padding = _tuple(output_padding, n)
        self.groups = groups
        self.padding_mode = padding_mode
        first, second = (
            (in_channels, out_channels // groups)
            if self.transposed
            else (out_channels, in_channels // groups)
        )
        self.weight = Parameter(empty((first, second, *self.kernel_size), dtype=dtype))
        if bias:
            self.bias = Parameter(empty((out_channels,), dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def __getstate__(self):
        # PyTorch's layers have these two as attributes
        padding = (0,) * self.dims if isinstance(self.padding, str) else self.padding
        if self.padding == "same":
            ends = self._padding_of_input()
        else:
            ends = [p for p in reversed(padding) for _ in range(2)]
        return {
            **self.__dict__,
            "transposed": self.transposed,
            "_reversed_padding_repeated_twice": ends,
        }

    def reset_parameters(self):
        """Uniform within 1 / sqrt(fan_in)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self):
        zeros, ones = (0,) * self.dims, (1,) * self.dims
        text = (
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}"
        )
        if self.padding != zeros:
            text += f", padding={self.padding}"
        if self.dilation != ones:
            text += f", dilation={self.dilation}"
        if self.output_padding != zeros:
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
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, 0, dilation, groups,
                         bias, padding_mode, dtype)  # fmt: skip

    def _padding_of_input(self):
        """Before and after for each dimension, the last one first, as `pad` wants it."""
        result = []
        for k in range(self.dims - 1, -1, -1):
            if self.padding == "valid":
                result += [0, 0]
            elif self.padding == "same":
                total = self.dilation[k] * (self.kernel_size[k] - 1)
                result += [total // 2, total - total // 2]
            else:
                result += [self.padding[k]] * 2
        return result

    def _conv_forward(self, input, weight, bias):
        """With other weights: for layers that compute theirs."""
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._padding_of_input(), mode=self.padding_mode)
            padding = 0
        return self.function(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class Conv1d(_Conv):
    """Convolution of (N, C, L)."""

    dims, function = 1, staticmethod(F.conv1d)


class Conv2d(_Conv):
    """Convolution of (N, C, H, W)."""

    dims, function = 2, staticmethod(F.conv2d)


class Conv3d(_Conv):
    """Convolution of (N, C, D, H, W)."""

    dims, function = 3, staticmethod(F.conv3d)


class _ConvTranspose(_ConvNd):
    transposed = True

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
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, output_padding,
                         dilation, groups, bias, padding_mode, dtype)  # fmt: skip

    def forward(self, input, output_size=None):
        return self.function(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            self._output_padding(input, output_size),
            self.groups,
            self.dilation,
        )

    def _output_padding(self, input, output_size):
        """What is to be added so that the result has this size; the layer's own without one."""
        if output_size is None:
            return self.output_padding
        n = self.dims
        batched = input.dim() - n
        if len(output_size) == n + batched:
            output_size = output_size[batched:]
        if len(output_size) != n:
            raise ValueError(
                f"ConvTranspose{n}D: for {input.dim()}D input, output_size must have {n} or "
                f"{batched + n} elements (got {len(output_size)})"
            )
        smallest = [
            (input.size(k - n) - 1) * self.stride[k]
            - 2 * self.padding[k]
            + self.dilation[k] * (self.kernel_size[k] - 1)
            + 1
            for k in range(n)
        ]
        largest = [low + stride - 1 for low, stride in zip(smallest, self.stride, strict=True)]
        added = [size - low for size, low in zip(output_size, smallest, strict=True)]
        if not all(0 <= extra < stride for extra, stride in zip(added, self.stride, strict=True)):
            raise ValueError(
                f"requested an output size of {output_size}, but valid sizes range from {smallest} to "
                f"{largest} (for an input of {input.size()[-n:]})"
            )
        return added


class ConvTranspose1d(_ConvTranspose):
    """The transpose of a convolution of (N, C, L)."""

    dims, function = 1, staticmethod(F.conv_transpose1d)


class ConvTranspose2d(_ConvTranspose):
    """The transpose of a convolution of (N, C, H, W)."""

    dims, function = 2, staticmethod(F.conv_transpose2d)


class ConvTranspose3d(_ConvTranspose):
    """The transpose of a convolution of (N, C, D, H, W)."""

    dims, function = 3, staticmethod(F.conv_transpose3d)
