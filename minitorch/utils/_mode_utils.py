"""Helpers of programs with modes."""

from minitorch._C import _DisableTorchDispatch as no_dispatch

__all__ = ["all_same_mode", "no_dispatch"]


def all_same_mode(modes):
    """Whether all of them are the same mode.

    Parameters
    ----------
    modes : sequence
        Not empty.
    """
    return all(mode is modes[0] for mode in modes)
