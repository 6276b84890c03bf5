"""Quantized layers, which are absent."""

from minitorch.ao.nn import qat, quantizable, quantized

__all__ = ["qat", "quantizable", "quantized"]
