"""Layers that are trained for quantization: there are none."""

from minitorch.ao.nn.qat import modules

__all__ = ["modules"]
