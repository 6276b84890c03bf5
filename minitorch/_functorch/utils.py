"""Small things that the transforms of PyTorch share."""

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
    """A `Function` may be applied at one level inside; here it always may."""
    yield


def unwrap_dead_wrappers(args):
    """The arguments, with what tensors of transforms that were left stand for."""
    return tuple(unwrap_dead(a) if isinstance(a, Tensor) else a for a in args)


def exposed_in(module):
    """A decorator that says that a function belongs to another module."""

    def wrapper(fn):
        fn.__module__ = module
        return fn

    return wrapper
