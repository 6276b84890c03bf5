"""Transforms along one dimension."""

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.outputs import deliver
from minitorch.core.tensor_impl import maybe_wrap_dim
from minitorch.fft._common import (
    check_out,
    check_points,
    check_real,
    conjugate,
    norm_of,
    promoted,
    resized,
)

__all__ = ["fft", "hfft", "ifft", "ihfft", "irfft", "rfft"]


def _from_complex(name, input, n, dim, norm, out, forward):
    check_out(name, out, True)
    x = promoted(input, True)
    d = maybe_wrap_dim(dim, x.dim(), wrap_scalar=False)
    check_points(x.size(d) if n is None else n)
    if n is not None:
        x = resized(x, (d,), (n,))
    result = _rows._fft_c2c(x, (d,), norm_of(norm, forward), forward)
    return deliver("_fft_c2c", result, out)


def _from_real(name, input, n, dim, norm, out, forward, onesided):
    check_real(name, input)
    check_out(name, out, True)
    x = promoted(input, False)
    d = maybe_wrap_dim(dim, x.dim(), wrap_scalar=False)
    check_points(x.size(d) if n is None else n)
    if n is not None:
        x = resized(x, (d,), (n,))
    result = _rows._fft_r2c(x, (d,), norm_of(norm, forward), onesided)
    # the inverse transform of real input is the conjugate of the forward one
    return deliver("_fft_r2c", result if forward else conjugate(result, out), out)


def _to_real(name, input, n, dim, norm, out, forward):
    check_out(name, out, False)
    x = promoted(input, True)
    d = maybe_wrap_dim(dim, x.dim(), wrap_scalar=False)
    points = 2 * (x.size(d) - 1) if n is None else n
    check_points(points)
    if n is not None:
        x = resized(x, (d,), (n // 2 + 1,))
    if forward:
        x = x.conj()
    result = _rows._fft_c2r(x, (d,), norm_of(norm, forward), points)
    return deliver("_fft_c2r", result, out)


def fft(input, n=None, dim=-1, norm=None, *, out=None):
    """Return the discrete Fourier transform along one dimension.

    Parameters
    ----------
    input : Tensor
        Real or complex.
    n : int, optional
        The number of points. Longer input is truncated, shorter input is padded with zeros. By
        default the size of the input.
    dim : int
    norm : {"backward", "forward", "ortho"}, optional
    out : Tensor, optional

    Returns
    -------
    Tensor
        Complex, with `n` elements along `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.fft(torch.tensor([1.0, 2.0, 3.0, 4.0]))
    tensor([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    if input.is_complex():
        return _from_complex("fft", input, n, dim, norm, out, True)
    return _from_real("fft", input, n, dim, norm, out, True, False)


def ifft(input, n=None, dim=-1, norm=None, *, out=None):
    """Return the inverse of :func:`fft`; see there for the arguments."""
    if input.is_complex():
        return _from_complex("ifft", input, n, dim, norm, out, False)
    return _from_real("ifft", input, n, dim, norm, out, False, False)


def rfft(input, n=None, dim=-1, norm=None, *, out=None):
    """Return the half of the transform of real input that is not redundant.

    Returns
    -------
    Tensor
        Complex, with ``n // 2 + 1`` elements along `dim`.
    """
    return _from_real("rfft", input, n, dim, norm, out, True, True)


def irfft(input, n=None, dim=-1, norm=None, *, out=None):
    """Return the inverse of :func:`rfft`, which is real.

    Parameters
    ----------
    n : int, optional
        The number of points of the result. Default: ``2 * (m - 1)`` for an input of m elements.
    """
    return _to_real("irfft", input, n, dim, norm, out, False)


def hfft(input, n=None, dim=-1, norm=None, *, out=None):
    """Return the transform of Hermitian input given by one half, which is real."""
    return _to_real("hfft", input, n, dim, norm, out, True)


def ihfft(input, n=None, dim=-1, norm=None, *, out=None):
    """Return one half of the inverse of :func:`hfft`."""
    return _from_real("ihfft", input, n, dim, norm, out, False, True)
