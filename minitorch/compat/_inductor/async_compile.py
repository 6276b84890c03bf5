"""Compilation in worker processes, which is absent."""

from minitorch.namespace.absent import Absent

__all__ = ["AsyncCompile"]


class AsyncCompile(Absent):
    """Pool of processes that compile kernels; absent."""
