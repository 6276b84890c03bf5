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
    """Estimate the integral of a function from its values, with the trapezoidal rule.

    Parameters
    ----------
    y : Tensor
        The values.
    x : Tensor, optional
        Where they were taken.
    dx : number, default 1
        The distance of the points, if `x` is absent.
    dim : int, default -1
        The dimension to integrate along.

    Returns
    -------
    Tensor
        The shape of `y` without `dim`.

    Raises
    ------
    RuntimeError
        If the shapes of `x` and `y` do not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.trapezoid(torch.tensor([0.0, 1.0, 2.0]))
    tensor(2.)
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
    """Estimate the integral of a function from its values; another name of `trapezoid`.

    Parameters
    ----------
    y : Tensor
        The values.
    x : Tensor, optional
        Where they were taken.
    dx : number, default 1
        The distance of the points, if `x` is absent.
    dim : int, default -1
        The dimension to integrate along.

    Returns
    -------
    Tensor
        The shape of `y` without `dim`.

    Raises
    ------
    RuntimeError
        If the shapes of `x` and `y` do not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.trapz(torch.tensor([0.0, 1.0, 2.0]), dx=2)
    tensor(4.)
    """
    return trapezoid(y, x, dx=dx, dim=dim)


def cumulative_trapezoid(y, x=None, *, dx=1, dim=-1):
    """Estimate the integral up to each point, with the trapezoidal rule.

    Parameters
    ----------
    y : Tensor
        The values.
    x : Tensor, optional
        Where they were taken.
    dx : number, default 1
        The distance of the points, if `x` is absent.
    dim : int, default -1
        The dimension to integrate along.

    Returns
    -------
    Tensor
        The shape of `y`, with one element less along `dim`.

    Raises
    ------
    RuntimeError
        If the shapes of `x` and `y` do not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.cumulative_trapezoid(torch.tensor([0.0, 1.0, 2.0]))
    tensor([0.5000, 2.0000])
    """
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
    """Estimate the derivatives of a function from its values on a grid.

    Parameters
    ----------
    input : Tensor
        The values, at least ``edge_order + 1`` along each dimension.
    spacing : number, list of number or sequence of Tensor, optional
        The distance of the points, or their coordinates along each dimension; by default 1.
    dim : int or list of int, optional
        The dimensions to differentiate along; by default all.
    edge_order : {1, 2}, default 1
        The order of accuracy at the borders; inside it is 2.

    Returns
    -------
    tuple of Tensor
        One for each dimension, of the shape of `input`.

    Raises
    ------
    RuntimeError
        If there are too few points, or `spacing` does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.gradient(torch.tensor([0.0, 1.0, 4.0, 9.0]))
    (tensor([1., 2., 4., 5.]),)
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
