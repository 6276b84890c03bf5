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
    """Return the inverse of :func:`fft`.

    Parameters
    ----------
    input : Tensor
        Real, integer or complex.
    n : int, optional
        The number of points, by default the size of the input. Longer input is truncated, shorter input is
        padded with zeros.
    dim : int, default -1
        The dimension to transform.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Complex, with `n` elements along `dim`.

    Raises
    ------
    RuntimeError
        If the number of points is less than 1.
    IndexError
        If there is no dimension `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.ifft(torch.tensor([10 + 0j, -2 + 2j, -2 + 0j, -2 - 2j]))
    tensor([1.+0.j, 2.+0.j, 3.+0.j, 4.+0.j])
    """
    if input.is_complex():
        return _from_complex("ifft", input, n, dim, norm, out, False)
    return _from_real("ifft", input, n, dim, norm, out, False, False)


def rfft(input, n=None, dim=-1, norm=None, *, out=None):
    """Return the non-redundant half of the Fourier transform of real input.

    Parameters
    ----------
    input : Tensor
        Real or integer.
    n : int, optional
        The number of points, by default the size of the input. Longer input is truncated, shorter input is
        padded with zeros.
    dim : int, default -1
        The dimension to transform.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Complex, with ``n // 2 + 1`` elements along `dim`.

    Raises
    ------
    RuntimeError
        If the number of points is less than 1, or the input is complex.
    IndexError
        If there is no dimension `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.rfft(torch.tensor([1.0, 2.0, 3.0, 4.0]))
    tensor([10.+0.j, -2.+2.j, -2.+0.j])
    """
    return _from_real("rfft", input, n, dim, norm, out, True, True)


def irfft(input, n=None, dim=-1, norm=None, *, out=None):
    """Return the inverse of :func:`rfft`, which is real.

    Parameters
    ----------
    input : Tensor
        Complex, the first ``n // 2 + 1`` elements along `dim` of a Hermitian whole.
    n : int, optional
        The number of points of the result; by default ``2 * (m - 1)`` for m elements. Longer input is
        truncated, shorter input is padded with zeros.
    dim : int, default -1
        The dimension to transform.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Real, with `n` elements along `dim`.

    Raises
    ------
    RuntimeError
        If the number of points is less than 1.
    IndexError
        If there is no dimension `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.irfft(torch.tensor([10 + 0j, -2 + 2j, -2 + 0j]))
    tensor([1., 2., 3., 4.])
    """
    return _to_real("irfft", input, n, dim, norm, out, False)


def hfft(input, n=None, dim=-1, norm=None, *, out=None):
    """Return the Fourier transform of Hermitian input, which is real.

    Parameters
    ----------
    input : Tensor
        Complex, the first ``n // 2 + 1`` elements along `dim` of a Hermitian whole.
    n : int, optional
        The number of points of the result; by default ``2 * (m - 1)`` for m elements. Longer input is
        truncated, shorter input is padded with zeros.
    dim : int, default -1
        The dimension to transform.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Real, with `n` elements along `dim`.

    Raises
    ------
    RuntimeError
        If the number of points is less than 1.
    IndexError
        If there is no dimension `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.hfft(torch.tensor([1 + 0j, 2 + 0j, 3 + 0j]))
    tensor([ 8., -2.,  0., -2.])
    """
    return _to_real("hfft", input, n, dim, norm, out, True)


def ihfft(input, n=None, dim=-1, norm=None, *, out=None):
    """Return one half of the inverse of :func:`hfft`.

    Parameters
    ----------
    input : Tensor
        Real or integer.
    n : int, optional
        The number of points, by default the size of the input. Longer input is truncated, shorter input is
        padded with zeros.
    dim : int, default -1
        The dimension to transform.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Complex, with ``n // 2 + 1`` elements along `dim`.

    Raises
    ------
    RuntimeError
        If the number of points is less than 1, or the input is complex.
    IndexError
        If there is no dimension `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.ihfft(torch.tensor([1.0, 2.0, 3.0, 4.0]))
    tensor([ 2.5000-0.0000j, -0.5000-0.5000j, -0.5000-0.0000j])
    """
    return _from_real("ihfft", input, n, dim, norm, out, False, True)
