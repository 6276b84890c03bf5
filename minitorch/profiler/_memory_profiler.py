"""What PyTorch tells of memory from a profile's own tree of events: names only, for it is not counted here."""

import enum

from minitorch.namespace.absent import Absent

__all__ = ["Action", "Category", "MemoryProfile", "MemoryProfileTimeline"]

Category = enum.Enum(
    "Category", "INPUT TEMPORARY ACTIVATION GRADIENT AUTOGRAD_DETAIL PARAMETER OPTIMIZER_STATE"
)
Action = enum.Enum("Action", "PREEXISTING CREATE INCREMENT_VERSION DESTROY")


class MemoryProfile(Absent):
    """What was allocated for which purpose."""


class MemoryProfileTimeline(Absent):
    """The same over time."""
