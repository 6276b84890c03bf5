"""A graph on its way to kernels."""

from minitorch._absent import Absent

__all__ = ["GraphLowering"]


class GraphLowering(Absent):
    """The interpreter that makes kernels of a graph."""
