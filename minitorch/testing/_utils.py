"""Helpers for reproducible random numbers."""

import contextlib

from minitorch._C import _DisableTorchDispatch
from minitorch.random import get_rng_state, manual_seed, set_rng_state

__all__ = ["freeze_rng_state", "wrapper_set_seed"]


@contextlib.contextmanager
def freeze_rng_state():
    """Restore the state of the random number generator after the block."""
    with _DisableTorchDispatch():
        state = get_rng_state()
    try:
        yield
    finally:
        with _DisableTorchDispatch():
            set_rng_state(state)


def wrapper_set_seed(op, *args, **kwargs):
    """Call ``op(*args, **kwargs)`` with a fixed seed, and restore the random state."""
    with freeze_rng_state():
        manual_seed(42)
        return op(*args, **kwargs)
