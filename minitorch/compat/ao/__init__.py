"""Numbers of few bits, and layers with few weights: the places in which programs look. Nothing is there."""

from minitorch.ao import nn, quantization

__all__ = ["nn", "quantization"]
