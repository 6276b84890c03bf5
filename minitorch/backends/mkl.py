"""Intel's MKL."""

__all__ = ["VERBOSE_OFF", "VERBOSE_ON", "is_available", "verbose"]

VERBOSE_OFF = 0
VERBOSE_ON = 1


def is_available():
    """Whether products are computed by it: no, by the BLAS that SciPy brings."""
    return False


class verbose:
    """Let MKL tell what it does, in a block; there is none, and nothing is told."""

    def __init__(self, enable):
        self.enable = enable

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False
