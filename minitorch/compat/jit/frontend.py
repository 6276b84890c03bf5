"""TorchScript's parser, which is absent; its error classes can be imported."""

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
    """The program cannot be parsed."""


class NotSupportedError(FrontendError):
    """The program uses a feature that TorchScript does not support."""


class UnsupportedNodeError(NotSupportedError):
    """A statement is not part of TorchScript."""


class FrontendTypeError(FrontendError):
    """A type is not part of TorchScript."""


def get_default_args(fn):
    """Return the default values of a function's parameters by name."""
    if fn is None:
        return {}
    return {
        name: p.default
        for name, p in inspect.signature(fn).parameters.items()
        if p.default is not inspect.Parameter.empty
    }
