"""PyTorch's reference implementations, which are the ordinary operators here.

PyTorch writes them in terms of primitive operators, which minitorch does not have.
"""

import operator

import minitorch
from minitorch._refs import _conversions, fft, linalg, nn, special
from minitorch._refs._outputs import found_in
from minitorch._tensor import Tensor

__all__ = ["_conversions", "fft", "linalg", "nn", "special"]

_FILLED_IN_PLACE = ("cauchy", "exponential", "geometric", "log_normal")
_operator = found_in(minitorch, "diag_embed diagonal_scatter fill isfinite isinf isnan isreal")


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
        if hasattr(minitorch, name):
            return _operator(name)
        if hasattr(Tensor, name):
            found = getattr(Tensor, name)
            return found if callable(found) else operator.attrgetter(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
