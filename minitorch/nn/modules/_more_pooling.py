"""Power-average and fractional pooling, max unpooling, and adaptive pooling of volumes."""

from minitorch.nn.modules._simple import functional
from minitorch.nn.modules.module import Module
from minitorch.nn.modules.pooling import _AdaptiveAvgPoolNd, _AdaptiveMaxPoolNd


def _tuple(value, n):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * n


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """Return the mean of windows that are chosen to give an output of a certain size.

    The input has the shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``; the output has the same number of
    dimensions and the same dtype. Output element i sees the input from ``floor(i * n / m)`` up to
    ``ceil((i + 1) * n / m)``, for sizes n and m of input and output.

    Parameters
    ----------
    output_size : int or triple of int
        The size of the output. None keeps a size of the input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.AdaptiveAvgPool3d(2)(torch.zeros(1, 4, 5, 6)).shape
    torch.Size([1, 2, 2, 2])
    """

    function = functional("adaptive_avg_pool3d")


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """Return the largest element of windows that are chosen to give an output of a certain size.

    The input has the shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``; the output has the same number of
    dimensions and the same dtype. Output element i sees the input from ``floor(i * n / m)`` up to
    ``ceil((i + 1) * n / m)``, for sizes n and m of input and output.

    Parameters
    ----------
    output_size : int or triple of int
        The size of the output. None keeps a size of the input.
    return_indices : bool, default False
        Return the places of the maxima as well.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.AdaptiveMaxPool3d(2)(torch.zeros(1, 4, 5, 6)).shape
    torch.Size([1, 2, 2, 2])
    """

    function = functional("adaptive_max_pool3d")


class _LPPoolNd(Module):
    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input):
        return self.function(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )

    def extra_repr(self):
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, "
            f"ceil_mode={self.ceil_mode}"
        )


class LPPool1d(_LPPoolNd):
    """Return the p-norm of each window.

    The input has the shape ``(N, C, L)`` or ``(C, L)``; the output has the same number of dimensions
    and the same dtype.

    Parameters
    ----------
    norm_type : float
        The p of the norm: ``sum(x**p)**(1/p)``.
    kernel_size : int
        The size of a window.
    stride : int, optional
        The distance of the windows; by default `kernel_size`.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.LPPool1d(2, 2)(torch.tensor([[3.0, 4.0]]))
    tensor([[5.]])
    """

    function = functional("lp_pool1d")


class LPPool2d(_LPPoolNd):
    """Return the p-norm of each window.

    The input has the shape ``(N, C, H, W)`` or ``(C, H, W)``; the output has the same number of
    dimensions and the same dtype.

    Parameters
    ----------
    norm_type : float
        The p of the norm: ``sum(x**p)**(1/p)``.
    kernel_size : int or pair of int
        The size of a window.
    stride : int or pair of int, optional
        The distance of the windows; by default `kernel_size`.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.LPPool2d(2, 2)(torch.ones(1, 2, 2))
    tensor([[[2.]]])
    """

    function = functional("lp_pool2d")


class LPPool3d(_LPPoolNd):
    """Return the p-norm of each window.

    The input has the shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``; the output has the same number of
    dimensions and the same dtype.

    Parameters
    ----------
    norm_type : float
        The p of the norm: ``sum(x**p)**(1/p)``.
    kernel_size : int or triple of int
        The size of a window.
    stride : int or triple of int, optional
        The distance of the windows; by default `kernel_size`.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.LPPool3d(2, (2, 2, 1))(torch.ones(1, 2, 2, 1))
    tensor([[[[2.]]]])
    """

    function = functional("lp_pool3d")


class _MaxUnpoolNd(Module):
    dims = 0

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size = _tuple(kernel_size, self.dims)
        self.stride = self.kernel_size if stride is None else _tuple(stride, self.dims)
        self.padding = _tuple(padding, self.dims)

    def forward(self, input, indices, output_size=None):
        return self.function(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(_MaxUnpoolNd):
    """Put maxima back where `MaxPool1d` found them, with zeros elsewhere.

    The layer is called with the two results of `MaxPool1d(return_indices=True)`, of the shape ``(N, C,
    L)`` or ``(C, L)``, and `output_size` if several sizes are possible.

    Parameters
    ----------
    kernel_size : int
    stride : int, optional
    padding : int, default 0
        As they were given to `MaxPool1d`.

    Raises
    ------
    ValueError
        When the layer is called with an `output_size` that is not possible.

    Examples
    --------
    >>> import minitorch as torch
    >>> pool = torch.nn.MaxPool1d(2, return_indices=True)
    >>> torch.nn.MaxUnpool1d(2)(*pool(torch.tensor([[1.0, 2.0]])))
    tensor([[0., 2.]])
    """

    dims, function = 1, functional("max_unpool1d")


class MaxUnpool2d(_MaxUnpoolNd):
    """Put maxima back where `MaxPool2d` found them, with zeros elsewhere.

    The layer is called with the two results of `MaxPool2d(return_indices=True)`, of the shape ``(N, C,
    H, W)`` or ``(C, H, W)``, and `output_size` if several sizes are possible.

    Parameters
    ----------
    kernel_size : int or pair of int
    stride : int or pair of int, optional
    padding : int or pair of int, default 0
        As they were given to `MaxPool2d`.

    Raises
    ------
    ValueError
        When the layer is called with an `output_size` that is not possible.

    Examples
    --------
    >>> import minitorch as torch
    >>> pool = torch.nn.MaxPool2d(2, return_indices=True)
    >>> torch.nn.MaxUnpool2d(2)(*pool(torch.arange(4.0).view(1, 2, 2)))
    tensor([[[0., 0.],
             [0., 3.]]])
    """

    dims, function = 2, functional("max_unpool2d")


class MaxUnpool3d(_MaxUnpoolNd):
    """Put maxima back where `MaxPool3d` found them, with zeros elsewhere.

    The layer is called with the two results of `MaxPool3d(return_indices=True)`, of the shape ``(N, C,
    D, H, W)`` or ``(C, D, H, W)``, and `output_size` if several sizes are possible.

    Parameters
    ----------
    kernel_size : int or triple of int
    stride : int or triple of int, optional
    padding : int or triple of int, default 0
        As they were given to `MaxPool3d`.

    Raises
    ------
    ValueError
        When the layer is called with an `output_size` that is not possible.

    Examples
    --------
    >>> import minitorch as torch
    >>> pool = torch.nn.MaxPool3d(2, return_indices=True)
    >>> torch.nn.MaxUnpool3d(2)(*pool(torch.ones(1, 4, 4, 4))).sum()
    tensor(8.)
    """

    dims, function = 3, functional("max_unpool3d")


class _FractionalMaxPool(Module):
    dims = 0

    def __init__(
        self,
        kernel_size,
        output_size=None,
        output_ratio=None,
        return_indices=False,
        _random_samples=None,
    ):
        super().__init__()
        n, name = self.dims, type(self).__name__
        if min(_tuple(kernel_size, n)) <= 0:
            raise ValueError(f"kernel_size must be greater than zero, but got {kernel_size}"
                             if n == 2 else
                             f"kernel_size must be greater than 0, but got {kernel_size}")  # fmt: skip
        self.kernel_size = _tuple(kernel_size, n)
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = None if output_size is None else _tuple(output_size, n)
        self.output_ratio = None if output_ratio is None else _tuple(output_ratio, n)
        if output_size is None and output_ratio is None:
            raise ValueError(
                f"{name} requires specifying either an output size, or a pooling ratio"
            )
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if output_ratio is not None and not all(0 < r < 1 for r in self.output_ratio):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")

    def forward(self, input):
        return self.function(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
            _random_samples=self._random_samples,
        )  # fmt: skip


class FractionalMaxPool2d(_FractionalMaxPool):
    """Max pooling of randomly placed windows of (N, C, H, W) or (C, H, W).

    Parameters
    ----------
    kernel_size : int or tuple of int
        The size of the windows.
    output_size : int or tuple of int, optional
        The size of the output.
    output_ratio : float or tuple of float, optional
        The size of the output relative to the input.
    return_indices : bool, default False
        Also return the indices of the maxima in the flattened channel.

    Raises
    ------
    ValueError
        Unless exactly one of `output_size` and `output_ratio` is given, and the ratio is between 0
        and 1.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.FractionalMaxPool2d(2, output_ratio=0.5)(torch.zeros(1, 8, 8)).shape
    torch.Size([1, 4, 4])
    """

    dims, function = 2, functional("fractional_max_pool2d")


class FractionalMaxPool3d(_FractionalMaxPool):
    """Max pooling of randomly placed windows of (N, C, D, H, W) or (C, D, H, W).

    Parameters
    ----------
    kernel_size : int or tuple of int
        The size of the windows.
    output_size : int or tuple of int, optional
        The size of the output.
    output_ratio : float or tuple of float, optional
        The size of the output relative to the input.
    return_indices : bool, default False
        Also return the indices of the maxima in the flattened channel.

    Raises
    ------
    ValueError
        Unless exactly one of `output_size` and `output_ratio` is given, and the ratio is between 0
        and 1.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.FractionalMaxPool3d(2, output_size=2)(torch.zeros(1, 4, 4, 4)).shape
    torch.Size([1, 2, 2, 2])
    """

    dims, function = 3, functional("fractional_max_pool3d")
