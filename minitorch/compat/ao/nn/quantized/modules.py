"""Layers of quantized numbers: there are none."""

__all__: list[str] = []
