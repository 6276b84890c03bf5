"""The operators once more: PyTorch's references, written in terms of primitive ones.

minitorch has no primitive operators; the name of a reference stands for the operator itself.
"""

import minitorch
from minitorch._refs import _conversions, fft, linalg, nn, special
from minitorch._tensor import Tensor

__all__ = ["_conversions", "fft", "linalg", "nn", "special"]

_FILLED_IN_PLACE = ("cauchy", "exponential", "geometric", "log_normal")


def _filled(name):
    def function(self, *args, **kwargs):
        return getattr(minitorch.empty_like(self), f"{name}_")(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"A new tensor like `self`, filled by ``Tensor.{name}_``."
    return function


def __getattr__(name):
    if name in _FILLED_IN_PLACE:
        return _filled(name)
    if not name.startswith("__"):
        for place in (minitorch, Tensor):
            if hasattr(place, name):
                return getattr(place, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
