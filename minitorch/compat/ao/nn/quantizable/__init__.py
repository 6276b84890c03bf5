"""Layers that can be quantized: there are none."""

from minitorch.ao.nn.quantizable import modules

__all__ = ["modules"]
