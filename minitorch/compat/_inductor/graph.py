"""Lowering of graphs to kernels, which is absent."""

from minitorch.namespace.absent import Absent

__all__ = ["GraphLowering"]


class GraphLowering(Absent):
    """Interpreter that lowers a graph to kernels; absent."""
