"""Quantized numbers."""

engine = "none"
supported_engines = ["none"]
