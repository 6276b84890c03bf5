"""Benchmark cases, and their measurement in a child process.

A case is a name and a ``build`` function, called once in the child that runs it. What ``build``
returns says what is timed: a `Fresh` workload gets a new state before every run, outside the clock
(a graph can be walked only once); a `Repeated` one is a call cheap enough to need many of them
between two readings of the clock.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

clock = time.perf_counter


@dataclass(frozen=True)
class Case:
    """One line of the table.

    Attributes
    ----------
    name : str
        Unique within its suite; ``--only`` matches it.
    build : callable
        Makes the inputs and returns a `Fresh` or a `Repeated`. Run once per child, so that an
        operator which the library lacks is missed here and only costs this line.
    """

    name: str
    build: Callable[[], Fresh | Repeated]


@dataclass(frozen=True)
class Fresh:
    """``run(prepare())`` with the clock around ``run`` alone; the result dies outside the clock.

    Attributes
    ----------
    prepare : callable
        Makes the state of one run.
    run : callable
        The timed part; takes the state, returns a tensor, which the two children must agree on.
    units : int
        What one run's time is divided by: graph nodes, steps.
    """

    prepare: Callable[[], Any]
    run: Callable[[Any], Any]
    units: int

    def sample(self) -> Any:
        return self.run(self.prepare())

    def measure(self, budget: float) -> float:
        """Best time per unit, in seconds, over runs that take `budget` seconds together."""
        best = float("inf")
        end = clock() + budget
        runs = 0
        while runs < 2 or clock() < end:
            state = self.prepare()
            start = clock()
            result = self.run(state)
            best = min(best, clock() - start)
            del result, state
            runs += 1
        return best / self.units


@dataclass
class Repeated:
    """A call without state, made many times between two readings of the clock."""

    call: Callable[[], Any]
    number: int = 0  # calls between two readings; found at the first measurement

    def sample(self) -> Any:
        return self.call()

    def measure(self, budget: float) -> float:
        """Best time per call, in seconds, over calls that take `budget` seconds together."""
        if not self.number:
            self.number = 1
            while (taken := self.once()) < 1e-3:
                self.number *= 2
            self.number = max(1, int(self.number * 1e-3 / taken))
        best = float("inf")
        end = clock() + budget
        runs = 0
        while runs < 2 or clock() < end:
            best = min(best, self.once())
            runs += 1
        return best / self.number

    def once(self) -> float:
        call = self.call
        start = clock()
        for _ in itertools.repeat(None, self.number):
            call()
        return clock() - start


def values(result: Any) -> list[float]:
    """Return the first few numbers of a result, with which the parent compares both libraries."""
    if isinstance(result, (tuple, list)):
        result = result[0]
    numbers = result.detach().reshape(-1)[:8].tolist()
    return [float(number) for number in numbers]


def count_nodes(*tensors: Any) -> int:
    """Return the number of nodes in the graph of some tensors, including sinks."""
    waiting = [tensor.grad_fn for tensor in tensors]
    seen = set(waiting)
    while waiting:
        for node, _ in waiting.pop().next_functions:
            if node is not None and node not in seen:
                seen.add(node)
                waiting.append(node)
    return len(seen)
