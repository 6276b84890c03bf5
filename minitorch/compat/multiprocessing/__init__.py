"""Python's ``multiprocessing``, with tensors in shared memory.

Importing this module makes tensors that are sent to other processes share their memory.
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
    """Return the names of the sharing strategies."""
    return set(_STRATEGIES)


def get_sharing_strategy():
    """Return the strategy passed to `set_sharing_strategy`.

    Memory is always shared by file descriptors.
    """
    return _strategy


def set_sharing_strategy(new_strategy):
    """Set the sharing strategy, which has no effect: memory is shared by file descriptors."""
    global _strategy
    if new_strategy not in _STRATEGIES:
        raise AssertionError(f"invalid sharing strategy: {new_strategy}")
    _strategy = new_strategy


reductions.init_reductions()
