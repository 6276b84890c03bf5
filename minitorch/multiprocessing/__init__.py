"""Python's ``multiprocessing`` by PyTorch's name; tensors go to other processes as copies,
unless ``share_memory_()`` was called."""

import multiprocessing
from multiprocessing import *  # noqa: F403 (all of it)

__all__ = [
    *multiprocessing.__all__,
    "get_all_sharing_strategies",
    "get_sharing_strategy",
    "set_sharing_strategy",
    "spawn",
]

_STRATEGIES = {"file_descriptor", "file_system"}
_strategy = "file_descriptor"


def get_all_sharing_strategies():
    """How memory could be shared."""
    return set(_STRATEGIES)


def get_sharing_strategy():
    """What `set_sharing_strategy` was given; memory is copied all the same."""
    return _strategy


def set_sharing_strategy(new_strategy):
    """Say how memory is to be shared; it is copied all the same."""
    global _strategy
    if new_strategy not in _STRATEGIES:
        raise AssertionError(f"invalid sharing strategy: {new_strategy}")
    _strategy = new_strategy


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """Start processes that call ``fn(number, *args)``, and wait for them.

    Parameters
    ----------
    fn : callable
        A function that can be imported.
    args : tuple
    nprocs : int
    join : bool
        Wait; otherwise the processes are returned.
    daemon : bool
    start_method : str

    Raises
    ------
    RuntimeError
        If one ends with an error.
    """
    context = multiprocessing.get_context(start_method)
    processes = [
        context.Process(target=fn, args=(number, *args), daemon=daemon) for number in range(nprocs)
    ]
    for process in processes:
        process.start()
    if not join:
        return processes
    for process in processes:
        process.join()
    for number, process in enumerate(processes):
        if process.exitcode:
            raise RuntimeError(f"process {number} terminated with exit code {process.exitcode}")
    return None
