"""Histograms in one and several dimensions, and positions of elements in a tensor."""

import functools
import math
from collections.abc import Sequence

from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import each_sample, full, linspace, zeros
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.functions.outputs import deliver
from minitorch.autograd.grad_mode import no_grad
from minitorch.autograd.python_dispatch import told
from minitorch.autograd.vmap_steps import are_batched
from minitorch.core.dtype import _dtypes
from minitorch.core.return_types import result_class
from minitorch.core.types import Size
from minitorch.tensors.gradient_checks import reject_tangents

__all__ = ["histogram", "histogramdd", "nonzero_static", "unravel_index"]

_histogram_result = result_class("histogram", ["hist", "bin_edges"])
_histogramdd_result = result_class("histogramdd", ["hist", "bin_edges"])


def _require(condition, message):
    if not condition:
        raise RuntimeError(f"torch.histogramdd: {message}")


def _check(points, bins, weight, batch):
    _require(points.dim() >= 2, "input tensor should have at least 2 dimensions")
    if len(bins) != points.size(-1):
        raise RuntimeError(
            "histogramdd: The size of bins must be equal to the innermost dimension of the input."
        )
    for d, edges in enumerate(bins):
        if not isinstance(edges, Tensor):
            continue
        _require(
            edges.dtype == points.dtype,
            "input tensor and bins tensors should have the same dtype, but got input with dtype "
            f"{points.dtype._c_name} and bins for dimension {d} with dtype {edges.dtype._c_name}",
        )
        _require(
            edges.dim() == 1,
            f"bins tensor should have one dimension, but got {edges.dim()} dimensions in the bins tensor "
            f"for dimension {d}",
        )
        _require(
            edges.numel() > 0,
            f"bins tensor should have at least 1 element, but got {edges.numel()} elements in the bins "
            f"tensor for dimension {d}",
        )
    if weight is not None:
        _require(
            weight.dtype == points.dtype,
            "if weight tensor is provided, input tensor and weight tensor should have the same dtype, but "
            f"got input({points.dtype._c_name}), and weight({weight.dtype._c_name})",
        )
        _require(
            tuple(weight.shape) == tuple(batch),
            "if weight tensor is provided it should have the same shape as the input tensor excluding its "
            f"innermost dimension, but got input with shape {list(points.shape)} and weight with shape "
            f"{list(weight.shape)}",
        )
    for d, edges in enumerate(bins):
        count = edges.numel() - 1 if isinstance(edges, Tensor) else edges
        if count <= 0:
            raise RuntimeError(
                f"torch.histogram(): bins must be > 0, but got {count} for dimension {d}"
            )


def _bounds(points, range, d):
    """Return the given bounds or the lowest and highest value; widen them if they are equal."""
    if range is not None:
        low, high = range[2 * d], range[2 * d + 1]
    elif points.numel() == 0:
        low, high = 0.0, 1.0
    else:
        values = points[:, d]
        low, high = values.min().item(), values.max().item()
    _require(
        math.isfinite(low) and math.isfinite(high),
        f"dimension {d}'s range [{low:g}, {high:g}] is not finite",
    )
    _require(
        low <= high,
        f"min should not exceed max, but got min {low:g} max {high:g} for dimension {d}",
    )
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def _edges(points, bins, range):
    """Return the edges of the bins along each dimension."""
    if points.dtype._class_name not in ("Float", "Double"):
        raise NotImplementedError(
            f"\"histogramdd\" not implemented for '{points.dtype._class_name}'"
        )
    if range is not None:
        dims = len(bins)
        _require(
            len(range) == 2 * dims,
            f"for a {dims}-dimensional histogram range should have {2 * dims} elements, but got {len(range)}",
        )
    found = []
    for d, count in enumerate(bins):
        if isinstance(count, Tensor):
            found.append(count.detach().clone())
        else:
            low, high = _bounds(points, range, d)
            found.append(linspace(low, high, count + 1, dtype=points.dtype))
    return found


def _counted(points, edges, weight, density):
    """Return the number or the total weight of the points in each bin."""
    shape = [e.numel() - 1 for e in edges]
    place = zeros(points.size(0), dtype=_int64())
    inside = place == 0
    for d, e in enumerate(edges):
        values = points[:, d].contiguous()
        inside = inside & (values >= e[0]) & (values <= e[-1])
        # the last bin includes its right edge
        index = (_rows.searchsorted(e, values, right=True) - 1).clamp(0, shape[d] - 1)
        place = place * shape[d] + index
    weights = full((points.size(0),), 1.0, dtype=points.dtype) if weight is None else weight
    weights = weights.reshape(-1) * inside
    total = zeros(math.prod(shape), dtype=points.dtype).scatter_add_(0, place, weights)
    total = total.reshape(shape)
    if density:
        total = total / total.sum()
        for d, e in enumerate(edges):
            total = total / e.diff().reshape([-1 if k == d else 1 for k in range(len(edges))])
    return total


def _int64():
    return _dtypes()["int64"]


def _reject_tangents(name, *arguments):
    tensors = [a for a in arguments if isinstance(a, Tensor)]
    reject_tangents(tensors, f"aten::{name}", "not_implemented")


def histogramdd(input, bins, range=None, weight=None, density=False):
    """Count points in the cells of a grid.

    Parameters
    ----------
    input : Tensor
        A row for each point, of the shape ``(*, n)``.
    bins : int, list of int or list of Tensor
        The number of cells along each dimension, or their edges.
    range : list of float, optional
        The smallest and the largest edge along each dimension; by default those of the points.
    weight : Tensor, optional
        A weight for each point.
    density : bool, default False
        Divide by the number of points and the size of the cell.

    Returns
    -------
    hist : Tensor
        One dimension for each coordinate.
    bin_edges : tuple of Tensor
        The edges along each of them.

    Raises
    ------
    RuntimeError
        If a shape does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.histogramdd(torch.tensor([[0.0, 0.0], [1.0, 1.0]]), bins=[2, 2]).hist
    tensor([[1., 0.],
            [0., 1.]])
    """
    dims = input.shape[-1] if input.dim() else 0
    bins = [bins] * dims if isinstance(bins, int) else list(bins)
    borders = [b for b in bins if isinstance(b, Tensor)]
    _reject_tangents(
        "_histogramdd_from_bin_tensors" if borders else "_histogramdd_bin_edges",
        input,
        *borders,
        weight,
    )
    _check(input, bins, weight, input.shape[:-1])
    with no_grad():
        points = input.reshape(-1, dims)
        edges = _edges(points, bins, range)
        hist = _counted(points, edges, weight, density)
    return _histogramdd_result((hist, tuple(edges)))


def histogram(input, bins=100, *, range=None, weight=None, density=False, out=None):
    """Count the values in each bin.

    Parameters
    ----------
    input : Tensor
    bins : int or Tensor
        The number of bins between the lowest and the highest value, or the bin edges.
    range : (float, float), optional
        The lowest and highest edge.
    weight : Tensor, optional
        The weight of each value, of the shape of `input`. Default: 1.
    density : bool
        Whether to normalize the result so that its integral is 1.
    out : (Tensor, Tensor), optional

    Returns
    -------
    (hist, bin_edges)

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.histogram(torch.tensor([1.0, 2.0, 1.0]), bins=4, range=(0.0, 3.0)).hist
    tensor([0., 2., 1., 0.])
    """
    options = {"range": range, "weight": weight, "density": density}
    options = {name: value for name, value in options.items() if value is not None}
    _reject_tangents("histogram", input, bins, weight)
    seen = None if out is not None else told("histogram", (input, bins), options)
    if seen is not None:
        return _histogram_result(seen)
    with no_grad():
        points = input.reshape(-1, 1)
        weights = None if weight is None else weight.reshape(-1)
        _check(points, [bins], weights, (points.size(0),))
        edges = _edges(points, [bins], range)
        hist = _counted(points, edges, weights, density)
    return deliver("histogram", _histogram_result((hist, edges[0])), out)


def nonzero_static(input, *, size, fill_value=-1, out=None):
    """Return the indices of a given number of elements that are not 0.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    size : int
        How many indices to return.
    fill_value : int, default -1
        What to return in place of indices that are missing.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        int64, of the shape ``(size, input.dim())``.

    Raises
    ------
    RuntimeError
        If `size` is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nonzero_static(torch.tensor([0, 5, 6]), size=3)
    tensor([[ 1],
            [ 2],
            [-1]])
    """
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    if out is not None and out.dtype != _int64():
        raise RuntimeError(
            "nonzero_static: Expected out tensor to have scalar type Long but got scalar type"
            f"{out.dtype._class_name}"
        )
    _reject_tangents("nonzero_static", input)
    options = {"size": size, "fill_value": fill_value}
    seen = None if out is not None else told("nonzero_static", (input,), options)
    if seen is not None:
        return seen
    if are_batched(input) and out is None:
        alone = functools.partial(nonzero_static, **options)
        return each_sample(functools.update_wrapper(alone, nonzero_static), (input,))
    result = input.new_full((size, input.dim()), fill_value, dtype=_int64())
    if not input.is_meta:
        found = _rows.nonzero(input)[:size]
        result[: found.size(0)] = found
    if out is None:
        return result
    return out.resize_(result.shape).copy_(result)


def unravel_index(indices, shape):
    """Convert flat row-major indices to coordinates.

    Parameters
    ----------
    indices : Tensor
        Flat indices, of an integer dtype.
    shape : int or sequence of int
        The shape of the indexed tensor.

    Returns
    -------
    tuple of Tensor
        The coordinates along each dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.unravel_index(torch.tensor([1, 5]), (2, 3))
    (tensor([0, 1]), tensor([1, 2]))
    """
    if indices.is_complex() or indices.is_floating_point() or indices.dtype._class_name == "Bool":
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if not isinstance(shape, (int, Size, Sequence)):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    if isinstance(shape, int):
        shape = (shape,)
    for n in shape:
        if not isinstance(n, int):
            raise TypeError(f"expected 'shape' sequence to only contain ints, but got {type(n)}")
    shape = Size(shape)
    if any(n < 0 for n in shape):
        raise ValueError(f"'shape' cannot have negative values, but got {tuple(shape)}")
    steps = [math.prod(shape[d + 1 :]) for d in range(len(shape))]
    of_integers = {"dtype": _int64(), "device": indices.device}
    coordinates = indices.unsqueeze(-1) // tensor(steps, **of_integers)
    return (coordinates % tensor(shape, **of_integers)).unbind(-1)
