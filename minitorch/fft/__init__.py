"""``torch.fft``: discrete Fourier transforms.

Every function checks its arguments, truncates or zero-pads the input to the given number of points,
and calls one of three operators of derivatives/, which contain the derivatives: ``_fft_r2c``
for real input, ``_fft_c2r`` for real output, and ``_fft_c2c`` otherwise.

Normalization
-------------
"backward" divides by the number of points in the inverse transform, "forward" in the forward
transform, and "ortho" divides by its square root in both.
"""

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.composed import parsed as _parsed
from minitorch.autograd.functions.overridable import override_namespace as _override
from minitorch.fft import _frequencies, _one, _several

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2", "ifftn",
    "ifftshift", "ihfft", "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq",
    "rfftn",
]  # fmt: skip


def _public(module, name):
    """Return a function behind PyTorch's argument parser, under the name ``fft_name``."""
    return _parsed(getattr(module, name), _rows.composed_functions[f"fft_{name}"])


for _module in (_one, _several, _frequencies):
    for _name in _module.__all__:
        globals()[_name] = _public(_module, _name)
del _module, _name
_override(globals(), __all__, "fft", torch_modules=("torch.fft", ""))
