"""Positions in a tensor: unravel_index."""

from minitorch.autograd.functions.from_data import tensor
from minitorch.core.dtype import _dtypes

__all__ = ["unravel_index"]


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
