"""Walks over trees of events, and how long an event shares the time with others."""

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
    """Times of an event in nanoseconds, and how much was waiting for a device."""

    duration_time_ns: int = 0
    self_time_ns: int = 0
    idle_time_ns: int = 0
    queue_depth: int = 0

    @property
    def fraction_idle_time(self):
        """Which part of its time a device had nothing to do."""
        return self.idle_time_ns / self.duration_time_ns if self.duration_time_ns else 0.0


@dataclass
class Interval:
    """From `start` to `end`."""

    start: int
    end: int
    queue_depth: int = 0


class EventKey:
    """An event as a key of dictionaries, by its number."""

    def __init__(self, event):
        self.event = event

    def __hash__(self):
        return hash(self.event.id)

    def __eq__(self, other):
        return self.event.id == other.event.id

    def __repr__(self):
        return f"{self.event.name}"

    def intervals_overlap(self, intervals):
        """How long the event and some of the intervals last together; those that overlap count once.

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
    """What a GPU waited for: not here."""


def index_of_first_match(seq, predicate, start=0, end=None):
    """The place of the first item that `predicate` likes, or None."""
    end = len(seq) if end is None else min(end, len(seq))
    return next((i for i in range(start, end) if predicate(seq[i])), None)


def argmax(seq, key=lambda x: x, start=0, end=None):
    """The place of the largest item, or None of no items.

    Examples
    --------
    >>> from minitorch.profiler._utils import argmax
    >>> argmax([1, 5, 3, 4], start=2)
    3
    """
    chosen = seq[start:end]
    return chosen.index(max(chosen, key=key)) + start if len(chosen) else None


def source_code_location(event):
    """The name of the nearest event around this one that is a line of a program."""
    while event is not None:
        if re.search(r"\.py\(.*\)", event.name):
            return event.name
        event = event.parent
    return "No source code location found"
