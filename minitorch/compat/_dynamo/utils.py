"""Helpers of the compiler that packages import."""

import sys
import warnings
from collections import Counter, defaultdict

from minitorch._dynamo import config
from minitorch._logging import LazyString

__all__ = [
    "LazyString",
    "clone_input",
    "counters",
    "disable_cache_limit",
    "is_compile_supported",
    "warn_once",
]

# counts of compiler events; always empty
counters: defaultdict = defaultdict(Counter)

warn_once_cache: set[str] = set()


def warn_once(msg, stacklevel=1):
    """Issue a warning once per message, regardless of filters and location."""
    if msg not in warn_once_cache:
        warn_once_cache.add(msg)
        warnings.warn(msg, stacklevel=stacklevel + 1)


def is_compile_supported(device_type):
    """Return False: functions cannot be compiled for any device."""
    return False


def disable_cache_limit():
    """Return a context manager that lifts the limits on recompilation.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch._dynamo.utils.disable_cache_limit():
    ...     torch._dynamo.config.recompile_limit > 8
    True
    """
    return config.patch(
        recompile_limit=sys.maxsize,
        accumulated_recompile_limit=sys.maxsize,
        cache_size_limit=sys.maxsize,
        accumulated_cache_size_limit=sys.maxsize,
    )


def clone_input(x, *, dtype=None):
    """Copy a tensor into new memory with the same strides.

    If `x` is a leaf, `requires_grad` and ``grad`` are copied too.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._dynamo.utils import clone_input
    >>> clone_input(torch.ones(2, 3).t()).stride()
    (1, 3)
    """
    import minitorch

    with minitorch.no_grad():
        y = minitorch.empty_strided(
            x.size(), x.stride(), dtype=dtype or x.dtype, device=x.device
        ).copy_(x)
    if x.is_leaf:
        y.requires_grad_(x.requires_grad)
        if x.grad is not None:
            y.grad = clone_input(x.grad, dtype=dtype)
    return y
