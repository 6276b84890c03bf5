"""Algorithms on top of process groups: uneven inputs, and communication hooks."""

from minitorch.distributed.algorithms.join import Join, Joinable, JoinHook

__all__ = ["Join", "JoinHook", "Joinable"]
