"""Names of what reads a program for TorchScript: it runs as Python here, and is not read."""

import inspect

from minitorch.namespace.absent import absent

__all__ = [
    "FrontendError",
    "FrontendTypeError",
    "NotSupportedError",
    "UnsupportedNodeError",
    "get_default_args",
    "get_jit_class_def",
    "get_jit_def",
]

get_jit_class_def = absent("torch.jit.frontend.get_jit_class_def")
get_jit_def = absent("torch.jit.frontend.get_jit_def")


class FrontendError(Exception):
    """A program that cannot be read."""


class NotSupportedError(FrontendError):
    """What it says is not part of TorchScript."""


class UnsupportedNodeError(NotSupportedError):
    """A statement that is not part of TorchScript."""


class FrontendTypeError(FrontendError):
    """A type that is not part of TorchScript."""


def get_default_args(fn):
    """The defaults of a function's arguments, by their names."""
    if fn is None:
        return {}
    return {
        name: p.default
        for name, p in inspect.signature(fn).parameters.items()
        if p.default is not inspect.Parameter.empty
    }
