"""Optimizers for several processes."""

from minitorch.distributed.optim.zero_redundancy_optimizer import ZeroRedundancyOptimizer
from minitorch.namespace.absent import Absent

__all__ = ["DistributedOptimizer", "PostLocalSGDOptimizer", "ZeroRedundancyOptimizer"]


class DistributedOptimizer(Absent):
    """Optimizer of remote parameters; absent."""


class PostLocalSGDOptimizer(Absent):
    """Optimizer with local steps and periodic averaging of parameters; absent."""
