"""Python's ``multiprocessing`` by PyTorch's name; once it is imported, the memory of tensors that are sent
to other processes is shared with them.
"""

import multiprocessing
from multiprocessing import *  # noqa: F403 (all of it)

from minitorch.multiprocessing import reductions
from minitorch.multiprocessing.spawn import (
    ProcessContext,
    ProcessExitedException,
    ProcessRaisedException,
    SpawnContext,
    spawn,
    start_processes,
)

__all__ = [
    *multiprocessing.__all__,
    "ProcessContext",
    "ProcessExitedException",
    "ProcessRaisedException",
    "SpawnContext",
    "get_all_sharing_strategies",
    "get_sharing_strategy",
    "reductions",
    "set_sharing_strategy",
    "spawn",
    "start_processes",
]

_STRATEGIES = {"file_descriptor", "file_system"}
_strategy = "file_descriptor"


def get_all_sharing_strategies():
    """How memory could be shared."""
    return set(_STRATEGIES)


def get_sharing_strategy():
    """What `set_sharing_strategy` was given; memory is shared by descriptors all the same."""
    return _strategy


def set_sharing_strategy(new_strategy):
    """Say how memory is to be shared; it is by descriptors all the same."""
    global _strategy
    if new_strategy not in _STRATEGIES:
        raise AssertionError(f"invalid sharing strategy: {new_strategy}")
    _strategy = new_strategy


reductions.init_reductions()
