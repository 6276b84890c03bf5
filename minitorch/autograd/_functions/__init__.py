"""Legacy functions: `Resize` and `Type`."""

from minitorch.autograd._functions.tensor import Resize, Type

__all__ = ["Resize", "Type"]
