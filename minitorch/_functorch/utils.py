"""Small helpers that PyTorch's transforms share."""

import contextlib

from minitorch._tensor import Tensor
from minitorch.autograd.levels import unwrap_dead

__all__ = [
    "argnums_t",
    "enable_single_level_autograd_function",
    "exposed_in",
    "unwrap_dead_wrappers",
]

argnums_t = int | tuple[int, ...]


@contextlib.contextmanager
def enable_single_level_autograd_function():
    """Do nothing: a `Function` may always be applied at a single level."""
    yield


def unwrap_dead_wrappers(args):
    """Return the arguments, with tensors of transforms that have ended replaced by their values."""
    return tuple(unwrap_dead(a) if isinstance(a, Tensor) else a for a in args)


def exposed_in(module):
    """Return a decorator that sets the module of a function."""

    def wrapper(fn):
        fn.__module__ = module
        return fn

    return wrapper
