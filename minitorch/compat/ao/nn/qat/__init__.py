"""Layers for quantization-aware training, which are absent."""

from minitorch.ao.nn.qat import modules

__all__ = ["modules"]
