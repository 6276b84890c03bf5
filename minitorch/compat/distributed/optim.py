"""Optimizers whose state is spread over processes: there is one process."""

from minitorch.namespace.absent import Absent

__all__ = ["DistributedOptimizer", "PostLocalSGDOptimizer", "ZeroRedundancyOptimizer"]


class DistributedOptimizer(Absent):
    """An optimizer of parameters that other processes hold."""


class PostLocalSGDOptimizer(Absent):
    """Local steps, and means over processes between them."""


class ZeroRedundancyOptimizer(Absent):
    """An optimizer that keeps in each process the state of a part of the parameters."""
