"""Switches of PyTorch's libraries, which programs set; nothing depends on them here."""

from minitorch.backends import cuda, cudnn, mps

__all__ = ["cuda", "cudnn", "mps"]
