"""Pooling functions.

In adaptive pooling, an output size of None means the input's size.
"""

from minitorch.autograd.functions import tensor_methods as _ops


def _with_indices(function, name):
    def pool(
        input,
        kernel_size,
        stride=None,
        padding=0,
        dilation=1,
        ceil_mode=False,
        return_indices=False,
    ):
        """Return the maxima of windows and their indices."""
        stride = () if stride is None else stride
        return function(input, kernel_size, stride, padding, dilation, ceil_mode)

    pool.__name__ = pool.__qualname__ = name
    return pool


max_pool1d_with_indices = _with_indices(_ops.max_pool1d_with_indices, "max_pool1d_with_indices")
max_pool2d_with_indices = _with_indices(_ops.max_pool2d_with_indices, "max_pool2d_with_indices")
max_pool3d_with_indices = _with_indices(_ops.max_pool3d_with_indices, "max_pool3d_with_indices")


def max_pool1d(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """Return the maxima of windows of (N, C, L) or (C, L)."""
    stride = () if stride is None else stride
    if return_indices:
        return _ops.max_pool1d_with_indices(
            input, kernel_size, stride, padding, dilation, ceil_mode
        )
    return _ops.max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool2d(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """Return the maxima of windows of (N, C, H, W) or (C, H, W).

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.functional.max_pool2d(torch.arange(16.0).view(1, 4, 4), 2)
    tensor([[[ 5.,  7.],
             [13., 15.]]])
    """
    stride = () if stride is None else stride
    if return_indices:
        return _ops.max_pool2d_with_indices(
            input, kernel_size, stride, padding, dilation, ceil_mode
        )
    return _ops.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool3d(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """Return the maxima of windows of (N, C, D, H, W) or (C, D, H, W)."""
    stride = () if stride is None else stride
    if return_indices:
        return _ops.max_pool3d_with_indices(
            input, kernel_size, stride, padding, dilation, ceil_mode
        )
    return _ops.max_pool3d(input, kernel_size, stride, padding, dilation, ceil_mode)


def _filled_in(output_size, input, dims):
    """Replace None in an output size by the input's size in that dimension."""
    if output_size is None or isinstance(output_size, int):
        return output_size
    sizes = input.size()
    if len(sizes) <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
    tail = sizes[-len(output_size) :]
    return [
        size if wanted is None else wanted for wanted, size in zip(output_size, tail, strict=False)
    ]


def adaptive_avg_pool2d(input, output_size):
    """Return the means of windows that divide (H, W) evenly."""
    return _ops.adaptive_avg_pool2d(input, _filled_in(output_size, input, 2))


def adaptive_avg_pool3d(input, output_size):
    """Return the means of windows that divide (D, H, W) evenly."""
    return _ops.adaptive_avg_pool3d(input, _filled_in(output_size, input, 3))


def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    """Return the maxima of windows that divide the length evenly, and their indices."""
    return _ops.adaptive_max_pool1d(input, output_size)


def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    """Return the maxima of windows that divide (H, W) evenly, and their indices."""
    return _ops.adaptive_max_pool2d(input, _filled_in(output_size, input, 2))


def adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    """Return the maxima of windows that divide (D, H, W) evenly, and their indices."""
    return _ops.adaptive_max_pool3d(input, _filled_in(output_size, input, 3))


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """Return the maxima of windows that divide the length evenly."""
    both = adaptive_max_pool1d_with_indices(input, output_size)
    return both if return_indices else both[0]


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """Return the maxima of windows that divide (H, W) evenly."""
    both = adaptive_max_pool2d_with_indices(input, output_size)
    return both if return_indices else both[0]


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """Return the maxima of windows that divide (D, H, W) evenly."""
    both = adaptive_max_pool3d_with_indices(input, output_size)
    return both if return_indices else both[0]
