"""Switches of quantized kernels."""

engine = "none"
supported_engines = ["none"]
