"""Whether Triton's kernels can run."""

from importlib.util import find_spec

__all__ = ["has_triton", "has_triton_package"]


def has_triton_package():
    """Whether the package is installed."""
    return find_spec("triton") is not None


def has_triton():
    """Whether its kernels can run: there is no device for them."""
    return False
