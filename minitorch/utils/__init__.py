"""Tools around training: batches of data, checkpoints, handles of hooks."""

from minitorch.utils import _pytree, checkpoint, deterministic, dlpack, hooks, serialization
from minitorch.utils._swap import swap_tensors

__all__ = ["checkpoint", "data", "dlpack", "hooks", "serialization", "set_module", "swap_tensors"]


def set_module(obj, mod):
    """Say that an object belongs to another module, given by its name."""
    if not isinstance(mod, str):
        raise TypeError("The mod argument should be a string")
    obj.__module__ = mod


def __getattr__(name):
    if name == "data":  # not every program loads data
        from importlib import import_module

        return import_module("minitorch.utils.data")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
