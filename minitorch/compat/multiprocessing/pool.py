"""Python's process pool under PyTorch's name."""

from multiprocessing.pool import Pool

__all__ = ["Pool"]
