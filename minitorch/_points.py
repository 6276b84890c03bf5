"""Positions and distances: unravel_index, pdist; ldexp."""

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import triu_indices
from minitorch.autograd.functions.from_data import tensor
from minitorch.core.dtype import _dtypes

__all__ = ["ldexp", "pdist", "unravel_index"]


def unravel_index(indices, shape):
    """The coordinates of flat indices.

    Parameters
    ----------
    indices : Tensor
        Of integers.
    shape : int or sequence of int
        The shape that the indices run through, row by row.

    Returns
    -------
    tuple of Tensor
        An index tensor for each dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.unravel_index(torch.tensor([3, 4]), (2, 3))
    (tensor([1, 1]), tensor([0, 1]))
    """
    if indices.is_complex() or indices.is_floating_point() or indices.dtype == _dtypes()["bool"]:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if not isinstance(shape, (int, tuple, list)):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    if isinstance(shape, int):
        shape = (shape,)
    else:
        for d in shape:
            if not isinstance(d, int):
                raise TypeError(
                    f"expected 'shape' sequence to only contain ints, but got {type(d)}"
                )
    if any(d < 0 for d in shape):
        raise ValueError(f"'shape' cannot have negative values, but got {tuple(shape)}")
    steps = []
    step = 1
    for d in reversed(shape):
        steps.append(step)
        step *= d
    steps = tensor(steps[::-1], dtype=_dtypes()["int64"])
    sizes = tensor(list(shape), dtype=_dtypes()["int64"])
    places = indices.unsqueeze(-1).div(steps, rounding_mode="floor") % sizes
    return places.unbind(-1)


def pdist(input, p=2):
    """The p-norm distances between all pairs of rows, one for each pair.

    Raises
    ------
    RuntimeError
        For anything but a matrix of floating point numbers, and a negative `p`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.pdist(torch.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]]))
    tensor([5.0000, 1.0000, 4.2426])
    """
    if input.dim() != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.dim()}D")
    if not input.is_floating_point():
        raise RuntimeError("pdist only supports floating-point dtypes")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    first, second = triu_indices(input.size(0), input.size(0), 1)
    apart = input.index_select(0, first) - input.index_select(0, second)
    return _rows.norm_dim(apart, p, (1,), False)


def ldexp(input, other):
    """``input * 2 ** other``."""
    return input * _rows.pow(2.0, other)
