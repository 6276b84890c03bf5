"""Quantization and sparsity, which are absent."""

from minitorch.ao import nn, quantization

__all__ = ["nn", "quantization"]
