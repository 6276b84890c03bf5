"""References of conversions to a dtype or to complex numbers."""

import minitorch
from minitorch._tensor import Tensor

complex = minitorch.complex
polar = minitorch.polar


def __getattr__(name):
    if not name.startswith("__") and hasattr(Tensor, name):
        return getattr(Tensor, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
