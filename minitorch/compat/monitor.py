"""Statistics of a program, and events with registered handlers.

Examples
--------
>>> from datetime import timedelta
>>> from minitorch.monitor import Aggregation, Stat
>>> losses = Stat("loss", [Aggregation.MEAN, Aggregation.MAX], timedelta(hours=1), max_samples=2)
>>> losses.add(1.0)
>>> losses.add(3.0)
>>> losses.get()
{<Aggregation.MAX: 5>: 3.0, <Aggregation.MEAN: 2>: 2.0}
"""

import contextlib
import enum
import threading
import time
from datetime import datetime, timedelta
from typing import Any

__all__ = ["Aggregation", "Event", "EventHandlerHandle", "STAT_EVENT", "Stat",
           "TensorboardEventHandler", "log_event", "register_event_handler",
           "unregister_event_handler"]  # fmt: skip

STAT_EVENT = "torch.monitor.Stat"


class Aggregation(enum.Enum):
    """Aggregations of the values of a `Stat`."""

    VALUE = 0
    MEAN = 2
    COUNT = 3
    SUM = 4
    MAX = 5
    MIN = 6


# in PyTorch's order; as there, a `Stat` does not report `VALUE`
_COMPUTED = {
    Aggregation.MIN: lambda values: min(values, default=0.0),
    Aggregation.MAX: lambda values: max(values, default=0.0),
    Aggregation.SUM: lambda values: float(sum(values)),
    Aggregation.COUNT: lambda values: float(len(values)),
    Aggregation.MEAN: lambda values: sum(values) / len(values) if values else 0.0,
}


def _check(value, kind, function, name):
    if not isinstance(value, kind):
        kinds = getattr(kind, "__name__", kind)
        raise TypeError(f"{function}: {name} must be {kinds}, not {type(value).__name__}")


class Event:
    """A logged event.

    Parameters
    ----------
    name : str
    timestamp : datetime
    data : dict of str to int, float, bool or str
    """

    def __init__(self, name, timestamp, data):
        _check(name, str, "Event", "name")
        _check(timestamp, datetime, "Event", "timestamp")
        for key, value in data.items():
            _check(key, str, "Event", "a key of data")
            _check(value, int | float | bool | str, "Event", "a value of data")
        self.name = name
        self.timestamp = timestamp
        self.data = dict(data)


class EventHandlerHandle:
    """Handle of a registered event handler."""


_handlers: dict[EventHandlerHandle, Any] = {}


def register_event_handler(callback):
    """Register a function to be called with each event.

    Returns
    -------
    EventHandlerHandle

    Examples
    --------
    >>> from datetime import datetime
    >>> from minitorch import monitor
    >>> heard = []
    >>> handle = monitor.register_event_handler(heard.append)
    >>> monitor.log_event(monitor.Event("saved", datetime.now(), {"step": 3}))
    >>> monitor.unregister_event_handler(handle)
    >>> heard[0].name, heard[0].data
    ('saved', {'step': 3})
    """
    if not callable(callback):
        raise TypeError(f"register_event_handler: not a function: {callback!r}")
    handle = EventHandlerHandle()
    _handlers[handle] = callback
    return handle


def unregister_event_handler(handler):
    """Unregister the event handler with this handle."""
    _check(handler, EventHandlerHandle, "unregister_event_handler", "handler")
    _handlers.pop(handler, None)


def log_event(event):
    """Call all registered handlers with an event."""
    _check(event, Event, "log_event", "event")
    for callback in list(_handlers.values()):
        callback(event)


class Stat:
    """Aggregated values of consecutive time windows.

    At the end of each window, an `Event` with the name `STAT_EVENT` is logged.

    Parameters
    ----------
    name : str
    aggregations : iterable of Aggregation
    window_size : timedelta
        Length of a window.
    max_samples : int, optional
        Maximum number of values; when reached, the window is reported and further values are
        dropped.
    """

    def __init__(self, name, aggregations, window_size, max_samples=2**63 - 1):
        _check(name, str, "Stat", "name")
        _check(window_size, timedelta, "Stat", "window_size")
        chosen = set(aggregations)
        for aggregation in chosen:
            _check(aggregation, Aggregation, "Stat", "an aggregation")
        self.name = name
        self._aggregations = [kind for kind in _COMPUTED if kind in chosen]
        self._seconds = window_size.total_seconds()
        self._max_samples = max_samples
        self._lock = threading.Lock()
        self._values = []
        self._told = self._aggregated()
        self._window = self._present()
        self._window_told = None

    def _present(self):
        return time.monotonic() // self._seconds if self._seconds else time.monotonic_ns()

    def _aggregated(self):
        return {kind: _COMPUTED[kind](self._values) for kind in self._aggregations}

    def _tell(self):
        self._told, self._values = self._aggregated(), []
        self._window_told = self._window
        data = {f"{self.name}.{kind.name.lower()}": value for kind, value in self._told.items()}
        return Event(STAT_EVENT, datetime.now(), data)

    def _turn(self):
        """Return the event of the window if it has ended, else None."""
        window = self._present()
        full = len(self._values) >= self._max_samples
        event = self._tell() if self._values and (full or window != self._window) else None
        self._window = window
        return event

    def add(self, v):
        """Add a value to the current window."""
        _check(v, int | float, "Stat.add", "v")
        with self._lock:
            events = [self._turn()]
            if self._window_told != self._window:
                self._values.append(float(v))
                events.append(self._turn())
        for event in filter(None, events):
            log_event(event)

    def get(self):
        """Return the aggregations of the last reported window, or zeros before the first.

        Returns
        -------
        dict of Aggregation to float
        """
        with self._lock:
            return dict(self._told)

    @property
    def count(self):
        """The number of values in the current window."""
        with self._lock:
            return len(self._values)

    def __del__(self):
        if self.__dict__.get("_values"):
            log_event(self._tell())


class _WaitCounter:
    """Marks waiting code; waits are not counted.

    Parameters
    ----------
    key : str
    """

    def __init__(self, key):
        self.key = key

    def guard(self):
        """Return a context manager for the waiting code, which does nothing."""
        return contextlib.nullcontext()


class TensorboardEventHandler:
    """Event handler that writes the aggregations of each `Stat` as scalars.

    Parameters
    ----------
    writer : SummaryWriter
    """

    def __init__(self, writer):
        self._writer = writer

    def __call__(self, event):
        if event.name == STAT_EVENT:
            for name, value in event.data.items():
                self._writer.add_scalar(name, value, walltime=event.timestamp.timestamp())
