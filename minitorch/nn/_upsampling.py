"""Resizing of images, lines and volumes.

The operators are those of `ops/nn/upsample.pyx`. This module handles the arguments of `interpolate`
and implements the cases without an operator: antialiasing filters and uint8 images, which are
resized one dimension after the other.
"""

import math
import warnings
from operator import index

from minitorch.autograd.by_sample import without_batching_rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.functions.gathered import one_node
from minitorch.core.dtype import _dtypes
from minitorch.nn import _byte_upsampling
from minitorch.nn._folding import laid_out_like
from minitorch.nn._pooling import adaptive_avg_pool2d, adaptive_avg_pool3d
from minitorch.nn._precision import raise_not_implemented

_NEEDED = {"linear": 3, "bilinear": 4, "trilinear": 5, "bicubic": 4, "lanczos": 4}


def _cubic(x, a=-0.75):
    x = abs(x)
    if x < 1:
        return ((a + 2) * x - (a + 3)) * x * x + 1
    if x < 2:
        return (((x - 5) * x + 8) * x - 4) * a
    return 0.0


def _lanczos(x):
    if abs(x) >= 3:
        return 0.0
    if x == 0:
        return 1.0
    x *= math.pi
    return math.sin(x) / x * math.sin(x / 3) / (x / 3)


def _triangle(x):
    return max(0.0, 1.0 - abs(x))


def _places(old, new, factor, align_corners, is_cubic):
    """Return the (fractional) position in the input of each output element."""
    if align_corners:
        scale = (old - 1) / (new - 1) if new > 1 else 0.0
        return [k * scale for k in range(new)]
    scale = 1.0 / factor if factor else old / new
    places = [scale * (k + 0.5) - 0.5 for k in range(new)]
    return places if is_cubic else [max(x, 0.0) for x in places]


def _column(values, like, dim):
    shape = [1] * like.dim()
    shape[dim] = len(values)
    return tensor(values, dtype=like.dtype, device=like.device).view(shape)


def _linear(input, dim, new, factor, align_corners):
    old = input.size(dim)
    places = _places(old, new, factor, align_corners, False)
    low = [min(int(x), old - 1) for x in places]
    high = [min(k + 1, old - 1) for k in low]
    share = _column([x - k for x, k in zip(places, low, strict=True)], input, dim)
    first, second = (input.index_select(dim, tensor(k, device=input.device)) for k in (low, high))
    return first * (1 - share) + second * share


def _bicubic(input, dim, new, factor, align_corners):
    old = input.size(dim)
    places = _places(old, new, factor, align_corners, True)
    result = None
    for offset in (-1, 0, 1, 2):
        at = [min(max(math.floor(x) + offset, 0), old - 1) for x in places]
        weight = [_cubic(x - math.floor(x) - offset) for x in places]
        part = input.index_select(dim, tensor(at, device=input.device)) * _column(
            weight, input, dim
        )
        result = part if result is None else result + part
    return result


_FILTERS = {
    "bilinear": (_triangle, 1.0),
    "bicubic": (lambda x: _cubic(x, -0.5), 2.0),
    "lanczos": (_lanczos, 3.0),
}


def _antialiased(input, dim, new, factor, align_corners, mode):
    """Resize one dimension with a filter whose width is that of an output element."""
    old = input.size(dim)
    kernel, reach = _FILTERS[mode]
    if align_corners:
        scale = (old - 1) / (new - 1) if new > 1 else 0.0
    else:
        scale = 1.0 / factor if factor else old / new
    support = reach * max(scale, 1.0)
    shrink = 1.0 / max(scale, 1.0)
    rows = []
    for k in range(new):
        center = scale * (k + 0.5)
        start = max(int(center - support + 0.5), 0)
        end = min(int(center + support + 0.5), old)
        weights = [kernel((j - center + 0.5) * shrink) for j in range(start, end)]
        total = sum(weights) or 1.0
        rows.append([0.0] * start + [w / total for w in weights] + [0.0] * (old - max(end, start)))
    matrix = tensor(rows, dtype=input.dtype, device=input.device)
    return _ops.linear(input.transpose(dim, -1), matrix).transpose(dim, -1)


def _sizes(input, size, scale_factor, recompute):
    """Return the output sizes and the scale factors, None where the sizes determine them."""
    dims = input.dim() - 2
    here = list(input.size()[2:])
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if size is not None:
        if isinstance(size, (list, tuple)):
            if len(size) != dims:
                raise ValueError(
                    "Input and output must have the same number of spatial dimensions, but got "
                    f"input with spatial dimensions of {here} and output size of {size}. "
                    "Please provide input tensor in (N, C, d1, d2, ...,dK) format and "
                    "output size in (o1, o2, ...,oK) format."
                )
            try:
                whole = [index(n) for n in size]
            except TypeError:
                raise TypeError(
                    "expected size to be one of int or Tuple[int] or Tuple[int, int] or "
                    f"Tuple[int, int, int], but got size with types {[type(n) for n in size]}"
                ) from None
        else:
            whole = [index(size)] * dims
        if recompute:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
        return whole, [None] * dims
    if isinstance(scale_factor, (list, tuple)):
        if len(scale_factor) != dims:
            raise ValueError(
                "Input and scale_factor must have the same number of spatial dimensions, but "
                f"got input with spatial dimensions of {here} and scale_factor of shape "
                f"{scale_factor}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and "
                "scale_factor in (s1, s2, ...,sK) format."
            )
        factors = list(scale_factor)
    else:
        factors = [scale_factor] * dims
    new = [int(n * f) for n, f in zip(here, factors, strict=True)]
    return new, [None] * dims if recompute else factors


def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    """Resize images, lines or volumes.

    Parameters
    ----------
    input : Tensor
        (N, C, L), (N, C, H, W) or (N, C, D, H, W).
    size : int or tuple of int, optional
        The output size.
    scale_factor : float or tuple of float, optional
        The ratio of the output size to the input size.
    mode : str, default "nearest"
        "nearest", "nearest-exact" or "area", or depending on the number of dimensions "linear",
        "bilinear", "bicubic", "lanczos" or "trilinear".
    align_corners : bool, optional
        Align the centers of the corner elements of input and output.
    recompute_scale_factor : bool, optional
        Recompute the ratio from the rounded output size.
    antialias : bool, default False
        Average over the input elements when "bilinear" or "bicubic" shrinks an image; required by
        "lanczos".

    Returns
    -------
    Tensor
        (N, C, *size).

    Raises
    ------
    ValueError, NotImplementedError
        For incompatible arguments, or a mode that does not exist for the number of dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.functional.interpolate(torch.tensor([[[1.0, 2.0]]]), scale_factor=2)
    tensor([[[1., 1., 2., 2.]]])
    """
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | bilinear "
                "| bicubic | trilinear"
            )
    elif align_corners is None:
        align_corners = False
    new, factors = _sizes(
        input, size, scale_factor, recompute_scale_factor or mode == "area" and size is None
    )
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and input.dim() == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D "
            "tensor as input"
        )
    if input.dim() not in (3, 4, 5) or mode not in (*_NEEDED, "nearest", "nearest-exact", "area"):
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.dim()}D) for the "
            "modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact "
            f"(got {mode})"
        )
    if _NEEDED.get(mode, input.dim()) != input.dim():
        if mode in ("bicubic", "lanczos"):
            raise NotImplementedError(
                f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.dim()}D) for the "
                "modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | "
                f"nearest-exact (got {mode})"
            )
        raise NotImplementedError(
            f"Got {input.dim()}D input, but {mode} mode needs {_NEEDED[mode]}D input"
        )
    if mode == "area":
        pools = {3: _ops.adaptive_avg_pool1d, 4: adaptive_avg_pool2d, 5: adaptive_avg_pool3d}
        return pools[input.dim()](input, new)
    if mode == "lanczos" and align_corners:
        raise ValueError("Lanczos mode does not support align_corners=True")
    if mode == "lanczos" and not antialias:
        raise ValueError("Lanczos mode requires antialias=True")
    if not antialias and (mode.startswith("nearest") or input.dtype != _UINT8 or input.dim() != 4):
        operator = _OPERATORS[mode, input.dim() - 2]
        corners = () if mode.startswith("nearest") else (align_corners,)
        return operator(input, new, *corners, *factors)
    return filtered(input, new, factors, mode, antialias, align_corners)


def filtered(input, new, factors, mode, antialias, align_corners):
    """Resize images, one dimension after the other.

    Parameters
    ----------
    input : Tensor
        (N, C, H, W).
    new : sequence of int
        Height and width of the result.
    factors : sequence of float or None
        The scale factors; None where the sizes determine them.
    mode, antialias, align_corners
        See `interpolate`.
    """
    _check_sizes(input, new)
    _check_dtype(input)
    if not antialias:
        return _along_both(input, mode, antialias, new, factors, align_corners)
    return one_node(
        f"Upsample{mode.capitalize()}2DAaBackward0",
        _along_both,
        (input,),
        (mode, antialias, new, factors, align_corners),
        align_corners=align_corners,
        output_size=tuple(new),
        scales_h=factors[0],
        scales_w=factors[1],
        self_sym_sizes=tuple(input.size()),
    )


def _along_both(input, mode, antialias, new, factors, align_corners):
    result = input
    for dim in (3, 2):
        method = _one_dimension(mode, antialias, new[dim - 2], factors[dim - 2], align_corners)
        if input.dtype == _UINT8:
            result = _byte_upsampling.along(result, dim, method)
        else:
            result = method(result, dim)
    return laid_out_like(result, input)


_OPERATORS = {
    ("nearest", 1): _ops.upsample_nearest1d,
    ("nearest", 2): _ops.upsample_nearest2d,
    ("nearest", 3): _ops.upsample_nearest3d,
    **{
        ("nearest-exact", n): without_batching_rule(f"aten::_upsample_nearest_exact{n}d.vec")(
            getattr(_ops, f"_upsample_nearest_exact{n}d")
        )
        for n in (1, 2, 3)
    },
    ("linear", 1): _ops.upsample_linear1d,
    ("bilinear", 2): _ops.upsample_bilinear2d,
    ("trilinear", 3): _ops.upsample_trilinear3d,
    ("bicubic", 2): _ops.upsample_bicubic2d,
}


def _one_dimension(mode, antialias, wanted, factor, align_corners):
    """Return a function that resizes a tensor along a dimension."""
    if antialias:
        return lambda x, dim: _antialiased(x, dim, wanted, factor, align_corners, mode)
    method = _bicubic if mode == "bicubic" else _linear
    return lambda x, dim: method(x, dim, wanted, factor, align_corners)


def _check_sizes(input, new):
    height, width = input.size()[2:]
    if min(height, width, *new) <= 0:
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input (H: {height}, W: {width}) "
            f"output (H: {new[0]}, W: {new[1]})"
        )
    if input.numel() == 0 and input.size(1) == 0:
        raise RuntimeError(
            "Non-empty 4D data tensor expected but got a tensor with sizes "
            + str(list(input.size()))
        )


_UINT8 = _dtypes()["uint8"]
_FILTERED = (_dtypes()["float32"], _dtypes()["float64"], _UINT8)


def _check_dtype(input):
    """Raise NotImplementedError unless the dtype is float32, float64 or uint8."""
    if input.dtype not in _FILTERED:
        raise_not_implemented(input, "compute_index_ranges_weights")


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Resize lines, images or volumes, under the deprecated name of `interpolate`.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, L)``, ``(N, C, H, W)`` or ``(N, C, D, H, W)``.
    size : int or tuple of int, optional
        The size of the output; either this or `scale_factor` must be given.
    scale_factor : float or tuple of float, optional
    mode : {"nearest", "linear", "bilinear", "bicubic", "trilinear"}, default "nearest"
    align_corners : bool, optional
        The corner elements of input and output have the same places.

    Returns
    -------
    Tensor
        The number of dimensions and the dtype of `input`.

    Raises
    ------
    ValueError
        Unless exactly one of `size` and `scale_factor` is given.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.upsample(torch.tensor([[[1.0, 2.0]]]), scale_factor=2)
    tensor([[[1., 1., 2., 2.]]])
    """
    _warn("upsample", "interpolate")
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input, size=None, scale_factor=None):
    """Resize by repeating the nearest element, under the deprecated name of `interpolate`.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, L)``, ``(N, C, H, W)`` or ``(N, C, D, H, W)``.
    size : int or tuple of int, optional
        The size of the output; either this or `scale_factor` must be given.
    scale_factor : float or tuple of float, optional

    Returns
    -------
    Tensor
        The number of dimensions and the dtype of `input`.

    Raises
    ------
    ValueError
        Unless exactly one of `size` and `scale_factor` is given.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.upsample_nearest(torch.tensor([[[1.0, 2.0]]]), scale_factor=2)
    tensor([[[1., 1., 2., 2.]]])
    """
    _warn("upsample_nearest", "interpolate")
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    """Resize images by bilinear interpolation between aligned corners, under a deprecated name.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, H, W)``.
    size : int or tuple of int, optional
        The size of the output; either this or `scale_factor` must be given.
    scale_factor : float or tuple of float, optional

    Returns
    -------
    Tensor
        The number of dimensions and the dtype of `input`.

    Raises
    ------
    ValueError
        Unless exactly one of `size` and `scale_factor` is given.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.upsample_bilinear(torch.tensor([[[[1.0, 2.0]]]]), size=(1, 3))
    tensor([[[[1.0000, 1.5000, 2.0000]]]])
    """
    _warn("upsample_bilinear", "interpolate")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def _warn(old, new):
    warnings.warn(
        f"`nn.functional.{old}` is deprecated. Use `nn.functional.{new}` instead.", stacklevel=3
    )
