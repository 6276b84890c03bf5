"""Compiled modules, and whether compilation is supported."""

from minitorch.compiler._optimized_module import OptimizedModule

__all__ = ["OptimizedModule", "is_dynamo_supported"]


def is_dynamo_supported():
    """Return False: functions cannot be compiled."""
    return False
