"""`DistributedDataParallel`, under the module name of PyTorch."""

from minitorch.nn.parallel import DistributedDataParallel

__all__ = ["DistributedDataParallel"]
