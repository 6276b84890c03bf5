"""Helpers of programs with modes."""

from minitorch._C import _DisableTorchDispatch as no_dispatch

__all__ = ["all_same_mode", "no_dispatch"]


def all_same_mode(modes):
    """Whether all modes are the first one."""
    return all(mode == modes[0] for mode in modes)
