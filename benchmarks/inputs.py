"""Equal inputs for both libraries, and lookup of their functions by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

# what a case function yields: a name, and what makes the call to be timed
Named = Iterator[tuple[str, Callable[[], Callable[[], Any]]]]


class Inputs:
    """Equal random numbers for both libraries."""

    def __init__(self, torch: Any):
        self.torch = torch

    def floats(self, *shape: int, low: float = -2.0, high: float = 2.0, kind: str = "f4") -> Any:
        numbers = np.random.RandomState(0).uniform(low, high, shape).astype(kind)
        return self.torch.from_numpy(numbers)

    def positive(self, *shape: int) -> Any:
        return self.floats(*shape, low=0.1, high=3.0)

    def integers(self, high: int, *shape: int) -> Any:
        return self.torch.from_numpy(np.random.RandomState(1).randint(0, high, shape))

    def leaf(self, *shape: int) -> Any:
        return self.floats(*shape).requires_grad_()


class Functional:
    """``torch.nn.functional``, looked at when a case is built: a library may lack it."""

    def __init__(self, torch: Any):
        self.torch = torch

    def __getattr__(self, name: str) -> Any:
        return getattr(self.torch.nn.functional, name)
