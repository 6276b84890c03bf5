"""Short-time Fourier transforms of overlapping frames of a signal, and their inverse.

References
----------
Griffin and Lim 1984, "Signal estimation from modified short-time Fourier transform": the
overlapping frames are added and divided by the sum of the squared windows.
"""

from typing import Any

from minitorch._tensor import Tensor
from minitorch.autograd.by_sample import without_batching_rule
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.composed import parsed
from minitorch.autograd.functions.creation import ones
from minitorch.autograd.functions.signature_table import SIGNATURES
from minitorch.composed.comparisons import equal
from minitorch.core.once import warn_once
from minitorch.fft._common import BY_N, BY_ROOT_N, NONE, real_dtype
from minitorch.nn.functional import pad
from minitorch.parsing.parser import bind


def _warn_once(text):
    warn_once(text, stacklevel=4)  # beyond stft and _frames


def _shown_window(window):
    return "None" if window is None else f"{window.type()}{{{list(window.shape)}}}"


def _padded_window(window, win_length, n_fft, dtype):
    """Return the window padded with zeros to `n_fft` points, with the window in the middle."""
    if window is None:
        window = ones(win_length, dtype=dtype)
    if win_length < n_fft:
        left = (n_fft - win_length) // 2
        window = _rows.constant_pad_nd(window, [left, n_fft - win_length - left], 0)
    return window


def stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect",
         normalized=False, onesided=None, return_complex=None, align_to_window=None):  # fmt: skip
    """Return the Fourier transforms of overlapping frames of a signal.

    Parameters
    ----------
    input : Tensor
        The signal, or a batch of signals.
    n_fft : int
        The number of points per frame.
    hop_length : int, optional
        The distance between the starts of consecutive frames. Default: ``n_fft // 4``.
    win_length : int, optional
        The number of points of the window, which is centered in the frame. Default: `n_fft`.
    window : Tensor, optional
        The window by which frames are multiplied. Default: ones.
    center : bool
        Whether frames are centered at multiples of `hop_length` instead of starting there. The
        signal is padded accordingly.
    pad_mode : str
        The padding mode, see :func:`minitorch.nn.functional.pad`.
    normalized : bool
        Whether to divide by the square root of `n_fft`.
    onesided : bool, optional
        Whether to return only the half that is not redundant. By default True for real input.
    return_complex : bool, optional
        Whether to return complex numbers or pairs of real ones. Required for real input.
    align_to_window : bool, optional
        Without `center`: whether the window of the first frame, instead of the frame, starts at the
        beginning of the signal.

    Returns
    -------
    Tensor
        The transforms, of shape (batch, frequencies, frames).

    Raises
    ------
    RuntimeError
        If `input` is not a floating-point or complex signal of one or two dimensions, the window does
        not have `win_length` points, `hop_length` is not positive, or `return_complex` is not given
        for a real signal.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.stft(torch.ones(6), 4, window=torch.ones(4), center=False, return_complex=True)
    tensor([[4.+0.j, 4.+0.j, 4.+0.j],
            [0.+0.j, 0.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j, 0.+0.j]])
    """
    if align_to_window is not None and center:
        raise RuntimeError("stft align_to_window should only be set when center = false")
    if center:
        input = _padded(input, n_fft, pad_mode)
    arguments = (
        *(input, n_fft, hop_length, win_length, window),
        *(normalized, onesided, return_complex, align_to_window),
    )
    try:
        return _frames(*arguments)
    except TypeError:
        bind(SIGNATURES["stft"], arguments)  # names both forms
        raise


def _padded(input, n_fft, mode):
    shape = (1,) * (3 - input.dim()) + tuple(input.shape)
    padded = pad(input.view(shape), [n_fft // 2, n_fft // 2], mode)
    return padded.view(padded.shape[-input.dim() :])


def _frames(input, n_fft, hop_length=None, win_length=None, window=None, normalized=False, onesided=None,
            return_complex=None, align_to_window=None):  # fmt: skip
    if window is None:
        _warn_once(
            "A window was not provided. A rectangular window will be applied,which is known to cause "
            "spectral leakage. Other windows such as torch.hann_window or torch.hamming_window are "
            "recommended to reduce spectral leakage.To suppress this warning and use a rectangular window, "
            "explicitly set `window=torch.ones(n_fft, device=<device>)`."
        )
    hop = n_fft // 4 if hop_length is None else hop_length
    length = n_fft if win_length is None else win_length

    def check(condition, message):
        if not condition:
            flags = [
                "None" if flag is None else int(flag)
                for flag in (onesided, return_complex, align_to_window)
            ]
            raise RuntimeError(
                f"stft({input.type()}{list(input.shape)}, n_fft={n_fft}, hop_length={hop}, "
                f"win_length={length}, window={_shown_window(window)}, normalized={int(normalized)}, "
                f"onesided={flags[0]}, return_complex={flags[1]}, align_to_window={flags[2]}) : {message}"
            )

    is_complex = input.is_complex() or (window is not None and window.is_complex())
    as_complex = return_complex
    if return_complex is None:
        if not is_complex:
            raise RuntimeError(
                "stft requires the return_complex parameter be given for real inputs, and will further "
                "require that return_complex=True in a future PyTorch release."
            )
        as_complex = True
    elif not return_complex:
        _warn_once(
            "stft with return_complex=False is deprecated. In a future pytorch release, stft will return "
            "complex tensors for all inputs, and return_complex=False will raise an error.\n"
            "Note: you can still call torch.view_as_real on the complex output to recover the old return "
            "format."
        )
    check(
        input.is_floating_point() or input.is_complex(),
        "expected a tensor of floating point or complex values",
    )
    check(1 <= input.dim() <= 2, "expected a 1D or 2D tensor")
    x = input.unsqueeze(0) if input.dim() == 1 else input
    if align_to_window:
        left = (n_fft - length) // 2
        x = _rows.constant_pad_nd(x, [left, n_fft - length - left], 0)
    points = x.size(1)
    check(0 < n_fft <= points, f"expected 0 < n_fft < {points}, but got n_fft={n_fft}")
    check(hop > 0, f"expected hop_length > 0, but got hop_length={hop}")
    check(0 < length <= n_fft, f"expected 0 < win_length <= n_fft, but got win_length={length}")
    if window is not None:
        check(
            window.dim() == 1 and window.size(0) == length,
            f"expected a 1D window tensor of size equal to win_length={length}, but got window with size "
            f"{list(window.shape)}",
        )
    if is_complex and onesided:
        raise RuntimeError("Cannot have onesided output if window or input is complex")
    frames = 1 + (points - n_fft) // hop
    step = x.stride(1)
    x = x.as_strided((x.size(0), frames, n_fft), (x.stride(0), hop * step, step))
    if window is not None or length < n_fft:
        x = x * _padded_window(window, length, n_fft, real_dtype(x.dtype))
    norm = BY_ROOT_N if normalized else NONE
    if is_complex:
        result = _rows._fft_c2c(x, (2,), norm, True)
    else:
        result = _rows._fft_r2c(x, (2,), norm, True if onesided is None else onesided)
    result = result.transpose_(1, 2)
    if input.dim() == 1:
        result = result.squeeze_(0)
    return result if as_complex else _rows.view_as_real(result)


_frames = parsed(without_batching_rule("aten::stft")(_frames), SIGNATURES["stft"][1:])


def _stft(*args, **kwargs):
    """Call `stft` with PyTorch's native signatures, with or without `center` and `pad_mode`."""
    index, values = bind(SIGNATURES["stft"], args, kwargs)
    if index == 0:
        center, mode = values[5:7]
        del values[5:7]
        if center:
            values[0] = _padded(values[0], values[1], mode)
    return _frames(*values)


def istft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False,
          onesided=None, length=None, return_complex=False):  # fmt: skip
    """Return the signal whose :func:`stft` is closest to `input` in the least squares sense.

    Parameters
    ----------
    input : Tensor
        The transforms, complex, of shape (frequencies, frames) or (batch, frequencies, frames).
    n_fft : int
        The number of points per frame.
    hop_length : int, optional
        The distance between the starts of consecutive frames. Default: ``n_fft // 4``.
    win_length : int, optional
        The number of points of the window. Default: `n_fft`.
    window : Tensor, optional
        The window that was used by `stft`. Default: ones, with a warning.
    center : bool
        Whether the frames were centered at multiples of `hop_length`.
    normalized : bool
        Whether the transforms were divided by the square root of `n_fft`.
    onesided : bool, optional
        Whether `input` has only the half that is not redundant. By default, `n_fft` and the number of
        frequencies decide.
    length : int, optional
        The number of points of the signal.
    return_complex : bool
        Whether to return a complex signal.

    Returns
    -------
    Tensor
        (points,) or (batch, points); real unless `return_complex`.

    Raises
    ------
    RuntimeError
        If the overlapping windows leave gaps, `input` is real, or `hop_length` exceeds `win_length`.

    Examples
    --------
    >>> import minitorch as torch
    >>> window = torch.ones(4)
    >>> frames = torch.stft(torch.arange(8.0), 4, window=window, return_complex=True)
    >>> torch.allclose(torch.istft(frames, 4, window=window), torch.arange(8.0), atol=1e-5)
    True
    """
    if window is None:
        _warn_once(
            "A window was not provided. A rectangular window will be applied.Please provide the same "
            "window used by stft to make the inversion lossless.To suppress this warning and use a "
            "rectangular window, explicitly set `window=torch.ones(n_fft, device=<device>)`."
        )
    hop = n_fft // 4 if hop_length is None else hop_length
    window_points = n_fft if win_length is None else win_length
    kind = input.dtype._class_name
    shown = (
        f"istft(CPU{kind}Type{list(input.shape)}, n_fft={n_fft}, hop_length={hop}, "
        f"win_length={window_points}, window={_shown_window(window)}, center={int(center)}, "
        f"normalized={int(normalized)}, onesided={onesided if onesided is None else int(onesided)}, "
        f"length={length}, return_complex={int(return_complex)})"
    )

    def check(condition, message):
        if not condition:
            raise RuntimeError(f"{shown} : {message}")

    if not input.is_complex():
        raise RuntimeError(
            "istft requires a complex-valued input tensor matching the output from stft with "
            "return_complex=True."
        )
    pairs = _rows.view_as_real(input.resolve_conj())
    frames, frequencies = pairs.size(-2), pairs.size(-3)
    points = n_fft + hop * (frames - 1)
    check(pairs.numel() > 0, "input tensor cannot be empty.")
    check(3 <= pairs.dim() <= 4, f"expected a tensor with 3 or 4 dimensions, but got {pairs.dim()}")
    one_sided = frequencies != n_fft if onesided is None else onesided
    check(
        not one_sided or n_fft // 2 + 1 == frequencies,
        "expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 "
        f"when onesided=True, but got {frequencies}",
    )
    check(
        one_sided or n_fft == frequencies,
        "expected the frequency dimension (3rd to the last) of the input tensor to match n_fft when "
        f"onesided=False, but got {frequencies}",
    )
    check(0 < hop <= window_points, "expected 0 < hop_length <= win_length")
    check(0 < window_points <= n_fft, "expected 0 < win_length <= n_fft")
    if window is not None:
        check(
            window.dim() == 1 and window.size(0) == window_points,
            "Invalid window shape. window has to be 1D and length of `win_length`",
        )
    weights = _padded_window(window, window_points, n_fft, pairs.dtype)
    if pairs.dim() == 3:
        pairs = pairs.unsqueeze(0)
    x = _rows.view_as_complex(pairs.transpose(1, 2))
    norm = BY_ROOT_N if normalized else BY_N
    if return_complex:
        if one_sided:
            raise RuntimeError("Cannot have onesided output if window or input is complex")
        x = _rows._fft_c2c(x, (2,), norm, False)
    else:
        if weights.is_complex():
            raise RuntimeError("Complex windows are incompatible with return_complex=False")
        if not one_sided:
            x = x.narrow(2, 0, n_fft // 2 + 1)
        x = _rows._fft_c2r(x, (2,), norm, n_fft)
    x = x * weights.view(1, 1, n_fft)
    y = _rows.unfold_backward(x, (x.size(0), points), 1, n_fft, hop)
    squares = weights.pow(2).expand(1, frames, n_fft)
    envelope = _rows.unfold_backward(squares, (1, points), 1, n_fft, hop)
    start = n_fft // 2 if center else 0
    end = points
    if length is not None:
        end = start + length
    elif center:
        end = points - n_fft // 2
    y = _rows.slice(y, 1, start, end, 1)
    envelope = _rows.slice(envelope, 1, start, end, 1)
    lowest = envelope.abs().min() < 1e-11
    if equal(lowest, lowest.new_ones((), dtype=lowest.dtype)):
        raise RuntimeError(f"{shown} window overlap add min: 1\n[ CPUBoolType{{}} ]")
    y = y / envelope
    if input.dim() == 2:
        y = y.squeeze(0)
    if end > points:
        _warn_once(
            "The length of signal is shorter than the length parameter. Result is being padded with zeros "
            "in the tail. Please check your center and hop_length settings."
        )
        y = _rows.constant_pad_nd(y, [0, end - points], 0)
    return y


_as_tensor: Any = Tensor  # a class that may be given methods
_as_tensor.stft = stft
istft = parsed(istft, _rows.composed_functions["istft"])
_as_tensor.istft = istft
