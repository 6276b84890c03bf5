"""Quantized layers, which are absent except for pooling."""

from minitorch.ao.nn.quantized import modules
from minitorch.nn.modules.pooling import MaxPool2d

__all__ = ["MaxPool2d", "modules"]
