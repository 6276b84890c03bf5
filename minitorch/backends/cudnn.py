"""Switches of cuDNN, kept as they are set."""

from minitorch.backends._switches import switched

enabled = True
benchmark = False
benchmark_limit: int | None = None
deterministic = False
allow_tf32 = True


def is_available():
    """Whether there is a cuDNN: no."""
    return False


def is_acceptable(tensor):
    """Whether cuDNN can take a tensor: no."""
    return False


def version():
    """The version of cuDNN: None."""
    return None


def set_flags(
    _enabled=None, _benchmark=None, _benchmark_limit=None, _deterministic=None, _allow_tf32=None
):
    """Set switches, and return all as they were."""
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
    """A context in which the switches are set."""
    return switched(
        __name__,
        enabled=enabled,
        benchmark=benchmark,
        benchmark_limit=benchmark_limit,
        deterministic=deterministic,
        allow_tf32=allow_tf32,
    )
