"""Traversal of event trees, and overlap of events with intervals."""

import functools
import re
from collections import deque
from dataclasses import dataclass

from minitorch.namespace.absent import Absent

__all__ = [
    "BasicEvaluation",
    "EventKey",
    "EventMetrics",
    "Interval",
    "argmax",
    "index_of_first_match",
    "source_code_location",
    "traverse_bfs",
    "traverse_dfs",
]


def _traverse(tree, next_fn, children_fn=lambda x: x.children, reverse=False):
    remaining = deque(reversed(tree) if reverse else tree)
    while remaining:
        event = next_fn(remaining)
        yield event
        children = children_fn(event)
        remaining.extend(reversed(children) if reverse else children)


traverse_dfs = functools.partial(_traverse, next_fn=lambda x: x.pop(), reverse=True)
traverse_bfs = functools.partial(_traverse, next_fn=lambda x: x.popleft(), reverse=False)


@dataclass
class EventMetrics:
    """The duration, self time and idle time of an event in nanoseconds."""

    duration_time_ns: int = 0
    self_time_ns: int = 0
    idle_time_ns: int = 0
    queue_depth: int = 0

    @property
    def fraction_idle_time(self):
        """The fraction of its duration in which the device was idle."""
        return self.idle_time_ns / self.duration_time_ns if self.duration_time_ns else 0.0


@dataclass
class Interval:
    """The interval from `start` to `end`."""

    start: int
    end: int
    queue_depth: int = 0


class EventKey:
    """An event as a dict key, by its id."""

    def __init__(self, event):
        self.event = event

    def __hash__(self):
        return hash(self.event.id)

    def __eq__(self, other):
        return self.event.id == other.event.id

    def __repr__(self):
        return f"{self.event.name}"

    def intervals_overlap(self, intervals):
        """Return how long the event overlaps with the union of some intervals.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> from minitorch.profiler._utils import EventKey, Interval
        >>> event = EventKey(SimpleNamespace(start_time_ns=5, end_time_ns=10))
        >>> event.intervals_overlap([Interval(0, 7), Interval(6, 8), Interval(9, 20)])
        4
        """
        total, reached = 0, self.event.start_time_ns
        for interval in sorted(intervals, key=lambda each: each.start):
            begin = max(reached, interval.start)
            end = min(self.event.end_time_ns, interval.end)
            if begin < end:
                total, reached = total + end - begin, end
        return total


class BasicEvaluation(Absent):
    """The evaluation of GPU idle time; not implemented."""


def index_of_first_match(seq, predicate, start=0, end=None):
    """Return the index of the first item that satisfies `predicate`, or None."""
    end = len(seq) if end is None else min(end, len(seq))
    return next((i for i in range(start, end) if predicate(seq[i])), None)


def argmax(seq, key=lambda x: x, start=0, end=None):
    """Return the index of the largest item, or None if there is none.

    Examples
    --------
    >>> from minitorch.profiler._utils import argmax
    >>> argmax([1, 5, 3, 4], start=2)
    3
    """
    chosen = seq[start:end]
    return chosen.index(max(chosen, key=key)) + start if len(chosen) else None


def source_code_location(event):
    """Return the name of the innermost enclosing event that is a source line."""
    while event is not None:
        if re.search(r"\.py\(.*\)", event.name):
            return event.name
        event = event.parent
    return "No source code location found"
