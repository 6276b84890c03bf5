"""A graph on its way to kernels."""

from minitorch.namespace.absent import Absent

__all__ = ["GraphLowering"]


class GraphLowering(Absent):
    """The interpreter that makes kernels of a graph."""
