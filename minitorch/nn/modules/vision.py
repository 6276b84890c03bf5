"""Layers for images: windows as columns, pixel and channel shuffling, upsampling."""

from minitorch.nn import functional as F
from minitorch.nn.modules.module import Module


class Unfold(Module):
    """Copy the windows of images into columns.

    The input has the shape ``(N, C, H, W)`` or ``(C, H, W)``; the output has the shape ``(N, C *
    prod(kernel_size), L)`` or without N, where L is the number of windows.

    Parameters
    ----------
    kernel_size : int or pair of int
        The size of a window.
    dilation : int or pair of int, default 1
    padding : int or pair of int, default 0
        How many zeros to add on each side.
    stride : int or pair of int, default 1
        The distance of the windows.

    Raises
    ------
    RuntimeError
        When no window fits into the images.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Unfold(2)(torch.arange(9.0).view(1, 3, 3))
    tensor([[0., 1., 3., 4.],
            [1., 2., 4., 5.],
            [3., 4., 6., 7.],
            [4., 5., 7., 8.]])
    """

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input):
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self):
        return (
            f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, "
            f"stride={self.stride}"
        )


class Fold(Module):
    """Build images from columns, adding up where windows overlap.

    The input has the shape ``(N, C * prod(kernel_size), L)`` or without N, where L is the number of
    windows; the output has the shape ``(N, C, *output_size)``. It is the transpose of `Unfold`.

    Parameters
    ----------
    output_size : int or pair of int
        The size of the images.
    kernel_size : int or pair of int
        The size of a window.
    dilation : int or pair of int, default 1
    padding : int or pair of int, default 0
    stride : int or pair of int, default 1

    Raises
    ------
    RuntimeError
        When the number of rows or of windows does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Fold(3, 2)(torch.ones(1, 4, 4))
    tensor([[[[1., 2., 1.],
              [2., 4., 2.],
              [1., 2., 1.]]]])
    """

    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input):
        return F.fold(
            input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride
        )

    def extra_repr(self):
        return (
            f"output_size={self.output_size}, kernel_size={self.kernel_size}, "
            f"dilation={self.dilation}, padding={self.padding}, stride={self.stride}"
        )


class PixelShuffle(Module):
    """Move channels into space: ``(*, C * r * r, H, W)`` becomes ``(*, C, H * r, W * r)``.

    The dtype stays.

    Parameters
    ----------
    upscale_factor : int
        The factor r.

    Raises
    ------
    RuntimeError
        When the number of channels is not divisible by ``r * r``.

    References
    ----------
    W. Shi et al., Real-Time Single Image and Video Super-Resolution, CVPR 2016.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.PixelShuffle(2)(torch.arange(4.0).view(4, 1, 1))
    tensor([[[0., 1.],
             [2., 3.]]])
    """

    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input):
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self):
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """Move space into channels: ``(*, C, H * r, W * r)`` becomes ``(*, C * r * r, H, W)``.

    The dtype stays. It undoes `PixelShuffle`.

    Parameters
    ----------
    downscale_factor : int
        The factor r.

    Raises
    ------
    RuntimeError
        When height or width is not divisible by r.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.PixelUnshuffle(2)(torch.arange(4.0).view(1, 2, 2)).shape
    torch.Size([4, 1, 1])
    """

    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input):
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self):
        return f"downscale_factor={self.downscale_factor}"


class ChannelShuffle(Module):
    """Split the channels into groups and interleave the groups.

    The input has the shape ``(N, C, *)``; the output has the same shape and dtype.

    Parameters
    ----------
    groups : int

    Raises
    ------
    RuntimeError
        When the number of channels is not divisible by `groups`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.ChannelShuffle(2)(torch.arange(4.0).view(1, 4, 1)).flatten()
    tensor([0., 2., 1., 3.])
    """

    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def forward(self, input):
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self):
        return f"groups={self.groups}"


class Upsample(Module):
    """Resize lines, images or volumes.

    The input has the shape ``(N, C, L)``, ``(N, C, H, W)`` or ``(N, C, D, H, W)``; the output has the
    same number of dimensions and the same dtype. The class calls `torch.nn.functional.interpolate`.

    Parameters
    ----------
    size : int or tuple of int, optional
        The size of the output; either this or `scale_factor` must be given.
    scale_factor : float or tuple of float, optional
    mode : {"nearest", "linear", "bilinear", "bicubic", "trilinear"}, default "nearest"
    align_corners : bool, optional
        For all modes but "nearest": the corner elements of input and output have the same places, instead
        of the corners
        of these elements.
    recompute_scale_factor : bool, optional
        Compute the scale from the rounded size of the output.

    Raises
    ------
    ValueError
        When the layer is called and both or none of `size` and `scale_factor` are given.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Upsample(scale_factor=2)(torch.tensor([[[1.0, 2.0]]]))
    tensor([[[1., 1., 2., 2.]]])
    >>> torch.nn.Upsample(scale_factor=2, mode="linear")(torch.tensor([[[1.0, 2.0]]]))
    tensor([[[1.0000, 1.2500, 1.7500, 2.0000]]])
    """

    def __init__(
        self,
        size=None,
        scale_factor=None,
        mode="nearest",
        align_corners=None,
        recompute_scale_factor=None,
    ):
        super().__init__()
        self.name = type(self).__name__
        self.size = size
        if isinstance(scale_factor, tuple):
            self.scale_factor = tuple(float(f) for f in scale_factor)
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input):
        return F.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
        )  # fmt: skip

    def extra_repr(self):
        if self.scale_factor is not None:
            return f"scale_factor={self.scale_factor!r}, mode={self.mode!r}"
        return f"size={self.size!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Resize images by repeating the nearest element.

    The input has the shape ``(N, C, H, W)``. The class is `Upsample` with `mode="nearest"`.

    Parameters
    ----------
    size : int or pair of int, optional
        The size of the output; either this or `scale_factor` must be given.
    scale_factor : float or pair of float, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.UpsamplingNearest2d(scale_factor=2)(torch.tensor([[[[1.0, 2.0]]]]))
    tensor([[[[1., 1., 2., 2.],
              [1., 1., 2., 2.]]]])
    """

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Resize images by bilinear interpolation between aligned corners.

    The input has the shape ``(N, C, H, W)``. The class is `Upsample` with `mode="bilinear"` and
    `align_corners=True`.

    Parameters
    ----------
    size : int or pair of int, optional
        The size of the output; either this or `scale_factor` must be given.
    scale_factor : float or pair of float, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.UpsamplingBilinear2d(size=(1, 3))(torch.tensor([[[[1.0, 2.0]]]]))
    tensor([[[[1.0000, 1.5000, 2.0000]]]])
    """

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)
