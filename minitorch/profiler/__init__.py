"""The profiler's names: blocks run, and nothing is measured. `autograd.trace` shows a backward pass."""

import enum

from minitorch.autograd.profiler import record_function

__all__ = ["ProfilerActivity", "profile", "record_function"]


class ProfilerActivity(enum.Enum):
    """What can be measured."""

    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4
    PrivateUse1 = 5


class profile:
    """Measure operators in a block, which is not part of minitorch.

    Raises
    ------
    NotImplementedError
        When a block is entered.
    """

    def __init__(self, **options):
        self.options = options

    def __enter__(self):
        raise NotImplementedError("torch.profiler.profile is not part of minitorch")

    def __exit__(self, *error):
        return None
