"""Layers of quantized numbers: there are none; pooling is the same for all numbers."""

from minitorch.ao.nn.quantized import modules
from minitorch.nn.modules.pooling import MaxPool2d

__all__ = ["MaxPool2d", "modules"]
