"""Reader of NVIDIA profiler databases with the ranges that `emit_nvtx` marked."""

import sqlite3

from minitorch.autograd.observe.profiler_steps import EnforceUnique
from minitorch.autograd.profiler_util import EventList, FunctionEvent

__all__ = ["load_nvprof", "parse_nvprof_trace"]

_CUDA_LAUNCH_KERNEL = 211

# a mark is two rows, and only the first has a name
_MARKS = """
    SELECT opened.id, opened.name, opened.timestamp, closed.timestamp
    FROM CUPTI_ACTIVITY_KIND_MARKER AS opened JOIN CUPTI_ACTIVITY_KIND_MARKER AS closed USING (id)
    WHERE opened.name != 0 AND closed.name = 0
"""
_KERNELS = """
    SELECT opened.id, call._id_, call.cbid, kernel.name, kernel.end - kernel.start
    FROM CUPTI_ACTIVITY_KIND_MARKER AS opened
    JOIN CUPTI_ACTIVITY_KIND_MARKER AS closed USING (id)
    JOIN CUPTI_ACTIVITY_KIND_RUNTIME AS call
        ON opened.timestamp < call.start AND call.end < closed.timestamp
    JOIN CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL AS kernel USING (correlationId)
"""


def load_nvprof(path):
    """Return the events of an NVIDIA profiler file.

    Parameters
    ----------
    path : str

    Returns
    -------
    EventList

    Raises
    ------
    sqlite3.Error
        When the file is not a profiler database.

    Examples
    --------
    >>> import os, tempfile
    >>> import minitorch as torch
    >>> path = os.path.join(tempfile.mkdtemp(), "empty.nvprof")
    >>> torch.autograd.profiler.load_nvprof(path)
    Traceback (most recent call last):
    ...
    sqlite3.OperationalError: no such table: StringTable
    """
    return EventList(parse_nvprof_trace(path))


def parse_nvprof_trace(path):
    """Return a list of the events of an NVIDIA profiler file, with the kernels they launched.

    Parameters
    ----------
    path : str

    Returns
    -------
    list of FunctionEvent
        Ordered by their start.

    Raises
    ------
    sqlite3.Error
        When the file is not a profiler database.
    RuntimeError
        When a mark occurs twice.
    AssertionError
        When a kernel was started by a call other than a kernel launch.

    Examples
    --------
    >>> import os, tempfile
    >>> import minitorch as torch
    >>> path = os.path.join(tempfile.mkdtemp(), "empty.nvprof")
    >>> torch.autograd.profiler.parse_nvprof_trace(path)
    Traceback (most recent call last):
    ...
    sqlite3.OperationalError: no such table: StringTable
    """
    database = sqlite3.connect(path)
    names = dict(database.execute("SELECT _id_, value FROM StringTable"))
    events = {}
    unique = EnforceUnique()
    for mark, name, start, end in database.execute(_MARKS):
        unique.see(mark)
        events[mark] = FunctionEvent(mark, names[name], 0, start, end, node_id=0)
    unique = EnforceUnique()
    for mark, call, kind, name, duration in database.execute(_KERNELS):
        unique.see(mark, call)
        if kind != _CUDA_LAUNCH_KERNEL:
            raise AssertionError(f"Expected cbid to be 211, but got {kind}")
        events[mark].append_kernel(name, 0, duration)
    return sorted(events.values(), key=lambda event: event.time_range.start)


for _public in (load_nvprof, parse_nvprof_trace):
    _public.__module__ = "minitorch.autograd.profiler"
