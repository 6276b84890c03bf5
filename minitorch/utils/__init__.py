"""Tools around training: batches of data, checkpoints, handles of hooks."""

from minitorch.utils import _pytree, checkpoint, data, dlpack, hooks, serialization

__all__ = ["checkpoint", "data", "dlpack", "hooks", "serialization", "set_module"]


def set_module(obj, mod):
    """Say that an object belongs to another module, given by its name."""
    if not isinstance(mod, str):
        raise TypeError("The mod argument should be a string")
    obj.__module__ = mod
