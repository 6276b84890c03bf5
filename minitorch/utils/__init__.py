"""Tools around training: checkpoints, handles of hooks."""

from minitorch.utils import checkpoint, hooks

__all__ = ["checkpoint", "hooks"]

from minitorch.utils import _pytree, dlpack

__all__ += ["dlpack", "set_module"]


def set_module(obj, mod):
    """Say that an object belongs to another module, given by its name."""
    if not isinstance(mod, str):
        raise TypeError("The mod argument should be a string")
    obj.__module__ = mod
