"""Futures, which `minitorch.distributed` makes; see `utils/_futures.py`."""

from minitorch.utils._futures import Future, collect_all, wait_all

__all__ = ["Future", "collect_all", "wait_all"]
