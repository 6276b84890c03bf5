"""What a `DataLoader` and its workers are made of."""

# how often (in seconds) who waits for another process looks whether it is still there
MP_STATUS_CHECK_INTERVAL = 5.0

from minitorch.utils.data._utils import collate, fetch, pin_memory, worker

__all__ = ["MP_STATUS_CHECK_INTERVAL", "collate", "fetch", "pin_memory", "worker"]
