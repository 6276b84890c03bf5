"""Layers for quantization-aware training, which are absent."""

__all__: list[str] = []
