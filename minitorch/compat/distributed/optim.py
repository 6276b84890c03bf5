"""Distributed optimizers, which are absent."""

from minitorch.namespace.absent import Absent

__all__ = ["DistributedOptimizer", "PostLocalSGDOptimizer", "ZeroRedundancyOptimizer"]


class DistributedOptimizer(Absent):
    """Optimizer of remote parameters; absent."""


class PostLocalSGDOptimizer(Absent):
    """Optimizer with local steps and periodic averaging of parameters; absent."""


class ZeroRedundancyOptimizer(Absent):
    """Optimizer that shards its state across processes; absent."""
