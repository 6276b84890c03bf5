"""Pooling functions.

In adaptive pooling, an output size of None means the input's size.
"""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.levels import in_transform


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
        """Return the maxima of windows and their indices.

        Parameters
        ----------
        input : Tensor
            A batch of channels, or channels without a batch.
        kernel_size : int or tuple of int
            The size of the windows.
        stride : int or tuple of int, optional
            The distance between windows. Default: `kernel_size`.
        padding : int or tuple of int, default 0
            How far the windows reach beyond each side, where nothing is the maximum.
        dilation : int or tuple of int, default 1
            The distance between the elements of a window.
        ceil_mode : bool, default False
            Round the number of windows up instead of down.
        return_indices : bool, default False
            Has no effect: the indices are always returned.

        Returns
        -------
        tuple of Tensor
            The maxima, and their int64 indices in the flattened channel.

        Raises
        ------
        RuntimeError
            If the input has another number of dimensions, or the padding exceeds half of the window.
        """
        stride = () if stride is None else stride
        return function(input, kernel_size, stride, padding, dilation, ceil_mode)

    dims = name.removeprefix("max_pool")[0]
    lone = f"torch.arange(2.0 ** {dims}).reshape(1{', 2' * int(dims)})"
    pool.__name__ = pool.__qualname__ = name
    pool.__doc__ = f"""{pool.__doc__}
        Examples
        --------
        >>> import minitorch as torch
        >>> x = {lone}
        >>> values, indices = torch.nn.functional.{name}(x, 2)
        >>> values.item(), indices.item()
        ({2 ** int(dims) - 1}.0, {2 ** int(dims) - 1})
        """
    return pool


max_pool1d_with_indices = _with_indices(_ops.max_pool1d_with_indices, "max_pool1d_with_indices")
max_pool2d_with_indices = _with_indices(_ops.max_pool2d_with_indices, "max_pool2d_with_indices")
max_pool3d_with_indices = _with_indices(_ops.max_pool3d_with_indices, "max_pool3d_with_indices")


def max_pool1d(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """Return the largest element of each window.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, L)`` or ``(C, L)``.
    kernel_size : int
        The size of a window.
    stride : int, optional
        The distance of the windows; by default `kernel_size`.
    padding : int, default 0
        How many elements of -inf to add on each side, at most half of `kernel_size`.
    dilation : int, default 1
        The distance of the elements of a window.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.
    return_indices : bool, default False
        Return the places of the maxima as well, for `max_unpool1d`.

    Returns
    -------
    Tensor
        The pooled input, of the same number of dimensions.
        With `return_indices`, a tuple of it and the places of the maxima.

    Raises
    ------
    RuntimeError
        If there are too few elements for a window, or too much padding.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.max_pool1d(torch.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
    tensor([[3., 2.]])
    """
    stride = () if stride is None else stride
    arguments = (input, kernel_size, stride, padding, dilation, ceil_mode)
    if return_indices:
        return _ops.max_pool1d_with_indices(*arguments)
    if in_transform() and not (input.is_floating_point() or input.is_complex()):
        # PyTorch's kernel for integers is that of two dimensions, which it calls in transforms
        return _ops.max_pool1d_with_indices(*arguments)[0]
    return _ops.max_pool1d(*arguments)


def max_pool2d(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """Return the largest element of each window.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, H, W)`` or ``(C, H, W)``.
    kernel_size : int or pair of int
        The size of a window.
    stride : int or pair of int, optional
        The distance of the windows; by default `kernel_size`.
    padding : int or pair of int, default 0
        How many elements of -inf to add on each side, at most half of `kernel_size`.
    dilation : int or pair of int, default 1
        The distance of the elements of a window.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.
    return_indices : bool, default False
        Return the places of the maxima as well, for `max_unpool2d`.

    Returns
    -------
    Tensor
        The pooled input, of the same number of dimensions.
        With `return_indices`, a tuple of it and the places of the maxima.

    Raises
    ------
    RuntimeError
        If there are too few elements for a window, or too much padding.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.max_pool2d(torch.arange(16.0).view(1, 4, 4), 2)
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
    """Return the largest element of each window.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``.
    kernel_size : int or triple of int
        The size of a window.
    stride : int or triple of int, optional
        The distance of the windows; by default `kernel_size`.
    padding : int or triple of int, default 0
        How many elements of -inf to add on each side, at most half of `kernel_size`.
    dilation : int or triple of int, default 1
        The distance of the elements of a window.
    ceil_mode : bool, default False
        Keep a last window that reaches over the edge.
    return_indices : bool, default False
        Return the places of the maxima as well, for `max_unpool3d`.

    Returns
    -------
    Tensor
        The pooled input, of the same number of dimensions.
        With `return_indices`, a tuple of it and the places of the maxima.

    Raises
    ------
    RuntimeError
        If there are too few elements for a window, or too much padding.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.max_pool3d(torch.arange(8.0).view(1, 2, 2, 2), 2)
    tensor([[[[7.]]]])
    """
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
    """Return the mean of windows that are chosen to give an output of a certain size.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, H, W)`` or ``(C, H, W)``.
    output_size : int or pair of int
        The size of the output. None keeps a size of the input.

    Returns
    -------
    Tensor
        The pooled input, of the same number of dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.adaptive_avg_pool2d(torch.arange(16.0).view(1, 4, 4), 1)
    tensor([[[7.5000]]])
    """
    return _ops.adaptive_avg_pool2d(input, _filled_in(output_size, input, 2))


def adaptive_avg_pool3d(input, output_size):
    """Return the mean of windows that are chosen to give an output of a certain size.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``.
    output_size : int or triple of int
        The size of the output. None keeps a size of the input.

    Returns
    -------
    Tensor
        The pooled input, of the same number of dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.adaptive_avg_pool3d(torch.arange(8.0).view(1, 2, 2, 2), 1)
    tensor([[[[3.5000]]]])
    """
    return _ops.adaptive_avg_pool3d(input, _filled_in(output_size, input, 3))


def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    """Return the largest element of windows for a certain output size, and its place.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, L)`` or ``(C, L)``.
    output_size : int
        The size of the output.
    return_indices : bool, default False
        Has no effect; the places are always returned.

    Returns
    -------
    tuple of Tensor
        The maxima, and their places as int64 indices.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.adaptive_max_pool1d_with_indices(torch.tensor([[1.0, 3.0, 2.0, 0.0, 5.0]]), 1)
    (tensor([[5.]]), tensor([[4]]))
    """
    return _ops.adaptive_max_pool1d(input, output_size)


def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    """Return the largest element of windows for a certain output size, and its place.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, H, W)`` or ``(C, H, W)``.
    output_size : int or pair of int
        The size of the output. None keeps a size of the input.
    return_indices : bool, default False
        Has no effect; the places are always returned.

    Returns
    -------
    tuple of Tensor
        The maxima, and their places as int64 indices.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.adaptive_max_pool2d_with_indices(torch.arange(16.0).view(1, 4, 4), 1)
    (tensor([[[15.]]]), tensor([[[15]]]))
    """
    return _ops.adaptive_max_pool2d(input, _filled_in(output_size, input, 2))


def adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    """Return the largest element of windows for a certain output size, and its place.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``.
    output_size : int or triple of int
        The size of the output. None keeps a size of the input.
    return_indices : bool, default False
        Has no effect; the places are always returned.

    Returns
    -------
    tuple of Tensor
        The maxima, and their places as int64 indices.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.adaptive_max_pool3d_with_indices(torch.arange(8.0).view(1, 2, 2, 2), 1)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
    return _ops.adaptive_max_pool3d(input, _filled_in(output_size, input, 3))


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """Return the largest element of windows that are chosen to give an output of a certain size.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, L)`` or ``(C, L)``.
    output_size : int
        The size of the output.
    return_indices : bool, default False
        Return the places of the maxima as well.

    Returns
    -------
    Tensor
        The pooled input, of the same number of dimensions.
        With `return_indices`, a tuple of it and the places of the maxima.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.adaptive_max_pool1d(torch.tensor([[1.0, 3.0, 2.0, 0.0, 5.0]]), 1)
    tensor([[5.]])
    """
    both = adaptive_max_pool1d_with_indices(input, output_size)
    return both if return_indices else both[0]


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """Return the largest element of windows that are chosen to give an output of a certain size.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, H, W)`` or ``(C, H, W)``.
    output_size : int or pair of int
        The size of the output. None keeps a size of the input.
    return_indices : bool, default False
        Return the places of the maxima as well.

    Returns
    -------
    Tensor
        The pooled input, of the same number of dimensions.
        With `return_indices`, a tuple of it and the places of the maxima.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.adaptive_max_pool2d(torch.arange(16.0).view(1, 4, 4), 1)
    tensor([[[15.]]])
    """
    both = adaptive_max_pool2d_with_indices(input, output_size)
    return both if return_indices else both[0]


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """Return the largest element of windows that are chosen to give an output of a certain size.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``.
    output_size : int or triple of int
        The size of the output. None keeps a size of the input.
    return_indices : bool, default False
        Return the places of the maxima as well.

    Returns
    -------
    Tensor
        The pooled input, of the same number of dimensions.
        With `return_indices`, a tuple of it and the places of the maxima.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.adaptive_max_pool3d(torch.arange(8.0).view(1, 2, 2, 2), 1)
    tensor([[[[7.]]]])
    """
    both = adaptive_max_pool3d_with_indices(input, output_size)
    return both if return_indices else both[0]
