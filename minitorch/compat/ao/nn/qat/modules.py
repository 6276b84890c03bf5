"""Layers that are trained for quantization: there are none."""

__all__: list[str] = []
