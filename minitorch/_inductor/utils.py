"""What the generator of kernels knows about devices."""

__all__ = ["GPU_TYPES"]

GPU_TYPES = ["cuda", "mps", "xpu", "mtia"]
