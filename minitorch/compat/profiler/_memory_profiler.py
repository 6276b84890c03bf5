"""Names of PyTorch's memory profiler, which is not implemented."""

import enum

from minitorch.namespace.absent import Absent

__all__ = ["Action", "Category", "MemoryProfile", "MemoryProfileTimeline"]

Category = enum.Enum(
    "Category", "INPUT TEMPORARY ACTIVATION GRADIENT AUTOGRAD_DETAIL PARAMETER OPTIMIZER_STATE"
)
Action = enum.Enum("Action", "PREEXISTING CREATE INCREMENT_VERSION DESTROY")


class MemoryProfile(Absent):
    """The allocations by category; not implemented."""


class MemoryProfileTimeline(Absent):
    """The allocations by category over time; not implemented."""
