"""The references of `torch.nn`."""

from minitorch._refs.nn import functional

__all__ = ["functional"]
