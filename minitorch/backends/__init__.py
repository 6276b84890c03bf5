"""Switches of PyTorch's backends, which programs set; they have no effect here."""

from minitorch.backends import (
    cpu,
    cuda,
    cudnn,
    cusparselt,
    mha,
    mkl,
    mkldnn,
    mps,
    nnpack,
    openmp,
    opt_einsum,
    python_native,
    quantized,
    xnnpack,
)

__all__ = [
    "cpu",
    "cuda",
    "cudnn",
    "cusparselt",
    "mha",
    "mkl",
    "mkldnn",
    "mps",
    "nnpack",
    "openmp",
    "opt_einsum",
    "python_native",
    "quantized",
    "xnnpack",
]

_frozen = False


def flags_frozen():
    """Return True if switches should be set by context managers only."""
    return _frozen


def disable_global_flags():
    """Note that switches should be set by ``with flags(...)`` only; assignments still work."""
    global _frozen
    _frozen = True
