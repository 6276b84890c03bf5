"""The PyTorch version that this package reproduces, and its CPU-only build settings."""

from minitorch.utils._version_numbers import VERSION as __version__

__all__ = ["__version__", "cuda", "debug", "git_version", "hip", "rocm", "xpu"]

debug = False
cuda: str | None = None
git_version = "0.1.0"
hip: str | None = None
rocm: str | None = None
xpu: str | None = None
