"""Transforms along several dimensions."""

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.outputs import deliver
from minitorch.core.tensor_impl import maybe_wrap_dim
from minitorch.fft._common import (
    check_out,
    check_points,
    check_real,
    norm_of,
    promoted,
    resized,
)

__all__ = [
    "fft2", "fftn", "hfft2", "hfftn", "ifft2", "ifftn", "ihfft2", "ihfftn", "irfft2", "irfftn", "rfft2",
    "rfftn",
]  # fmt: skip


def _points_and_dims(input, s, dim):
    """Return the numbers of points and the dimensions.

    The dimensions are `dim`, or else the last ``len(s)``, or else all.
    """
    ndim = input.dim()
    if dim is not None:
        dims = [maybe_wrap_dim(d, ndim, wrap_scalar=False) for d in dim]
        if len(set(dims)) < len(dims):
            raise RuntimeError("FFT dims must be unique")
    if s is not None:
        if dim is not None and len(dims) != len(s):
            raise RuntimeError("When given, dim and shape arguments must have the same length")
        if len(s) > ndim:
            raise RuntimeError(
                f"Got shape with {len(s)} values but input tensor only has {ndim} dimensions."
            )
        if dim is None:
            dims = list(range(ndim - len(s), ndim))
        points = [input.size(d) if n == -1 else n for n, d in zip(s, dims, strict=True)]
    else:
        if dim is None:
            dims = list(range(ndim))
        points = [input.size(d) for d in dims]
    for n in points:
        check_points(n)
    return points, dims


def _complex(input, s, dim, norm, out, forward):
    check_out("fftn", out, True)
    points, dims = _points_and_dims(input, s, dim)
    x = resized(promoted(input, True), dims, points)
    result = _rows._fft_c2c(x, dims, norm_of(norm, forward), forward)
    return deliver("_fft_c2c", result, out)


def _to_real_arguments(name, input, s, dim):
    """Return points and dimensions of a real transform, and the size of its last dimension.

    The last number of points is that of the half that is given.
    """
    points, dims = _points_and_dims(input, s, dim)
    if not dims:
        raise RuntimeError(f"{name} must transform at least one axis")
    last = 2 * (input.size(dims[-1]) - 1) if s is None or s[-1] == -1 else points[-1]
    check_points(last)
    points[-1] = last // 2 + 1
    return points, dims, last


def fftn(input, s=None, dim=None, norm=None, *, out=None):
    """Return the discrete Fourier transform along several dimensions.

    Parameters
    ----------
    input : Tensor
        Real, integer or complex.
    s : tuple of int, optional
        The numbers of points along these dimensions; -1 keeps a size. By default all sizes are kept.
    dim : tuple of int, optional
        The dimensions to transform; by default the last ``len(s)`` ones, or all.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Complex, with `s` elements along the dimensions.

    Raises
    ------
    RuntimeError
        If a number of points is less than 1, a dimension occurs twice, or `s` and `dim` differ in length.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.fftn(torch.ones(2, 2))
    tensor([[4.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    return _complex(input, s, dim, norm, out, True)


def ifftn(input, s=None, dim=None, norm=None, *, out=None):
    """Return the inverse Fourier transform along several dimensions.

    Parameters
    ----------
    input : Tensor
        Real, integer or complex.
    s : tuple of int, optional
        The numbers of points along these dimensions; -1 keeps a size. By default all sizes are kept.
    dim : tuple of int, optional
        The dimensions to transform; by default the last ``len(s)`` ones, or all.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Complex, with `s` elements along the dimensions.

    Raises
    ------
    RuntimeError
        If a number of points is less than 1, a dimension occurs twice, or `s` and `dim` differ in length.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.ifftn(torch.ones(2, 2))
    tensor([[1.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    return _complex(input, s, dim, norm, out, False)


def rfftn(input, s=None, dim=None, norm=None, *, out=None):
    """Return the non-redundant half of the Fourier transform of real input along several dimensions.

    Parameters
    ----------
    input : Tensor
        Real or integer.
    s : tuple of int, optional
        The numbers of points along these dimensions; -1 keeps a size. By default all sizes are kept.
    dim : tuple of int, optional
        The dimensions to transform; by default the last ``len(s)`` ones, or all.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Complex; the last dimension has ``s[-1] // 2 + 1`` elements.

    Raises
    ------
    RuntimeError
        If a number of points is less than 1, a dimension occurs twice, or `s` and `dim` differ in length,
        or the input is complex.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.rfftn(torch.ones(2, 2))
    tensor([[4.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    check_real("rfftn", input, "real-valued")
    check_out("rfftn", out, True)
    points, dims = _points_and_dims(input, s, dim)
    if not dims:
        raise RuntimeError("rfftn must transform at least one axis")
    x = resized(promoted(input, False), dims, points)
    result = _rows._fft_r2c(x, dims, norm_of(norm, True), True)
    return deliver("_fft_r2c", result, out)


def irfftn(input, s=None, dim=None, norm=None, *, out=None):
    """Return the inverse of the Fourier transform of real input along several dimensions, which is real.

    Parameters
    ----------
    input : Tensor
        Complex, half of a Hermitian whole along the last of the dimensions.
    s : tuple of int, optional
        The numbers of points of the result along these dimensions; -1 keeps a size. By default all sizes
        are kept; the last one
        is ``2 * (m - 1)`` for m elements.
    dim : tuple of int, optional
        The dimensions to transform; by default the last ``len(s)`` ones, or all.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Real, with `s` elements along the dimensions.

    Raises
    ------
    RuntimeError
        If a number of points is less than 1, a dimension occurs twice, or `s` and `dim` differ in length.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.irfftn(torch.ones(2, 2) + 0j)
    tensor([[1., 0.],
            [0., 0.]])
    """
    check_out("irfftn", out, False)
    points, dims, last = _to_real_arguments("irfftn", input, s, dim)
    x = resized(promoted(input, True), dims, points)
    result = _rows._fft_c2r(x, dims, norm_of(norm, False), last)
    return deliver("_fft_c2r", result, out)


def hfftn(input, s=None, dim=None, norm=None, *, out=None):
    """Return the Fourier transform of Hermitian input along several dimensions, which is real.

    Parameters
    ----------
    input : Tensor
        Complex, half of a Hermitian whole along the last of the dimensions.
    s : tuple of int, optional
        The numbers of points of the result along these dimensions; -1 keeps a size. By default all sizes
        are kept; the last one
        is ``2 * (m - 1)`` for m elements.
    dim : tuple of int, optional
        The dimensions to transform; by default the last ``len(s)`` ones, or all.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Real, with `s` elements along the dimensions.

    Raises
    ------
    RuntimeError
        If a number of points is less than 1, a dimension occurs twice, or `s` and `dim` differ in length.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.hfftn(torch.ones(2, 2) + 0j)
    tensor([[4., 0.],
            [0., 0.]])
    """
    check_out("hfftn", out, False)
    points, dims, last = _to_real_arguments("hfftn", input, s, dim)
    x = resized(promoted(input, True), dims, points)
    norm = norm_of(norm, True)
    if len(dims) > 1:
        x = _rows._fft_c2c(x, dims[:-1], norm, True)
    result = _rows._fft_c2r(x.conj(), dims[-1:], norm, last)
    return deliver("_fft_c2r", result, out)


def ihfftn(input, s=None, dim=None, norm=None, *, out=None):
    """Return half of the inverse Fourier transform of real input along several dimensions.

    Parameters
    ----------
    input : Tensor
        Real or integer.
    s : tuple of int, optional
        The numbers of points along these dimensions; -1 keeps a size. By default all sizes are kept.
    dim : tuple of int, optional
        The dimensions to transform; by default the last ``len(s)`` ones, or all.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Complex; the last dimension has ``s[-1] // 2 + 1`` elements.

    Raises
    ------
    RuntimeError
        If a number of points is less than 1, a dimension occurs twice, or `s` and `dim` differ in length,
        or the input is complex.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.ihfftn(torch.ones(2, 2))
    tensor([[1.-0.j, 0.-0.j],
            [0.+0.j, 0.+0.j]])
    """
    if input.is_complex():
        found = input.dtype._class_name
        raise RuntimeError(f"Only supports floating-point dtypes, but found: {found}")
    check_out("ihfftn", out, True)
    points, dims = _points_and_dims(input, s, dim)
    if not dims:
        raise RuntimeError("ihfftn must transform at least one axis")
    x = resized(promoted(input, False), dims, points)
    norm = norm_of(norm, False)
    half = _rows._fft_r2c(x, dims[-1:], norm, True)
    if len(dims) == 1:
        return deliver("_fft_r2c", half.conj(), out)
    result = _rows._fft_c2c(_rows.conj_physical(half), dims[:-1], norm, False)
    return deliver("_fft_c2c", result, out)


def fft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """Return the discrete Fourier transform along two dimensions.

    Parameters
    ----------
    input : Tensor
        Real, integer or complex.
    s : tuple of int, optional
        The numbers of points along these dimensions; -1 keeps a size. By default all sizes are kept.
    dim : tuple of int, default (-2, -1)
        The dimensions to transform.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Complex, with `s` elements along the dimensions.

    Raises
    ------
    RuntimeError
        If a number of points is less than 1, a dimension occurs twice, or `s` and `dim` differ in length.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.fft2(torch.ones(2, 2))
    tensor([[4.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    return fftn(input, s, dim, norm, out=out)


def ifft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """Return the inverse Fourier transform along two dimensions.

    Parameters
    ----------
    input : Tensor
        Real, integer or complex.
    s : tuple of int, optional
        The numbers of points along these dimensions; -1 keeps a size. By default all sizes are kept.
    dim : tuple of int, default (-2, -1)
        The dimensions to transform.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Complex, with `s` elements along the dimensions.

    Raises
    ------
    RuntimeError
        If a number of points is less than 1, a dimension occurs twice, or `s` and `dim` differ in length.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.ifft2(torch.ones(2, 2))
    tensor([[1.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    return ifftn(input, s, dim, norm, out=out)


def rfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """Return the non-redundant half of the Fourier transform of real input along two dimensions.

    Parameters
    ----------
    input : Tensor
        Real or integer.
    s : tuple of int, optional
        The numbers of points along these dimensions; -1 keeps a size. By default all sizes are kept.
    dim : tuple of int, default (-2, -1)
        The dimensions to transform.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Complex; the last dimension has ``s[-1] // 2 + 1`` elements.

    Raises
    ------
    RuntimeError
        If a number of points is less than 1, a dimension occurs twice, or `s` and `dim` differ in length,
        or the input is complex.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.rfft2(torch.ones(2, 2))
    tensor([[4.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    return rfftn(input, s, dim, norm, out=out)


def irfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """Return the inverse of the Fourier transform of real input along two dimensions, which is real.

    Parameters
    ----------
    input : Tensor
        Complex, half of a Hermitian whole along the last of the dimensions.
    s : tuple of int, optional
        The numbers of points of the result along these dimensions; -1 keeps a size. By default all sizes
        are kept; the last one
        is ``2 * (m - 1)`` for m elements.
    dim : tuple of int, default (-2, -1)
        The dimensions to transform.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Real, with `s` elements along the dimensions.

    Raises
    ------
    RuntimeError
        If a number of points is less than 1, a dimension occurs twice, or `s` and `dim` differ in length.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.irfft2(torch.ones(2, 2) + 0j)
    tensor([[1., 0.],
            [0., 0.]])
    """
    return irfftn(input, s, dim, norm, out=out)


def hfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """Return the Fourier transform of Hermitian input along two dimensions, which is real.

    Parameters
    ----------
    input : Tensor
        Complex, half of a Hermitian whole along the last of the dimensions.
    s : tuple of int, optional
        The numbers of points of the result along these dimensions; -1 keeps a size. By default all sizes
        are kept; the last one
        is ``2 * (m - 1)`` for m elements.
    dim : tuple of int, default (-2, -1)
        The dimensions to transform.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Real, with `s` elements along the dimensions.

    Raises
    ------
    RuntimeError
        If a number of points is less than 1, a dimension occurs twice, or `s` and `dim` differ in length.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.hfft2(torch.ones(2, 2) + 0j)
    tensor([[4., 0.],
            [0., 0.]])
    """
    return hfftn(input, s, dim, norm, out=out)


def ihfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """Return half of the inverse Fourier transform of real input along two dimensions.

    Parameters
    ----------
    input : Tensor
        Real or integer.
    s : tuple of int, optional
        The numbers of points along these dimensions; -1 keeps a size. By default all sizes are kept.
    dim : tuple of int, default (-2, -1)
        The dimensions to transform.
    norm : {"backward", "forward", "ortho"}, optional
        Divide by the number of points in the inverse transforms ("backward", the default), in the forward
        ones, or by its
        square root in both.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Complex; the last dimension has ``s[-1] // 2 + 1`` elements.

    Raises
    ------
    RuntimeError
        If a number of points is less than 1, a dimension occurs twice, or `s` and `dim` differ in length,
        or the input is complex.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fft.ihfft2(torch.ones(2, 2))
    tensor([[1.-0.j, 0.-0.j],
            [0.+0.j, 0.+0.j]])
    """
    return ihfftn(input, s, dim, norm, out=out)
