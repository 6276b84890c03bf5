"""Integrals and derivatives of sampled functions.

References
----------
Fornberg 1988, "Generation of finite difference formulas on arbitrarily spaced grids".
"""

from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import zeros
from minitorch.core.tensor_impl import maybe_wrap_dim
from minitorch.core.types import strided as _strided

__all__ = ["cumulative_trapezoid", "gradient", "trapezoid", "trapz"]


# ---- integrals


def _is_bool(t):
    return t.dtype._class_name == "Bool"


def _check(name, y, x, dx):
    if _is_bool(y) and x is None:
        raise RuntimeError(f"{name}: received a bool input for `y`, but bool is not supported")
    if x is not None and (_is_bool(y) or _is_bool(x)):
        raise RuntimeError(
            f"{name}: received a bool input for `x` or `y`, but bool is not supported"
        )
    if isinstance(dx, (bool, complex)):
        raise RuntimeError(f"{name}: Currently, we only support dx as a real number.")


def _widths(name, y, x, dim):
    """Return the distances between the points `x`, in a shape that broadcasts with `y`'s strips."""
    if x.dim() == 1:
        if x.size(0) != y.size(dim):
            raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
        shape = [1] * y.dim()
        shape[dim] = x.size(0)
        x = x.view(shape)
    elif x.dim() < y.dim():
        x = x.view((1,) * (y.dim() - x.dim()) + tuple(x.shape))
    left = _rows.slice(x, dim, 0, -1, 1)
    return _rows.slice(x, dim, 1, None, 1) - left


def _pair_sums(y, dim):
    return _rows.slice(y, dim, 0, -1, 1) + _rows.slice(y, dim, 1, None, 1)


def trapezoid(y, x=None, *, dx=1, dim=-1):
    """Integrate along a dimension by the trapezoidal rule.

    Parameters
    ----------
    y : Tensor
        The values of the function.
    x : Tensor, optional
        The points at which it has these values.
    dx : float
        The distance between adjacent points if `x` is not given.
    dim : int
    """
    if x is not None:
        dim = maybe_wrap_dim(dim, y.dim())
    elif y.dim():
        maybe_wrap_dim(dim, y.dim())
    if y.size(dim) == 0:
        shape = list(y.shape)
        del shape[dim]
        return zeros(shape, dtype=y.dtype, layout=_strided, device=y.device)
    _check("trapezoid", y, x, dx)
    if x is None:
        last = y.select(dim, -1)
        ends = _rows._mul_scalar(y.select(dim, 0) + last, 0.5)
        return _rows._mul_scalar(y.sum(dim) - ends, float(dx))
    widths = _widths("trapezoid", y, x, dim)
    return _rows._div_scalar((_pair_sums(y, dim) * widths).sum(dim), 2.0)


def trapz(y, x=None, *, dx=1, dim=-1):
    """Integrate along a dimension; an alias of :func:`trapezoid`."""
    return trapezoid(y, x, dx=dx, dim=dim)


def cumulative_trapezoid(y, x=None, *, dx=1, dim=-1):
    """Integrate up to each point except the first; see :func:`trapezoid`."""
    maybe_wrap_dim(dim, y.dim())
    _check("cumulative_trapezoid", y, x, dx)
    if x is None:
        return _rows._mul_scalar(_pair_sums(y, dim), dx / 2.0).cumsum(dim)
    dim = maybe_wrap_dim(dim, y.dim())
    widths = _widths("cumulative_trapezoid", y, x, dim)
    return _rows._div_scalar((_pair_sums(y, dim) * widths).cumsum(dim), 2.0)


# ---- derivatives


def _settled(input, spacing, dim):
    """Return the dimensions and the spacing of each: a number, or the coordinates of the points."""
    dims = None if dim is None else [dim] if isinstance(dim, int) else list(dim)
    count = input.dim() if dims is None else len(dims)
    if isinstance(spacing, (list, tuple)):
        if len(spacing) != count:
            if dims is None:
                raise RuntimeError(
                    "torch.gradient expected spacing to be unspecified, a scalar, or a list of length "
                    f"equal to 'self.dim() = {count}', since dim argument was not given, but got a list "
                    f"of length {len(spacing)}"
                )
            raise RuntimeError(
                "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim "
                "arguments to have the same length, but got a spacing argument of length "
                f"{len(spacing)} and a dim argument of length {count}."
            )
        spacings = list(spacing)
    else:
        spacings = [1 if spacing is None else spacing] * count
    return range(count) if dims is None else dims, spacings


def _even(input, d, h, order):
    """Return the derivatives at the first, the inner and the last of equally spaced points."""
    n = input.size(d)

    def at(k, count=1):
        return input.narrow(d, k, count)

    def slope(k, step, count=1):
        before = at(k, count)
        return _rows._div_scalar(at(k + step, count) - before, h)

    if order == 1:
        first, last = slope(0, 1), slope(n - 2, 1)
        return first, _rows._div_scalar(slope(0, 2, n - 2), 2), last
    middle = (at(2, n - 2) - at(0, n - 2)) / (2 * h)
    first = (at(1) * 4 - at(0) * 3 - at(2)) / (2 * h)
    return first, middle, (at(n - 1) * 3 - at(n - 2) * 4 + at(n - 3)) / (2 * h)


def _uneven(input, d, points, order):
    """Return derivatives exact for degree 2 inside and for degree `order` at the ends."""
    n = input.size(d)
    shape = [1] * input.dim()
    shape[d] = -1
    steps = points.diff().reshape(shape)

    def at(k, count=1):
        return input.narrow(d, k, count)

    def step(k, count=1):
        return steps.narrow(d, k, count)

    before, after = step(0, n - 2), step(1, n - 2)
    both = before + after
    middle = (
        at(2, n - 2) * (before / (after * both))
        + at(1, n - 2) * ((after - before) / (before * after))
        - at(0, n - 2) * (after / (before * both))
    )
    if order == 1:
        return (at(1) - at(0)) / step(0), middle, (at(n - 1) - at(n - 2)) / step(n - 2)

    def edge(sign, f0, f1, f2, h0, h1):
        both = h0 + h1
        inner = f1 * (both / (h0 * h1)) - f2 * (h0 / (h1 * both))
        return (inner - f0 * ((h0 + both) / (h0 * both))) * sign

    first = edge(1, at(0), at(1), at(2), step(0), step(1))
    last = edge(-1, at(n - 1), at(n - 2), at(n - 3), step(n - 2), step(n - 3))
    return first, middle, last


def gradient(input, *, spacing=None, dim=None, edge_order=1):
    """Differentiate numerically along dimensions: central differences, one-sided at the ends.

    Parameters
    ----------
    input : Tensor
    spacing : number, sequence of numbers, or sequence of Tensor, optional
        The distance between points, for each dimension, or their coordinates. Default: 1.
    dim : int or sequence of int, optional
        Default: all dimensions.
    edge_order : int
        The order of the one-sided differences, 1 or 2.

    Returns
    -------
    tuple of Tensor
        The derivative along each dimension.
    """
    dims, spacings = _settled(input, spacing, dim)
    if input.dtype._class_name == "Byte":
        raise RuntimeError("torch.gradient does not support uint8 input.")
    places = []
    for d in dims:
        n = input.size(d)
        if d % max(input.dim(), 1) in places:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
        places.append(d % max(input.dim(), 1))
        if edge_order in (1, 2) and n < edge_order + 1:
            raise RuntimeError(
                "torch.gradient expected each dimension size to be at least edge_order+1"
            )
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    results = []
    for d, h in zip(places, spacings, strict=True):
        if isinstance(h, Tensor):
            if h.device != input.device:
                raise RuntimeError(
                    "torch.gradient expected each tensor to be on the same device, but got devices "
                    f"{input.device} and {h.device}!"
                )
            if h.dim() != 1:
                raise RuntimeError(
                    "torch.gradient expected each element of spacing to have one dimension, but got an "
                    f"element with {h.dim()} dimensions!"
                )
            parts = _uneven(input, d, h, edge_order)
        else:
            parts = _even(input, d, h, edge_order)
        results.append(_rows.cat(list(parts), d))
    return tuple(results)
