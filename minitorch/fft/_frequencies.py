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
    """Return the frequencies of the elements of :func:`fft`.

    The first half is not negative, the second half is.

    Parameters
    ----------
    n : int
        The number of points of the transform.
    d : float, default 1.0
        The spacing of the samples.
    out : Tensor, optional
        The tensor to write the result into.
    dtype : dtype, optional
        By default `torch.get_default_dtype()`.
    device : device, optional
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(n,)``, in cycles per unit of `d`.

    Raises
    ------
    RuntimeError
        If `n` is negative.

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
    """Return the frequencies of the elements of :func:`rfft`.

    Parameters
    ----------
    n : int
        The number of points of the transform.
    d : float, default 1.0
        The spacing of the samples.
    out : Tensor, optional
        The tensor to write the result into.
    dtype : dtype, optional
        By default `torch.get_default_dtype()`.
    device : device, optional
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(n // 2 + 1,)``, in cycles per unit of `d`.

    Raises
    ------
    RuntimeError
        If `n` is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.rfftfreq(4)
    tensor([0.0000, 0.2500, 0.5000])
    """
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
    """Move the zero frequency from the beginning to the middle.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    dim : int or tuple of int, optional
        The dimensions to move along; by default all.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    IndexError
        If there is no dimension `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.fftshift(torch.fft.fftfreq(4))
    tensor([-0.5000, -0.2500,  0.0000,  0.2500])
    """
    dims = tuple(_dims(input, dim))
    return _rows.roll(input, [_size(input, d) // 2 for d in dims], dims)


def ifftshift(input, dim=None):
    """Undo :func:`fftshift`.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    dim : int or tuple of int, optional
        The dimensions to move along; by default all.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    IndexError
        If there is no dimension `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.ifftshift(torch.tensor([-0.5, -0.25, 0.0, 0.25]))
    tensor([ 0.0000,  0.2500, -0.5000, -0.2500])
    """
    dims = tuple(_dims(input, dim))
    return _rows.roll(input, [(_size(input, d) + 1) // 2 for d in dims], dims)


def _size(input, d):
    return input.size(d)
