"""Functions that broadcast and combine tensors: meshgrid, cartesian products, combinations."""

import functools
import itertools

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import arange, full
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.core.dtype import _dtypes
from minitorch.core.once import warn_once
from minitorch.core.types import Size
from minitorch.ops.common.checks import broadcast_sizes

__all__ = [
    "broadcast_shapes",
    "broadcast_tensors",
    "cartesian_prod",
    "combinations",
    "meshgrid",
]


def broadcast_shapes(*shapes):
    """Return the shape that shapes broadcast to.

    Parameters
    ----------
    *shapes : tuple of int, or int
        The shapes to broadcast; an int is a shape of one dimension.

    Returns
    -------
    torch.Size
        The common shape.

    Raises
    ------
    RuntimeError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.broadcast_shapes((3, 1), (2,))
    torch.Size([3, 2])
    """
    for shape in shapes:
        if not isinstance(shape, (int, tuple, list)):
            raise RuntimeError(
                "Input shapes should be of type ints, a tuple of ints, or a list of ints, got "
                f"{shape}"
            )
    # a `Size` keeps its type, because the error message prints it
    shapes = [
        (shape,) if isinstance(shape, int) else shape if isinstance(shape, tuple) else tuple(shape)
        for shape in shapes
    ]
    result = [1] * max(map(len, shapes), default=0)
    for position, shape in enumerate(shapes):
        for d in range(-1, -1 - len(shape), -1):
            if shape[d] == 1 or shape[d] == result[d]:
                continue
            if result[d] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {shape[d]} at {d}! Mismatching "
                    f"argument at index {position} had {shape}; but expected shape should be "
                    f"broadcastable to {result}"
                )
            if shape[d] < 0:
                raise ValueError("Attempting to broadcast a dimension with negative length!")
            result[d] = shape[d]
    return Size(result)


# Note [Functions in C]
# Where PyTorch has a Python function that unpacks the arguments and a C function that computes, so
# does minitorch: the counterpart of the C function has an argument parser (`parsed_as`) and is in
# `minitorch/_VF.py`.


@parsed_as("broadcast_tensors")
def _broadcast_tensors(tensors):
    shape = functools.reduce(broadcast_sizes, [tuple(t.shape) for t in tensors], ())
    return tuple(t if t.shape == shape else t.expand(shape) for t in tensors)


def broadcast_tensors(*tensors):
    """Expand tensors to their common shape.

    Parameters
    ----------
    *tensors : Tensor
        Shapes that broadcast.

    Returns
    -------
    tuple of Tensor
        Views; several elements may share memory.

    Raises
    ------
    RuntimeError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import minitorch as torch
    >>> a, b = torch.broadcast_tensors(torch.zeros(3, 1), torch.zeros(2))
    >>> a.shape, b.shape
    (torch.Size([3, 2]), torch.Size([3, 2]))
    """
    return _broadcast_tensors(tensors)


def meshgrid(*tensors, indexing=None):
    """Return the coordinates of the points of a grid.

    Parameters
    ----------
    *tensors : Tensor
        The coordinates along each axis, vectors or numbers.
    indexing : {"ij", "xy"}, optional
        "ij", the default (with a warning), gives a shape in the order of the tensors; "xy" exchanges the
        first two.

    Returns
    -------
    tuple of Tensor
        Views, all of the shape of the grid.

    Raises
    ------
    RuntimeError
        If a tensor has more than one dimension, or dtypes differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> x, y = torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4]), indexing="ij")
    >>> x
    tensor([[1, 1],
            [2, 2]])
    >>> y
    tensor([[3, 4],
            [3, 4]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    if indexing is None:
        return _meshgrid(tensors)
    return _meshgrid(tensors, indexing=indexing)


@parsed_as("meshgrid")
def _meshgrid(tensors, *, indexing=None):
    if indexing is None:
        warn_once(
            "torch.meshgrid: in an upcoming release, it will be required to pass the indexing "
            "argument.",
            stacklevel=3,
        )
        indexing = "ij"
    tensors = list(tensors)
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    for t in tensors:
        if t.dim() > 1:
            raise RuntimeError(
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {t}"
            )
        if t.dtype != tensors[0].dtype:
            raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    if indexing not in ("ij", "xy"):
        raise RuntimeError(
            f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}'
        )
    swap = indexing == "xy" and len(tensors) >= 2
    if swap:
        tensors[0], tensors[1] = tensors[1], tensors[0]
    shape = [t.numel() for t in tensors]
    grids = []
    for d, t in enumerate(tensors):
        grids.append(t.view([-1 if k == d else 1 for k in range(len(shape))]).expand(shape))
    if swap:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


def cartesian_prod(*tensors):
    """Return all combinations of one element of each tensor.

    Parameters
    ----------
    *tensors : Tensor
        Vectors.

    Returns
    -------
    Tensor
        A row for each combination; the input itself if it is the only one.

    Raises
    ------
    RuntimeError
        If a tensor is no vector.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor([[1, 3],
            [1, 4],
            [2, 3],
            [2, 4]])
    """
    return _cartesian_prod(tensors)


@parsed_as("cartesian_prod")
def _cartesian_prod(tensors):
    for t in tensors:
        if t.dim() != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(t.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    grids = meshgrid(*tensors, indexing="ij")
    return _rows.stack([grid.flatten() for grid in grids], 1)


def combinations(input, r=2, with_replacement=False):
    """Return all combinations of elements of a vector.

    Parameters
    ----------
    input : Tensor
        A vector.
    r : int, default 2
        How many elements to combine.
    with_replacement : bool, default False
        Let an element occur several times.

    Returns
    -------
    Tensor
        A row of r elements for each combination.

    Raises
    ------
    RuntimeError
        If the input is no vector, or `r` is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.combinations(torch.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
    if input.dim() != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(input.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if r == 0:
        return input.new_empty(0)
    grids = meshgrid([input] * r, indexing="ij")
    dtypes, options = _dtypes(), {"layout": input.layout, "device": input.device}
    numbers = arange(input.numel(), dtype=dtypes["int64"], **options)
    positions = meshgrid([numbers] * r, indexing="ij")
    chosen = full([input.numel()] * r, True, dtype=dtypes["bool"], **options)
    for a, b in itertools.pairwise(positions):
        chosen.mul_(a <= b if with_replacement else a < b)
    return _rows.stack([grid.masked_select(chosen) for grid in grids], 1)
