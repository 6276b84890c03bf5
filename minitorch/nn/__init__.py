"""Layers, losses and their initial values."""

from minitorch.nn import functional

__all__ = ["functional"]
