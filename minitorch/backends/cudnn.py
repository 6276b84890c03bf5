"""Switches of cuDNN; they are stored without effect."""

from minitorch.backends._switches import switched

enabled = True
benchmark = False
benchmark_limit: int | None = None
deterministic = False
allow_tf32 = True


def is_available():
    """Return False, since there is no cuDNN."""
    return False


def is_acceptable(tensor):
    """Return False, since there is no cuDNN."""
    return False


def version():
    """Return None, since there is no cuDNN."""
    return None


def set_flags(
    _enabled=None, _benchmark=None, _benchmark_limit=None, _deterministic=None, _allow_tf32=None
):
    """Set switches, and return their previous values."""
    values = {
        "enabled": _enabled,
        "benchmark": _benchmark,
        "benchmark_limit": _benchmark_limit,
        "deterministic": _deterministic,
        "allow_tf32": _allow_tf32,
    }
    before = tuple(globals()[name] for name in values)
    globals().update({name: value for name, value in values.items() if value is not None})
    return before


def flags(
    enabled=False,
    benchmark=False,
    benchmark_limit=10,
    deterministic=False,
    allow_tf32=True,
    fp32_precision="none",
):
    """Return a context manager in which the switches are set."""
    return switched(
        __name__,
        enabled=enabled,
        benchmark=benchmark,
        benchmark_limit=benchmark_limit,
        deterministic=deterministic,
        allow_tf32=allow_tf32,
    )
