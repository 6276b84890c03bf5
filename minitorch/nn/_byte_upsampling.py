"""Images of bytes in another resolution, in integers.

PyTorch interpolates uint8 along the width and then along the height. The weights of a row are integers,
multiples of a power of two that keeps the largest of them in 16 bits, and each of the two passes rounds to
bytes. The method is that of the image library Pillow.
"""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import eye
from minitorch.autograd.grad_mode import no_grad
from minitorch.core.dtype import _dtypes

_FLOAT64, _INT64, _UINT8 = (_dtypes()[name] for name in ("float64", "int64", "uint8"))


def along(input, dim, interpolate_one):
    """`input`, of uint8, interpolated along one dimension.

    Parameters
    ----------
    input : Tensor
    dim : int
    interpolate_one : callable
        What does it for tensors of float64: ``interpolate_one(tensor, dim)``. Applied to an identity it gives
        the weights.
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
    """How many bits a weight has behind the point."""
    bits = 0
    while bits < 22 and int(0.5 + largest * (1 << (bits + 1))) < 1 << 15:
        bits += 1
    return bits
