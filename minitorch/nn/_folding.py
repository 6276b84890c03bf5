"""Windows of images as columns, and back; rearranging channels into space."""

from minitorch._samples import is_sample
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import arange
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.core.types import channels_last, channels_last_3d, contiguous_format
from minitorch.nn._precision import refuse_integers


def _pair(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


def _pairs(**given):
    """Two numbers each, by their names in the errors."""
    for name, value in given.items():
        if len(_pair(value)) != 2:
            raise RuntimeError(
                f"It is expected {name} equals to 2, but got size {len(_pair(value))}"
            )
    return map(_pair, given.values())


def _count(size, kernel, dilation, padding, stride):
    """How many windows there are, down and across."""
    return [
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, d, p, s in zip(size, kernel, dilation, padding, stride, strict=True)
    ]


def _windows(size, kernel, dilation, padding, stride, device):
    """Where each element of each window stands in the padded image, flattened."""
    count = _count(size, kernel, dilation, padding, stride)
    rows, columns = (
        (arange(0, kernel[i], device=device) * dilation[i]).unsqueeze(1)
        + arange(0, count[i], device=device) * stride[i]
        for i in range(2)
    )
    width = size[1] + 2 * padding[1]
    at = (rows * width).view(kernel[0], 1, count[0], 1) + columns.view(1, kernel[1], 1, count[1])
    return at.reshape(-1)


def _check(kernel, dilation, padding, stride):
    for name, value, least in (
        ("kernel size", kernel, 1),
        ("stride", stride, 1),
        ("dilation", dilation, 1),
    ):
        if min(value) < least:
            short = {"kernel size": "kernel"}.get(name, name)
            raise RuntimeError(
                f"{name} should be greater than zero, but got {short}_height: {value[0]} "
                f"{short}_width: {value[1]}"
            )
    if min(padding) < 0:
        raise RuntimeError(
            f"padding should be non-negative, but got pad_height: {padding[0]} pad_width: "
            f"{padding[1]}"
        )


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """The windows of images as columns.

    Parameters
    ----------
    input : Tensor
        (N, C, H, W) or (C, H, W).
    kernel_size, dilation, padding, stride : int or tuple of int

    Returns
    -------
    Tensor
        (N, C * kernel elements, number of windows), or without N.

    Raises
    ------
    RuntimeError
        For an input of other dimensions, or when no window fits.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.functional.unfold(torch.arange(4.0).view(1, 1, 2, 2), (1, 2))
    tensor([[[0., 2.],
             [1., 3.]]])
    """
    kernel, dilation, padding, stride = _pairs(
        kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride
    )
    _check(kernel, dilation, padding, stride)
    if input.dim() not in (3, 4) or 0 in input.size()[-3:]:
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero "
            f"dimensions for input, but got: {list(input.size())}"
        )
    size = input.size()[-2:]
    count = _count(size, kernel, dilation, padding, stride)
    if min(count) < 1:
        raise RuntimeError(
            f"Given input with spatial size ({size[0]}, {size[1]}), kernel_size=({kernel[0]}, "
            f"{kernel[1]}), dilation=({dilation[0]}, {dilation[1]}), padding=({padding[0]}, "
            f"{padding[1]}), calculated shape of the array of sliding blocks as ({count[0]}, "
            f"{count[1]}), but its components must be at least one."
        )
    batch = input if input.dim() == 4 else input.unsqueeze(0)
    at = _windows(size, kernel, dilation, padding, stride, input.device)
    if input.dtype._class_name != "Bool":
        refuse_integers(input, "im2col_out_cpu")
    padded = _ops.constant_pad_nd(batch, [padding[1], padding[1], padding[0], padding[0]], 0)
    columns = padded.flatten(2).index_select(2, at)
    columns = columns.reshape(
        batch.size(0), batch.size(1) * kernel[0] * kernel[1], count[0] * count[1]
    )
    return columns if input.dim() == 4 else columns.squeeze(0)


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Images from the columns that `unfold` gives; where windows overlap they are added.

    Parameters
    ----------
    input : Tensor
        (N, C * kernel elements, number of windows), or without N.
    output_size, kernel_size, dilation, padding, stride : int or tuple of int

    Returns
    -------
    Tensor
        (N, C, *output_size), or without N.

    Raises
    ------
    RuntimeError
        When the numbers of rows or columns are not those of such windows.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.functional.fold(torch.ones(1, 2, 2), (1, 3), (1, 2))
    tensor([[[[1., 2., 1.]]]])
    """
    size, kernel, dilation, padding, stride = _pairs(
        output_size=output_size,
        kernel_size=kernel_size,
        dilation=dilation,
        padding=padding,
        stride=stride,
    )
    _check(kernel, dilation, padding, stride)
    if input.dim() not in (2, 3) or 0 in input.size()[-2:]:
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero "
            f"dimensions for input, but got: {list(input.size())}"
        )
    rows, given = input.size()[-2:]
    if rows % (kernel[0] * kernel[1]):
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but "
            f"got input.size(1)={rows} and kernel_size=({kernel[0]}, {kernel[1]})."
        )
    count = _count(size, kernel, dilation, padding, stride)
    if given != count[0] * count[1]:
        raise RuntimeError(
            f"Given output_size=({size[0]}, {size[1]}), kernel_size=({kernel[0]}, {kernel[1]}), "
            f"dilation=({dilation[0]}, {dilation[1]}), padding=({padding[0]}, {padding[1]}), "
            f"stride=({stride[0]}, {stride[1]}), expected size of input's dimension 2 to match the "
            f"calculated number of sliding blocks {count[0]} * {count[1]} = {count[0] * count[1]}, but "
            f"got input.size(2)={given}."
        )
    at = _windows(size, kernel, dilation, padding, stride, input.device)
    batch = input if input.dim() == 3 else input.unsqueeze(0)
    channels = rows // (kernel[0] * kernel[1])
    height, width = size[0] + 2 * padding[0], size[1] + 2 * padding[1]
    image = batch.new_zeros((batch.size(0), channels, height * width))
    image = image.index_add(2, at, batch.reshape(batch.size(0), channels, at.numel()))
    image = image.view(batch.size(0), channels, height, width)
    image = image[:, :, padding[0] : padding[0] + size[0], padding[1] : padding[1] + size[1]]
    return image.contiguous() if input.dim() == 3 else image.squeeze(0)


@parsed_as("pixel_shuffle")
def pixel_shuffle(input, upscale_factor):
    """Channels as finer pixels: (*, C * r * r, H, W) becomes (*, C, H * r, W * r).

    Raises
    ------
    RuntimeError
        For fewer than three dimensions, a factor that is not positive, or one whose square does not divide
        the channels.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.functional.pixel_shuffle(torch.arange(4.0).view(1, 4, 1, 1), 2)
    tensor([[[[0., 1.],
              [2., 3.]]]])
    """
    r = upscale_factor
    if input.dim() < 3:
        raise RuntimeError(
            "pixel_shuffle expects input to have at least 3 dimensions, but got input with "
            f"{input.dim()} dimension(s)"
        )
    if r <= 0:
        raise RuntimeError(f"pixel_shuffle expects a positive upscale_factor, but got {r}")
    *rest, channels, height, width = input.size()
    if channels % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of "
            f"upscale_factor, but input.size(-3)={channels} is not divisible by {r * r}"
        )
    n = len(rest)
    parts = input.reshape(*rest, channels // (r * r), r, r, height, width)
    order = (*range(n), n, n + 3, n + 1, n + 4, n + 2)
    # a copy also where nothing moves
    moved = parts.permute(order).clone(memory_format=contiguous_format)
    return moved.view(*rest, channels // (r * r), height * r, width * r)


@parsed_as("pixel_unshuffle")
def pixel_unshuffle(input, downscale_factor):
    """The inverse of `pixel_shuffle`: (*, C, H * r, W * r) becomes (*, C * r * r, H, W).

    Raises
    ------
    RuntimeError
        For fewer than three dimensions, or a factor that is not positive or does not divide H and W.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.functional.pixel_unshuffle(torch.arange(4.0).view(1, 1, 2, 2), 2).shape
    torch.Size([1, 4, 1, 1])
    """
    r = downscale_factor
    if input.dim() < 3:
        raise RuntimeError(
            "pixel_unshuffle expects input to have at least 3 dimensions, but got input with "
            f"{input.dim()} dimension(s)"
        )
    if r <= 0:
        raise RuntimeError(f"pixel_unshuffle expects a positive downscale_factor, but got {r}")
    *rest, channels, height, width = input.size()
    for name, at, size in (("height", -2, height), ("width", -1, width)):
        if size % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but "
                f"input.size({at})={size} is not divisible by {r}"
            )
    n = len(rest)
    parts = input.reshape(*rest, channels, height // r, r, width // r, r)
    order = (*range(n), n, n + 2, n + 4, n + 1, n + 3)
    moved = parts.permute(order).clone(memory_format=contiguous_format)
    return moved.view(*rest, channels * r * r, height // r, width // r)


@parsed_as("channel_shuffle")
def channel_shuffle(input, groups):
    """The channels of (N, C, *) in groups, one of each group after the other.

    Raises
    ------
    RuntimeError
        For fewer than three dimensions, or groups that do not divide the channels.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.functional.channel_shuffle(torch.arange(4.0).view(1, 4, 1, 1), 2).flatten()
    tensor([0., 2., 1., 3.])
    """
    if input.dim() < 3:
        raise RuntimeError(
            "channel_shuffle expects input with > 2 dims, but got input with sizes "
            f"{list(input.size())}"
        )
    if groups <= 0:
        raise RuntimeError(
            f"Number of groups to divide channels in must be positive. Value of groups:{groups}"
        )
    batch, channels, *rest = input.size()
    if channels % groups:
        raise RuntimeError(
            f"Number of channels must be divisible by groups. Got {channels} channels and {groups} "
            "groups."
        )
    parts = input.reshape(batch, groups, channels // groups, *rest)
    return laid_out_like(parts.transpose(1, 2).reshape(input.size()), input)


def laid_out_like(result, input):
    """Row-major, or with the channels last where the input's are."""
    if is_sample(input):
        return result
    last = {4: channels_last, 5: channels_last_3d}.get(input.dim())
    plain = last is None or input.is_contiguous() or not input.is_contiguous(memory_format=last)
    return result.contiguous(memory_format=contiguous_format if plain else last)
