"""`DistributedDataParallel`, by the module that PyTorch has it in."""

from minitorch.nn.parallel import DistributedDataParallel

__all__ = ["DistributedDataParallel"]
