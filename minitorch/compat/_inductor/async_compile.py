"""Compilation in other processes; nothing is compiled here."""

from minitorch.namespace.absent import Absent

__all__ = ["AsyncCompile"]


class AsyncCompile(Absent):
    """Processes that compile kernels."""
