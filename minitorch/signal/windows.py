"""Window functions: weights for the points of a frame of a signal.

All take the number of points `M`; whether the window is symmetric (`sym`, for filters) or one
period of a periodic one (for Fourier transforms); and a dtype, float32 or float64.

References
----------
Harris 1978, "On the use of windows for harmonic analysis with the discrete Fourier transform";
Nuttall 1981, "Some windows with very good sidelobe behavior"; Kaiser and Schafer 1980.
"""

import math
from collections.abc import Iterable

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import arange, linspace, ones
from minitorch.autograd.functions.creation import empty_ as empty
from minitorch.autograd.functions.from_data import tensor
from minitorch.core.types import strided
from minitorch.tensors.type_info import get_default_dtype

__all__ = [
    "bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming",
    "hamming", "hann", "kaiser", "nuttall",
]  # fmt: skip


def _checked(name, M, dtype, layout):
    """Return the dtype of a window; raise ValueError for invalid arguments."""
    if M < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={M}")
    if layout is not strided:
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    dtype = get_default_dtype() if dtype is None else dtype
    if str(dtype) not in ("torch.float32", "torch.float64"):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    return dtype


def _finished(window, requires_grad):
    return window.requires_grad_() if requires_grad else window


def _short(M, dtype, requires_grad):
    """Return the window of zero points or of one, which is 1."""
    make = ones if M else empty
    return make((M,), dtype=dtype, requires_grad=requires_grad)


def _points(start, step, M, dtype):
    """Return the `M` points start, start + step, ..."""
    return linspace(start, start + (M - 1) * step, M, dtype=dtype)


def exponential(M, *, center=None, tau=1.0, sym=True, dtype=None, layout=strided, device=None,
                requires_grad=False):  # fmt: skip
    """Return a window that falls off exponentially on both sides of its center.

    Parameters
    ----------
    M : int
        The number of points, at least 0.
    center : float, optional
        By default the middle. Only if `sym` is false.
    tau : float, default 1.0
        Must be positive.
    sym : bool, default True
        Make the window symmetric, as for filters; otherwise it is one period of a periodic window, as for
        Fourier
        transforms.
    dtype : dtype, optional
        torch.float32 or torch.float64; by default `torch.get_default_dtype()`.
    layout : layout, default torch.strided
    device : device, optional
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(M,)``.

    Raises
    ------
    ValueError
        If `M` is negative, or another dtype or layout is given, if `tau` is not positive, or if a `center`
        is given for a symmetric window.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.signal.windows.exponential(5)
    tensor([0.1353, 0.3679, 1.0000, 0.3679, 0.1353])
    """
    dtype = _checked("exponential", M, dtype, layout)
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    if M == 0:
        return _short(M, dtype, requires_grad)
    if center is None:
        center = (M if not sym and M > 1 else M - 1) / 2.0
    k = _points(-center / tau, 1 / tau, M, dtype)
    return _finished((-k.abs()).exp(), requires_grad)


def cosine(M, *, sym=True, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return half a period of a sine.

    Parameters
    ----------
    M : int
        The number of points, at least 0.
    sym : bool, default True
        Make the window symmetric, as for filters; otherwise it is one period of a periodic window, as for
        Fourier
        transforms.
    dtype : dtype, optional
        torch.float32 or torch.float64; by default `torch.get_default_dtype()`.
    layout : layout, default torch.strided
    device : device, optional
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(M,)``.

    Raises
    ------
    ValueError
        If `M` is negative, or another dtype or layout is given.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.signal.windows.cosine(5)
    tensor([0.3090, 0.8090, 1.0000, 0.8090, 0.3090])
    """
    dtype = _checked("cosine", M, dtype, layout)
    if M == 0:
        return _short(M, dtype, requires_grad)
    step = math.pi / (M + 1 if not sym and M > 1 else M)
    return _finished(_points(step / 2, step, M, dtype).sin(), requires_grad)


def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return a Gaussian with maximum 1.

    Parameters
    ----------
    M : int
        The number of points, at least 0.
    std : float, default 1.0
        The standard deviation, in points. Must be positive.
    sym : bool, default True
        Make the window symmetric, as for filters; otherwise it is one period of a periodic window, as for
        Fourier
        transforms.
    dtype : dtype, optional
        torch.float32 or torch.float64; by default `torch.get_default_dtype()`.
    layout : layout, default torch.strided
    device : device, optional
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(M,)``.

    Raises
    ------
    ValueError
        If `M` is negative, or another dtype or layout is given, or if `std` is not positive.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.signal.windows.gaussian(5)
    tensor([0.1353, 0.6065, 1.0000, 0.6065, 0.1353])
    """
    dtype = _checked("gaussian", M, dtype, layout)
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    if M == 0:
        return _short(M, dtype, requires_grad)
    step = 1 / (std * math.sqrt(2))
    k = _points(-(M if not sym and M > 1 else M - 1) / 2.0 * step, step, M, dtype)
    return _finished((-(k**2)).exp(), requires_grad)


def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=strided, device=None,
           requires_grad=False):  # fmt: skip
    """Return ``i0(sqrt(beta**2 - k**2)) / i0(beta)`` for k from -beta to beta.

    Parameters
    ----------
    M : int
        The number of points, at least 0.
    beta : float, default 12.0
        The larger, the narrower. Must not be negative.
    sym : bool, default True
        Make the window symmetric, as for filters; otherwise it is one period of a periodic window, as for
        Fourier
        transforms.
    dtype : dtype, optional
        torch.float32 or torch.float64; by default `torch.get_default_dtype()`.
    layout : layout, default torch.strided
    device : device, optional
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(M,)``.

    Raises
    ------
    ValueError
        If `M` is negative, or another dtype or layout is given, or if `beta` is negative.

    References
    ----------
    J. Kaiser and R. Schafer, On the use of the I0-sinh window for spectrum analysis, 1980.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.signal.windows.kaiser(5)
    tensor([5.2773e-05, 2.1567e-01, 1.0000e+00, 2.1567e-01, 5.2773e-05])
    """
    dtype = _checked("kaiser", M, dtype, layout)
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    if M <= 1:
        return _short(M, dtype, requires_grad)
    beta = tensor(beta, dtype=dtype)
    step = 2.0 * beta / (M if not sym else M - 1)
    end = _rows.minimum(beta, -beta + (M - 1) * step)
    k = linspace(-beta, end, M, dtype=dtype)
    return _finished(_rows.i0((beta * beta - k**2).sqrt()) / _rows.i0(beta), requires_grad)


def bartlett(M, *, sym=True, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return a triangle that is 0 at its ends.

    Parameters
    ----------
    M : int
        The number of points, at least 0.
    sym : bool, default True
        Make the window symmetric, as for filters; otherwise it is one period of a periodic window, as for
        Fourier
        transforms.
    dtype : dtype, optional
        torch.float32 or torch.float64; by default `torch.get_default_dtype()`.
    layout : layout, default torch.strided
    device : device, optional
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(M,)``.

    Raises
    ------
    ValueError
        If `M` is negative, or another dtype or layout is given.

    References
    ----------
    F. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.signal.windows.bartlett(5)
    tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
    dtype = _checked("bartlett", M, dtype, layout)
    if M <= 1:
        return _short(M, dtype, requires_grad)
    k = _points(-1, 2 / (M if not sym else M - 1), M, dtype)
    return _finished(1 - k.abs(), requires_grad)


def general_cosine(M, *, a, sym=True, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return the sum of ``(-1)**i * a[i] * cos(2 * pi * i * n / (M - 1))`` over i.

    Parameters
    ----------
    M : int
        The number of points, at least 0.
    a : sequence of float
        The coefficients.
    sym : bool, default True
        Make the window symmetric, as for filters; otherwise it is one period of a periodic window, as for
        Fourier
        transforms.
    dtype : dtype, optional
        torch.float32 or torch.float64; by default `torch.get_default_dtype()`.
    layout : layout, default torch.strided
    device : device, optional
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(M,)``.

    Raises
    ------
    ValueError
        If `M` is negative, or another dtype or layout is given, or if `a` is empty.
    TypeError
        If `a` is no sequence.

    References
    ----------
    F. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.signal.windows.general_cosine(5, a=[0.5, 0.5])
    tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
    dtype = _checked("general_cosine", M, dtype, layout)
    if M <= 1:
        return _short(M, dtype, requires_grad)
    if not isinstance(a, Iterable):
        raise TypeError("Coefficients must be a list/tuple")
    if not a:
        raise ValueError("Coefficients cannot be empty")
    k = _points(0, 2 * math.pi / (M if not sym else M - 1), M, dtype)
    weights = tensor([(-1) ** i * w for i, w in enumerate(a)], dtype=dtype)
    order = arange(weights.shape[0], dtype=dtype).unsqueeze(-1)
    return _finished((weights.unsqueeze(-1) * (order * k).cos()).sum(0), requires_grad)


def general_hamming(M, *, alpha=0.54, sym=True, dtype=None, layout=strided, device=None,
                    requires_grad=False):  # fmt: skip
    """Return ``alpha - (1 - alpha) * cos(2 * pi * n / (M - 1))``.

    Parameters
    ----------
    M : int
        The number of points, at least 0.
    alpha : float, default 0.54
    sym : bool, default True
        Make the window symmetric, as for filters; otherwise it is one period of a periodic window, as for
        Fourier
        transforms.
    dtype : dtype, optional
        torch.float32 or torch.float64; by default `torch.get_default_dtype()`.
    layout : layout, default torch.strided
    device : device, optional
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(M,)``.

    Raises
    ------
    ValueError
        If `M` is negative, or another dtype or layout is given.

    References
    ----------
    F. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.signal.windows.general_hamming(5)
    tensor([0.0800, 0.5400, 1.0000, 0.5400, 0.0800])
    """
    return general_cosine(M, a=[alpha, 1.0 - alpha], sym=sym, dtype=dtype, layout=layout,
                          device=device, requires_grad=requires_grad)  # fmt: skip


def hamming(M, *, sym=True, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return Hamming's window, a raised cosine on a pedestal.

    Parameters
    ----------
    M : int
        The number of points, at least 0.
    sym : bool, default True
        Make the window symmetric, as for filters; otherwise it is one period of a periodic window, as for
        Fourier
        transforms.
    dtype : dtype, optional
        torch.float32 or torch.float64; by default `torch.get_default_dtype()`.
    layout : layout, default torch.strided
    device : device, optional
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(M,)``.

    Raises
    ------
    ValueError
        If `M` is negative, or another dtype or layout is given.

    References
    ----------
    F. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.signal.windows.hamming(5)
    tensor([0.0800, 0.5400, 1.0000, 0.5400, 0.0800])
    """
    return general_hamming(M, sym=sym, dtype=dtype, layout=layout, device=device,
                           requires_grad=requires_grad)  # fmt: skip


def hann(M, *, sym=True, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return Hann's window, a raised cosine.

    Parameters
    ----------
    M : int
        The number of points, at least 0.
    sym : bool, default True
        Make the window symmetric, as for filters; otherwise it is one period of a periodic window, as for
        Fourier
        transforms.
    dtype : dtype, optional
        torch.float32 or torch.float64; by default `torch.get_default_dtype()`.
    layout : layout, default torch.strided
    device : device, optional
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(M,)``.

    Raises
    ------
    ValueError
        If `M` is negative, or another dtype or layout is given.

    References
    ----------
    F. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.signal.windows.hann(5)
    tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
    return general_hamming(M, alpha=0.5, sym=sym, dtype=dtype, layout=layout, device=device,
                           requires_grad=requires_grad)  # fmt: skip


def blackman(M, *, sym=True, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return Blackman's window, the sum of two cosines and a constant.

    Parameters
    ----------
    M : int
        The number of points, at least 0.
    sym : bool, default True
        Make the window symmetric, as for filters; otherwise it is one period of a periodic window, as for
        Fourier
        transforms.
    dtype : dtype, optional
        torch.float32 or torch.float64; by default `torch.get_default_dtype()`.
    layout : layout, default torch.strided
    device : device, optional
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(M,)``.

    Raises
    ------
    ValueError
        If `M` is negative, or another dtype or layout is given.

    References
    ----------
    F. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.signal.windows.blackman(5)
    tensor([-1.4901e-08,  3.4000e-01,  1.0000e+00,  3.4000e-01, -1.4901e-08])
    """
    _checked("blackman", M, dtype, layout)
    return general_cosine(M, a=[0.42, 0.5, 0.08], sym=sym, dtype=dtype, layout=layout, device=device,
                          requires_grad=requires_grad)  # fmt: skip


def nuttall(M, *, sym=True, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return Nuttall's window, the sum of three cosines and a constant.

    Parameters
    ----------
    M : int
        The number of points, at least 0.
    sym : bool, default True
        Make the window symmetric, as for filters; otherwise it is one period of a periodic window, as for
        Fourier
        transforms.
    dtype : dtype, optional
        torch.float32 or torch.float64; by default `torch.get_default_dtype()`.
    layout : layout, default torch.strided
    device : device, optional
    requires_grad : bool, default False

    Returns
    -------
    Tensor
        The shape ``(M,)``.

    Raises
    ------
    ValueError
        If `M` is negative, or another dtype or layout is given.

    References
    ----------
    A. Nuttall, Some windows with very good sidelobe behavior, 1981.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.signal.windows.nuttall(5)
    tensor([3.6280e-04, 2.2698e-01, 1.0000e+00, 2.2698e-01, 3.6280e-04])
    """
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, dtype=dtype,
                          layout=layout, device=device, requires_grad=requires_grad)  # fmt: skip
