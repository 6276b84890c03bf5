"""Switches of Intel's MKL."""

__all__ = ["VERBOSE_OFF", "VERBOSE_ON", "is_available", "verbose"]

VERBOSE_OFF = 0
VERBOSE_ON = 1


def is_available():
    """Return False: products are computed by SciPy's BLAS."""
    return False


class verbose:
    """Enable verbose output of MKL in a block; it has no effect."""

    def __init__(self, enable):
        self.enable = enable

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False
