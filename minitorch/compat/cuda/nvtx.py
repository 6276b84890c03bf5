"""Marks for a profiler of NVIDIA's, which is not there."""

from contextlib import contextmanager

__all__ = ["mark", "range", "range_pop", "range_push"]

_MISSING = "NVTX functions not installed. Are you sure you have a CUDA build?"


def range_push(msg):
    """Raises RuntimeError."""
    raise RuntimeError(_MISSING)


def range_pop():
    """Raises RuntimeError."""
    raise RuntimeError(_MISSING)


def mark(msg):
    """Raises RuntimeError."""
    raise RuntimeError(_MISSING)


@contextmanager
def range(msg, *args, **kwargs):
    """Raises RuntimeError when it is entered; around a function, when that is called."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
