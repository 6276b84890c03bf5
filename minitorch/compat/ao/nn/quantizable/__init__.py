"""Quantizable layers, which are absent."""

from minitorch.ao.nn.quantizable import modules

__all__ = ["modules"]
