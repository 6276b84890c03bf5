"""Internals of `DataLoader` and its workers."""

# interval, in seconds, at which a waiting process checks that the other one is alive
MP_STATUS_CHECK_INTERVAL = 5.0

from minitorch.utils.data._utils import collate, fetch, pin_memory, worker

__all__ = ["MP_STATUS_CHECK_INTERVAL", "collate", "fetch", "pin_memory", "worker"]
