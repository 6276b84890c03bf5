"""Interpolation of uint8 images in integer arithmetic.

PyTorch interpolates uint8 along the width and then along the height. The weights are integers:
multiples of a power of two, chosen so that the largest weight fits in 16 bits. Each of the two
passes rounds to bytes. The method comes from the image library Pillow.
"""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import eye
from minitorch.autograd.grad_mode import no_grad
from minitorch.core.dtype import _dtypes

_FLOAT64, _INT64, _UINT8 = (_dtypes()[name] for name in ("float64", "int64", "uint8"))


def along(input, dim, interpolate_one):
    """Interpolate a uint8 tensor along one dimension.

    Parameters
    ----------
    input : Tensor
    dim : int
    interpolate_one : callable
        Interpolates a float64 tensor: ``interpolate_one(tensor, dim)``. Applied to an identity
        matrix, it returns the weights.
    """
    with no_grad():
        weights = interpolate_one(eye(input.size(dim), dtype=_FLOAT64), 1)
        bits = _precision(weights.max().item())
        half = 1 << (bits - 1)
        whole = (weights * (1 << bits) + 0.5 * weights.sign()).to(_INT64)
        rows = input.transpose(dim, -1).to(_INT64)
        sums = _ops.matmul(rows, whole) + half
        return (sums >> bits).clamp(0, 255).to(_UINT8).transpose(dim, -1)


def _precision(largest):
    """Return the number of fractional bits of a weight."""
    bits = 0
    while bits < 22 and int(0.5 + largest * (1 << (bits + 1))) < 1 << 15:
        bits += 1
    return bits
