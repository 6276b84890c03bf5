"""Helpers for modes."""

from minitorch._C import _DisableTorchDispatch as no_dispatch

__all__ = ["all_same_mode", "no_dispatch"]


def all_same_mode(modes):
    """Return True if all elements are the same mode.

    Parameters
    ----------
    modes : sequence
        A sequence that is not empty.
    """
    return all(mode is modes[0] for mode in modes)
