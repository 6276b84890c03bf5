"""OpenMP support of the kernels."""

from minitorch.kernels.common.parallel import OPENMP

__all__ = ["is_available"]


def is_available():
    """Return True if the kernels were built with OpenMP and can run on several threads."""
    return OPENMP
