"""Internals of `DataLoader` and its workers."""

from minitorch.utils.data._utils import collate, fetch, pin_memory, worker
from minitorch.utils.data._utils.worker import MP_STATUS_CHECK_INTERVAL

__all__ = ["MP_STATUS_CHECK_INTERVAL", "collate", "fetch", "pin_memory", "worker"]
