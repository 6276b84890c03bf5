"""Helpers of tests that need the same random numbers twice."""

import contextlib

from minitorch._C import _DisableTorchDispatch
from minitorch.random import get_rng_state, manual_seed, set_rng_state

__all__ = ["freeze_rng_state", "wrapper_set_seed"]


@contextlib.contextmanager
def freeze_rng_state():
    """After the block random numbers go on as if it had drawn none."""
    with _DisableTorchDispatch():
        state = get_rng_state()
    try:
        yield
    finally:
        with _DisableTorchDispatch():
            set_rng_state(state)


def wrapper_set_seed(op, *args, **kwargs):
    """``op(*args, **kwargs)`` with the random numbers of one seed."""
    with freeze_rng_state():
        manual_seed(42)
        return op(*args, **kwargs)
