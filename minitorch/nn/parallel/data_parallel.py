"""`DataParallel`, by the module that PyTorch has it in."""

from minitorch.nn.parallel import DataParallel

__all__ = ["DataParallel"]
