"""Quantized layers, which are absent."""

__all__: list[str] = []
