"""Derivatives of Fourier transforms."""


def fft_r2c_backward(
    grad: Tensor, dim: "int[]", normalization: int, onesided: bool, sizes: "int[]"
) -> Tensor:
    """Return the real part of the inverse transform; a one-sided spectrum is zero-padded."""
    last = dim[len(dim) - 1]
    if onesided:
        missing = sizes[last] - grad.size(last)
        if missing > 0 and not (grad.is_plain() or computed_by_python(grad)):
            pad = (0, 0) * (len(sizes) - 1 - last) + (0, missing)
            grad = constant_pad_nd(grad, pad, 0)
        elif missing > 0:
            half = grad.size(last)
            whole = zeros_for(grad, grad.sizes()[:last] + (sizes[last],) + grad.sizes()[last + 1 :])
            copy_(slice(whole, last, 0, half, 1), grad, False)
            grad = whole
    return real(_fft_c2c(grad, dim, normalization, False))


def fft_c2r_backward(grad: Tensor, dim: "int[]", normalization: int) -> Tensor:
    """Transform back, doubling each point that also represents its mirror image."""
    last = dim[len(dim) - 1]
    once = _fft_r2c(grad, dim, normalization, True)
    doubled = grad.size(last) - once.size(last)
    if doubled <= 0:
        return once
    _mul_scalar_(slice(once, last, 1, 1 + doubled, 1), 2)
    return once
