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
    """Return ``exp(-|n - center| / tau)``."""
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
    """Return half a period of a sine."""
    dtype = _checked("cosine", M, dtype, layout)
    if M == 0:
        return _short(M, dtype, requires_grad)
    step = math.pi / (M + 1 if not sym and M > 1 else M)
    return _finished(_points(step / 2, step, M, dtype).sin(), requires_grad)


def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return a Gaussian with the standard deviation `std` and the maximum 1."""
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
    """Return ``i0(sqrt(beta**2 - k**2)) / i0(beta)`` for k from -beta to beta."""
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
    """Return a triangle that is 0 at its ends."""
    dtype = _checked("bartlett", M, dtype, layout)
    if M <= 1:
        return _short(M, dtype, requires_grad)
    k = _points(-1, 2 / (M if not sym else M - 1), M, dtype)
    return _finished(1 - k.abs(), requires_grad)


def general_cosine(M, *, a, sym=True, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return the sum of ``(-1)**i a[i] cos(2 pi i n / (M - 1))`` over i.

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
    """Return ``alpha - (1 - alpha) cos(2 pi n / (M - 1))``."""
    return general_cosine(M, a=[alpha, 1.0 - alpha], sym=sym, dtype=dtype, layout=layout,
                          device=device, requires_grad=requires_grad)  # fmt: skip


def hamming(M, *, sym=True, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return Hamming's window: a raised cosine on a pedestal."""
    return general_hamming(M, sym=sym, dtype=dtype, layout=layout, device=device,
                           requires_grad=requires_grad)  # fmt: skip


def hann(M, *, sym=True, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return Hann's window: a raised cosine."""
    return general_hamming(M, alpha=0.5, sym=sym, dtype=dtype, layout=layout, device=device,
                           requires_grad=requires_grad)  # fmt: skip


def blackman(M, *, sym=True, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return Blackman's window: the sum of two cosines and a constant."""
    _checked("blackman", M, dtype, layout)
    return general_cosine(M, a=[0.42, 0.5, 0.08], sym=sym, dtype=dtype, layout=layout, device=device,
                          requires_grad=requires_grad)  # fmt: skip


def nuttall(M, *, sym=True, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return Nuttall's window: the sum of three cosines and a constant."""
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, dtype=dtype,
                          layout=layout, device=device, requires_grad=requires_grad)  # fmt: skip
