"""Layers that can be quantized: there are none."""

__all__: list[str] = []
