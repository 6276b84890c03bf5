"""Switches of PyTorch's libraries, which programs set; nothing depends on them here."""

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
    """Whether switches are to be set by blocks alone."""
    return _frozen


def disable_global_flags():
    """Say that switches will be set by blocks alone, ``with flags(...)``; assignments are not refused."""
    global _frozen
    _frozen = True
