"""Pooling layers."""

from minitorch.nn import functional as F
from minitorch.nn.modules._simple import functional
from minitorch.nn.modules.module import Module


class _MaxPoolNd(Module):
    def __init__(
        self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False
    ):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input):
        return self.function(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )

    def extra_repr(self):
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPoolNd):
    """Return the largest element of each window.

    The input has the shape ``(N, C, L)`` or ``(C, L)``; the output has the same number of dimensions
    and the same dtype. The gradient goes to the first maximum of each window.

    Parameters
    ----------
    kernel_size : int
        The size of a window.
    stride : int, optional
        The distance of the windows; by default `kernel_size`.
    padding : int, default 0
        How many elements of -inf to add on each side, at most half of `kernel_size`.
    dilation : int, default 1
        The distance of the elements of a window.
    return_indices : bool, default False
        Return the places of the maxima as well, for `MaxUnpool1d`.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.

    Raises
    ------
    RuntimeError
        When the layer is called with too few elements for a window, or with too much padding.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.MaxPool1d(2)(torch.tensor([[1.0, 3.0, 2.0, 0.0]]))
    tensor([[3., 2.]])
    """

    function = functional("max_pool1d")


class MaxPool2d(_MaxPoolNd):
    """Return the largest element of each window.

    The input has the shape ``(N, C, H, W)`` or ``(C, H, W)``; the output has the same number of
    dimensions and the same dtype. The gradient goes to the first maximum of each window.

    Parameters
    ----------
    kernel_size : int or pair of int
        The size of a window.
    stride : int or pair of int, optional
        The distance of the windows; by default `kernel_size`.
    padding : int or pair of int, default 0
        How many elements of -inf to add on each side, at most half of `kernel_size`.
    dilation : int or pair of int, default 1
        The distance of the elements of a window.
    return_indices : bool, default False
        Return the places of the maxima as well, for `MaxUnpool2d`.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.

    Raises
    ------
    RuntimeError
        When the layer is called with too few elements for a window, or with too much padding.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.MaxPool2d(2)(torch.arange(16.0).view(1, 4, 4))
    tensor([[[ 5.,  7.],
             [13., 15.]]])
    """

    function = functional("max_pool2d")


class MaxPool3d(_MaxPoolNd):
    """Return the largest element of each window.

    The input has the shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``; the output has the same number of
    dimensions and the same dtype. The gradient goes to the first maximum of each window.

    Parameters
    ----------
    kernel_size : int or triple of int
        The size of a window.
    stride : int or triple of int, optional
        The distance of the windows; by default `kernel_size`.
    padding : int or triple of int, default 0
        How many elements of -inf to add on each side, at most half of `kernel_size`.
    dilation : int or triple of int, default 1
        The distance of the elements of a window.
    return_indices : bool, default False
        Return the places of the maxima as well, for `MaxUnpool3d`.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.

    Raises
    ------
    RuntimeError
        When the layer is called with too few elements for a window, or with too much padding.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.MaxPool3d(2)(torch.arange(8.0).view(1, 2, 2, 2))
    tensor([[[[7.]]]])
    """

    function = functional("max_pool3d")


class _AvgPoolNd(Module):
    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(_AvgPoolNd):
    """Return the mean of each window.

    The input has the shape ``(N, C, L)`` or ``(C, L)``; the output has the same number of dimensions
    and the same dtype.

    Parameters
    ----------
    kernel_size : int
        The size of a window.
    stride : int, optional
        The distance of the windows; by default `kernel_size`.
    padding : int, default 0
        How many zeros to add on each side, at most half of `kernel_size`.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.
    count_include_pad : bool, default True
        Count the padding when dividing.

    Raises
    ------
    RuntimeError
        When the layer is called with too few elements for a window, or with too much padding.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.AvgPool1d(2)(torch.tensor([[1.0, 3.0, 2.0, 0.0]]))
    tensor([[2., 1.]])
    """

    def __init__(
        self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True
    ):
        super().__init__()

        def single(value):
            return value if isinstance(value, tuple) else (value,)

        self.kernel_size = single(kernel_size)
        self.stride = self.kernel_size if stride is None else single(stride)
        self.padding = single(padding)
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input):
        return F.avg_pool1d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
        )


class _DividedAvgPool(_AvgPoolNd):
    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        ceil_mode=False,
        count_include_pad=True,
        divisor_override=None,
    ):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input):
        return self.function(input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
                             self.count_include_pad, self.divisor_override)  # fmt: skip


class AvgPool2d(_DividedAvgPool):
    """Return the mean of each window.

    The input has the shape ``(N, C, H, W)`` or ``(C, H, W)``; the output has the same number of
    dimensions and the same dtype.

    Parameters
    ----------
    kernel_size : int or pair of int
        The size of a window.
    stride : int or pair of int, optional
        The distance of the windows; by default `kernel_size`.
    padding : int or pair of int, default 0
        How many zeros to add on each side, at most half of `kernel_size`.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.
    count_include_pad : bool, default True
        Count the padding when dividing.
    divisor_override : int, optional
        Divide the sums by this number instead of the size of the window.

    Raises
    ------
    RuntimeError
        When the layer is called with too few elements for a window, or with too much padding.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.AvgPool2d(2)(torch.arange(16.0).view(1, 4, 4))
    tensor([[[ 2.5000,  4.5000],
             [10.5000, 12.5000]]])
    """

    function = functional("avg_pool2d")


class AvgPool3d(_DividedAvgPool):
    """Return the mean of each window.

    The input has the shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``; the output has the same number of
    dimensions and the same dtype.

    Parameters
    ----------
    kernel_size : int or triple of int
        The size of a window.
    stride : int or triple of int, optional
        The distance of the windows; by default `kernel_size`.
    padding : int or triple of int, default 0
        How many zeros to add on each side, at most half of `kernel_size`.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.
    count_include_pad : bool, default True
        Count the padding when dividing.
    divisor_override : int, optional
        Divide the sums by this number instead of the size of the window.

    Raises
    ------
    RuntimeError
        When the layer is called with too few elements for a window, or with too much padding.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.AvgPool3d(2)(torch.arange(8.0).view(1, 2, 2, 2))
    tensor([[[[3.5000]]]])
    """

    function = functional("avg_pool3d")


class _AdaptivePool(Module):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def forward(self, input):
        return self.function(input, self.output_size)

    def extra_repr(self):
        return f"output_size={self.output_size}"


class _AdaptiveAvgPoolNd(_AdaptivePool):
    pass


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """Return the mean of windows that are chosen to give an output of a certain size.

    The input has the shape ``(N, C, L)`` or ``(C, L)``; the output has the same number of dimensions
    and the same dtype. Output element i sees the input from ``floor(i * n / m)`` up to ``ceil((i + 1) *
    n / m)``, for sizes n and m of input and output.

    Parameters
    ----------
    output_size : int
        The size of the output.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.AdaptiveAvgPool1d(2)(torch.tensor([[1.0, 3.0, 2.0, 0.0, 5.0]]))
    tensor([[2.0000, 2.3333]])
    """

    function = functional("adaptive_avg_pool1d")


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """Return the mean of windows that are chosen to give an output of a certain size.

    The input has the shape ``(N, C, H, W)`` or ``(C, H, W)``; the output has the same number of
    dimensions and the same dtype. Output element i sees the input from ``floor(i * n / m)`` up to
    ``ceil((i + 1) * n / m)``, for sizes n and m of input and output.

    Parameters
    ----------
    output_size : int or pair of int
        The size of the output. None keeps a size of the input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.AdaptiveAvgPool2d(1)(torch.arange(16.0).view(1, 4, 4))
    tensor([[[7.5000]]])
    """

    function = functional("adaptive_avg_pool2d")


class _AdaptiveMaxPoolNd(_AdaptivePool):
    def __init__(self, output_size, return_indices=False):
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input):
        return self.function(input, self.output_size, self.return_indices)


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """Return the largest element of windows that are chosen to give an output of a certain size.

    The input has the shape ``(N, C, L)`` or ``(C, L)``; the output has the same number of dimensions
    and the same dtype. Output element i sees the input from ``floor(i * n / m)`` up to ``ceil((i + 1) *
    n / m)``, for sizes n and m of input and output.

    Parameters
    ----------
    output_size : int
        The size of the output.
    return_indices : bool, default False
        Return the places of the maxima as well.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.AdaptiveMaxPool1d(2)(torch.tensor([[1.0, 3.0, 2.0, 0.0, 5.0]]))
    tensor([[3., 5.]])
    """

    function = functional("adaptive_max_pool1d")


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """Return the largest element of windows that are chosen to give an output of a certain size.

    The input has the shape ``(N, C, H, W)`` or ``(C, H, W)``; the output has the same number of
    dimensions and the same dtype. Output element i sees the input from ``floor(i * n / m)`` up to
    ``ceil((i + 1) * n / m)``, for sizes n and m of input and output.

    Parameters
    ----------
    output_size : int or pair of int
        The size of the output. None keeps a size of the input.
    return_indices : bool, default False
        Return the places of the maxima as well.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.AdaptiveMaxPool2d(1)(torch.arange(16.0).view(1, 4, 4))
    tensor([[[15.]]])
    """

    function = functional("adaptive_max_pool2d")
