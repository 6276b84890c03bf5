"""Functions that split tensors, and those that add dimensions to reach a number of them."""

import itertools

from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.core.dtype import _dtypes

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "dsplit",
    "hsplit",
    "split",
    "tensor_split",
    "vsplit",
]


def split(tensor, split_size_or_sections, dim=0):
    """Split a tensor along a dimension.

    Parameters
    ----------
    tensor : Tensor
        At least one dimension.
    split_size_or_sections : int or list of int
        The size of each part (the last one may be smaller), or the sizes of all parts.
    dim : int, default 0

    Returns
    -------
    tuple of Tensor
        Views.

    Raises
    ------
    RuntimeError
        If the sizes do not add up to the size of `dim`, or one is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.split(torch.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    return tensor.split(split_size_or_sections, dim)


@parsed_as("split")
def _split(input, split_size, dim=0):
    return input.split(split_size, dim)


def tensor_split(input, indices_or_sections, dim=0):
    """Split a tensor into parts of nearly equal sizes, or at given indices.

    Parameters
    ----------
    input : Tensor
        At least one dimension.
    indices_or_sections : int, tuple of int or Tensor
        The number of parts, or where they begin.
    dim : int, default 0

    Returns
    -------
    tuple of Tensor
        Views.

    Raises
    ------
    RuntimeError
        If the number of parts is not positive, or the input has no dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.tensor_split(torch.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    >>> torch.tensor_split(torch.arange(5), (1, 3))
    (tensor([0]), tensor([1, 2]), tensor([3, 4]))
    """
    if isinstance(indices_or_sections, Tensor):
        if not indices_or_sections.is_cpu:
            raise RuntimeError(
                "tensor_split expected tensor_indices_or_sections to be on cpu, but it's on "
                f"{indices_or_sections.device}"
            )
        if indices_or_sections.dtype != _dtypes()["int64"]:
            raise RuntimeError(
                "tensor_split expected tensor_indices_or_sections to have dtype of long, but got "
                f"{indices_or_sections.dtype._class_name}"
            )
        if indices_or_sections.dim() > 1:
            raise RuntimeError(
                "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or "
                "one-dimensional tensor, but got a tensor with "
                f"{indices_or_sections.dim()} dims"
            )
        if indices_or_sections.dim() == 0:
            indices_or_sections = indices_or_sections.item()
        else:
            indices_or_sections = indices_or_sections.tolist()
    if input.dim() == 0:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    length = input.size(dim)
    if isinstance(indices_or_sections, int):
        sections = indices_or_sections
        if sections <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
        smallest, longer = divmod(length, sections)
        parts = [None] * sections  # allocated first, to raise at once if there is not enough memory
        for k in range(sections):
            start = k * smallest + min(k, longer)
            parts[k] = _rows.slice(input, dim, start, start + smallest + (k < longer), 1)
        return tuple(parts)
    bounds = [0, *indices_or_sections, length]
    bounds = [slice(*pair).indices(length)[:2] for pair in itertools.pairwise(bounds)]
    return tuple(_rows.slice(input, dim, start, max(start, end), 1) for start, end in bounds)


def _named_split(name, input, indices_or_sections, least, dim):
    if input.dim() < least:
        raise RuntimeError(
            f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor with {input.dim()} dimensions!"
        )
    if isinstance(indices_or_sections, int):
        n = indices_or_sections
        if n == 0 or input.size(dim) % n:
            raise RuntimeError(
                f"torch.{name} attempted to split along dimension {dim}, but the size of the "
                f"dimension {input.size(dim)} is not divisible by the split_size {n}!"
            )
    return tensor_split(input, indices_or_sections, dim)


def hsplit(input, indices_or_sections):
    """Split a tensor along the second dimension, or the first one of vectors.

    Parameters
    ----------
    input : Tensor
        At least one dimension.
    indices_or_sections : int or tuple of int
        The number of equal parts, or where they begin.

    Returns
    -------
    tuple of Tensor
        Views.

    Raises
    ------
    RuntimeError
        If the size is not divisible, or the input has too few dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.hsplit(torch.arange(4), 2)
    (tensor([0, 1]), tensor([2, 3]))
    """
    return _named_split("hsplit", input, indices_or_sections, 1, 0 if input.dim() == 1 else 1)


def vsplit(input, indices_or_sections):
    """Split a tensor along the first dimension.

    Parameters
    ----------
    input : Tensor
        At least two dimensions.
    indices_or_sections : int or tuple of int
        The number of equal parts, or where they begin.

    Returns
    -------
    tuple of Tensor
        Views.

    Raises
    ------
    RuntimeError
        If the size is not divisible, or the input has too few dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.vsplit(torch.arange(4).view(2, 2), 2)
    (tensor([[0, 1]]), tensor([[2, 3]]))
    """
    return _named_split("vsplit", input, indices_or_sections, 2, 0)


def dsplit(input, indices_or_sections):
    """Split a tensor along the third dimension.

    Parameters
    ----------
    input : Tensor
        At least three dimensions.
    indices_or_sections : int or tuple of int
        The number of equal parts, or where they begin.

    Returns
    -------
    tuple of Tensor
        Views.

    Raises
    ------
    RuntimeError
        If the size is not divisible, or the input has too few dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.dsplit(torch.arange(4).view(1, 1, 4), 2)
    (tensor([[[0, 1]]]), tensor([[[2, 3]]]))
    """
    return _named_split("dsplit", input, indices_or_sections, 3, 2)


def _each(function, tensors):
    return function(tensors) if isinstance(tensors, Tensor) else tuple(map(function, tensors))


@parsed_as("atleast_1d")
def _atleast_1d(tensors):
    return _each(lambda t: t.reshape(1) if t.dim() == 0 else t, tensors)


def atleast_1d(*tensors):
    """Return views of tensors with at least 1 dimension.

    Parameters
    ----------
    *tensors : Tensor, or one sequence of Tensor
        Any shape and dtype.

    Returns
    -------
    Tensor, or tuple of Tensor
        One for each input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.atleast_1d(torch.tensor(5.0))
    tensor([5.])
    """
    return _atleast_1d(tensors[0] if len(tensors) == 1 else tensors)


@parsed_as("atleast_2d")
def _atleast_2d(tensors):
    return _each(
        lambda t: t.reshape(1, 1) if t.dim() == 0 else t.unsqueeze(0) if t.dim() == 1 else t,
        tensors,
    )


def atleast_2d(*tensors):
    """Return views of tensors with at least 2 dimensions.

    Parameters
    ----------
    *tensors : Tensor, or one sequence of Tensor
        Any shape and dtype.

    Returns
    -------
    Tensor, or tuple of Tensor
        One for each input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.atleast_2d(torch.tensor(5.0))
    tensor([[5.]])
    """
    return _atleast_2d(tensors[0] if len(tensors) == 1 else tensors)


@parsed_as("atleast_3d")
def _atleast_3d(tensors):
    def one(t):
        if t.dim() == 0:
            return t.reshape(1, 1, 1)
        if t.dim() == 1:
            return t.unsqueeze(0).unsqueeze(-1)
        return t.unsqueeze(-1) if t.dim() == 2 else t

    return _each(one, tensors)


def atleast_3d(*tensors):
    """Return views of tensors with at least 3 dimensions.

    Parameters
    ----------
    *tensors : Tensor, or one sequence of Tensor
        Any shape and dtype.

    Returns
    -------
    Tensor, or tuple of Tensor
        One for each input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.atleast_3d(torch.tensor(5.0))
    tensor([[[5.]]])
    """
    return _atleast_3d(tensors[0] if len(tensors) == 1 else tensors)
