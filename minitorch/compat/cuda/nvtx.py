"""Markers for NVIDIA's profiler, which is not supported."""

from contextlib import contextmanager

__all__ = ["mark", "range", "range_pop", "range_push"]

_MISSING = "NVTX functions not installed. Are you sure you have a CUDA build?"


def range_push(msg):
    """Raise RuntimeError."""
    raise RuntimeError(_MISSING)


def range_pop():
    """Raise RuntimeError."""
    raise RuntimeError(_MISSING)


def mark(msg):
    """Raise RuntimeError."""
    raise RuntimeError(_MISSING)


@contextmanager
def range(msg, *args, **kwargs):
    """Raise RuntimeError on entry, or, as a decorator, when the function is called."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
