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
    # the transform back is the conjugate of the one forward
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
    """The transform along one dimension.

    Parameters
    ----------
    input : Tensor
        Real or complex.
    n : int, optional
        Number of points: what is longer is cut, what is shorter gets zeros. Default: all there are.
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
    """The inverse of :func:`fft`, with its arguments."""
    if input.is_complex():
        return _from_complex("ifft", input, n, dim, norm, out, False)
    return _from_real("ifft", input, n, dim, norm, out, False, False)


def rfft(input, n=None, dim=-1, norm=None, *, out=None):
    """The transform of real numbers, without the half that is the conjugate of the other.

    Returns
    -------
    Tensor
        Complex, with ``n // 2 + 1`` elements along `dim`.
    """
    return _from_real("rfft", input, n, dim, norm, out, True, True)


def irfft(input, n=None, dim=-1, norm=None, *, out=None):
    """The inverse of :func:`rfft`: real numbers.

    Parameters
    ----------
    n : int, optional
        Number of points of the result. Default: ``2 * (m - 1)`` for m elements.
    """
    return _to_real("irfft", input, n, dim, norm, out, False)


def hfft(input, n=None, dim=-1, norm=None, *, out=None):
    """The transform of what is its own conjugate mirror image, given by one half: real numbers."""
    return _to_real("hfft", input, n, dim, norm, out, True)


def ihfft(input, n=None, dim=-1, norm=None, *, out=None):
    """The inverse of :func:`hfft`: one half."""
    return _from_real("ihfft", input, n, dim, norm, out, False, True)
