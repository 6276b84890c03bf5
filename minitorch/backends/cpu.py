"""Capabilities of the CPU."""

__all__ = ["get_cpu_capability"]


def get_cpu_capability():
    """Return "DEFAULT", since no instruction set is selected explicitly."""
    return "DEFAULT"
