"""Windows of images as columns, and rearrangements of channels and pixels."""

from minitorch.autograd.by_sample import without_batching_rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.gathered import one_node
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.graph_api.composite_node import as_one_operator
from minitorch.core.types import channels_last, channels_last_3d, contiguous_format
from minitorch.nn._precision import reject_carried
from minitorch.tensors.vmap_values import is_sample


def _pair(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Return the windows of images as columns.

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
        For an input with another number of dimensions, or when no window fits.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.functional.unfold(torch.arange(4.0).view(1, 1, 2, 2), (1, 2))
    tensor([[[0., 2.],
             [1., 3.]]])
    """
    return _ops.im2col(input, *map(_pair, (kernel_size, dilation, padding, stride)))


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Build images from the columns of `unfold`, adding up where windows overlap.

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
        When the number of rows or columns does not match the windows.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.functional.fold(torch.ones(1, 2, 2), (1, 3), (1, 2))
    tensor([[[[1., 2., 1.]]]])
    """
    sizes = (output_size, kernel_size, dilation, padding, stride)
    return _ops.col2im(input, *map(_pair, sizes))


@parsed_as("pixel_shuffle")
def pixel_shuffle(input, upscale_factor):
    """Move channels into space: ``(*, C * r * r, H, W)`` becomes ``(*, C, H * r, W * r)``.

    Parameters
    ----------
    input : Tensor
        At least three dimensions.
    upscale_factor : int
        The factor r.

    Returns
    -------
    Tensor
        The dtype of `input`.

    Raises
    ------
    RuntimeError
        If the number of channels is not divisible by ``r * r``.

    References
    ----------
    W. Shi et al., Real-Time Single Image and Video Super-Resolution, CVPR 2016.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.pixel_shuffle(torch.arange(4.0).view(4, 1, 1), 2)
    tensor([[[0., 1.],
             [2., 3.]]])
    """
    r = upscale_factor
    if input.dim() < 3:
        raise RuntimeError(
            "pixel_shuffle expects input to have at least 3 dimensions, but got input with "
            f"{input.dim()} dimension(s)"
        )
    if r <= 0:
        raise RuntimeError(f"pixel_shuffle expects a positive upscale_factor, but got {r}")
    channels = input.size(-3)
    if channels % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of "
            f"upscale_factor, but input.size(-3)={channels} is not divisible by {r * r}"
        )
    reject_carried(input, "pixel_shuffle")
    return as_one_operator(
        "pixel_shuffle",
        (input, r),
        lambda: one_node("PixelShuffleBackward0", _shuffled, (input,), (r,), upscale_factor=r),
        lambda grad, input, r: pixel_unshuffle(grad, r),
    )


def _shuffled(input, r):
    *rest, channels, height, width = input.size()
    n = len(rest)
    parts = input.reshape(*rest, channels // (r * r), r, r, height, width)
    order = (*range(n), n, n + 3, n + 1, n + 4, n + 2)
    # clone even if the permutation moves nothing
    moved = parts.permute(order).clone(memory_format=contiguous_format)
    result = _ops._unsafe_view(moved, (*rest, channels // (r * r), height * r, width * r))
    return laid_out_like(result, input)


@parsed_as("pixel_unshuffle")
def pixel_unshuffle(input, downscale_factor):
    """Move space into channels: ``(*, C, H * r, W * r)`` becomes ``(*, C * r * r, H, W)``.

    Parameters
    ----------
    input : Tensor
        At least three dimensions.
    downscale_factor : int
        The factor r.

    Returns
    -------
    Tensor
        The dtype of `input`.

    Raises
    ------
    RuntimeError
        If height or width is not divisible by r.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.pixel_unshuffle(torch.arange(4.0).view(1, 2, 2), 2).shape
    torch.Size([4, 1, 1])
    """
    r = downscale_factor
    if input.dim() < 3:
        raise RuntimeError(
            "pixel_unshuffle expects input to have at least 3 dimensions, but got input with "
            f"{input.dim()} dimension(s)"
        )
    if r <= 0:
        raise RuntimeError(f"pixel_unshuffle expects a positive downscale_factor, but got {r}")
    for name, at in (("height", -2), ("width", -1)):
        if input.size(at) % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but "
                f"input.size({at})={input.size(at)} is not divisible by {r}"
            )
    reject_carried(input, "pixel_unshuffle")
    return as_one_operator(
        "pixel_unshuffle",
        (input, r),
        lambda: one_node(
            "PixelUnshuffleBackward0", _unshuffled, (input,), (r,), downscale_factor=r
        ),
        lambda grad, input, r: pixel_shuffle(grad, r),
    )


def _unshuffled(input, r):
    if input.numel() == 0:
        return input.clone()  # with the sizes of `input`, as in PyTorch
    *rest, channels, height, width = input.size()
    n = len(rest)
    parts = input.reshape(*rest, channels, height // r, r, width // r, r)
    order = (*range(n), n, n + 2, n + 4, n + 1, n + 3)
    moved = parts.permute(order).clone(memory_format=contiguous_format)
    result = _ops._unsafe_view(moved, (*rest, channels * r * r, height // r, width // r))
    return laid_out_like(result, input)


@parsed_as("channel_shuffle")
def channel_shuffle(input, groups):
    """Split the channels into groups and interleave the groups.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, *)``.
    groups : int

    Returns
    -------
    Tensor
        The dtype of `input`.

    Raises
    ------
    RuntimeError
        If the number of channels is not divisible by `groups`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.channel_shuffle(torch.arange(4.0).view(1, 4, 1), 2).flatten()
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
    channels = input.size(1)
    if channels % groups:
        raise RuntimeError(
            f"Number of channels must be divisible by groups. Got {channels} channels and {groups} "
            "groups."
        )
    reject_carried(input, "channel_shuffle")
    return as_one_operator(
        "channel_shuffle",
        (input, groups),
        lambda: one_node("ChannelShuffleBackward0", _mixed, (input,), (groups,), groups=groups),
        lambda grad, input, groups: channel_shuffle(grad, grad.size(1) // groups),
    )


@parsed_as("native_channel_shuffle")
@without_batching_rule("aten::native_channel_shuffle")
def native_channel_shuffle(input, groups):
    """Split the channels into groups and interleave the groups.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, *)``.
    groups : int

    Returns
    -------
    Tensor
        The dtype of `input`.

    Raises
    ------
    RuntimeError
        If the number of channels is not divisible by `groups`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.native_channel_shuffle(torch.arange(4.0).view(1, 4, 1), 2).flatten()
    tensor([0., 2., 1., 3.])
    """
    return channel_shuffle(input, groups)


def _mixed(input, groups):
    if input.numel() == 0:
        return input.clone()
    batch, channels, *rest = input.size()
    parts = input.reshape(batch, groups, channels // groups, *rest)
    moved = parts.transpose(1, 2).clone(memory_format=contiguous_format)
    return laid_out_like(_ops._unsafe_view(moved, input.size()), input)


def laid_out_like(result, input):
    """Return the result row-major, or channels-last where the input is."""
    if is_sample(input):
        return result
    last = {4: channels_last, 5: channels_last_3d}.get(input.dim())
    plain = last is None or input.is_contiguous() or not input.is_contiguous(memory_format=last)
    return result.contiguous(memory_format=contiguous_format if plain else last)
