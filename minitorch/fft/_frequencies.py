"""The sample frequencies of a transform, and shifts of the zero frequency."""

import math

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import arange
from minitorch.tensors.type_info import get_default_dtype

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]


def _checked(name, dtype, out):
    dtype = dtype or (get_default_dtype() if out is None else out.dtype)
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(f"{name} requires a floating point or complex dtype")
    return dtype


def _step(n, d):
    return 1 / (n * d) if n * d else math.inf


def _finished(result, requires_grad, out):
    if out is not None:
        return _rows.conj_physical(result.conj(), out=out)
    return result.requires_grad_() if requires_grad else result


def fftfreq(n, d=1.0, *, out=None, dtype=None, device=None, requires_grad=False):
    """Return the frequencies of the `n` elements of :func:`fft`, for a sample spacing of `d`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.fftfreq(4)
    tensor([ 0.0000,  0.2500, -0.5000, -0.2500])
    """
    dtype = _checked("fftfreq", dtype, out)
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    made = {"dtype": dtype, "device": device}
    parts = [arange((n + 1) // 2, **made), arange(-(n // 2), 0, **made)]
    return _finished(_rows.cat(parts).mul_(_step(n, d)), requires_grad, out)


def rfftfreq(n, d=1.0, *, out=None, dtype=None, device=None, requires_grad=False):
    """Return the frequencies of the ``n // 2 + 1`` elements of :func:`rfft`."""
    dtype = _checked("rfftfreq", dtype, out)
    if n // 2 + 1 < 0:
        raise RuntimeError(
            f"Trying to create tensor with negative dimension {n // 2 + 1}: [{n // 2 + 1}]"
        )
    result = arange(n // 2 + 1, dtype=dtype, device=device).mul_(_step(n, d))
    return _finished(result, requires_grad, out)


def _dims(input, dim):
    return range(input.dim()) if dim is None else dim


def fftshift(input, dim=None):
    """Move the zero frequency to the middle."""
    dims = tuple(_dims(input, dim))
    return _rows.roll(input, [_size(input, d) // 2 for d in dims], dims)


def ifftshift(input, dim=None):
    """Undo :func:`fftshift`."""
    dims = tuple(_dims(input, dim))
    return _rows.roll(input, [(_size(input, d) + 1) // 2 for d in dims], dims)


def _size(input, d):
    return input.size(d)
