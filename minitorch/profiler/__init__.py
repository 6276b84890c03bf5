"""The profiler's names: blocks run, and nothing is measured. `autograd.trace` shows a backward pass."""

import enum
import warnings

from minitorch.autograd.profiler import record_function

__all__ = ["ProfilerAction", "ProfilerActivity", "kineto_available", "profile", "record_function", "schedule",
           "tensorboard_trace_handler"]  # fmt: skip


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


class ProfilerAction(enum.Enum):
    """What a profiler is to do in a step of the program."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3
    DEVICE_STOPPED = 4


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """In which steps a profiler is to measure: cycles of `wait`, `warmup` and `active` steps.

    Parameters
    ----------
    wait, warmup, active : int
        The lengths of the parts of a cycle.
    repeat : int
        How many cycles; 0: without end.
    skip_first : int
        Steps before the first cycle.
    skip_first_wait : int
        Not 0: the first cycle does not wait.

    Returns
    -------
    callable
        From the number of a step to its `ProfilerAction`.

    Raises
    ------
    AssertionError
        For lengths that cannot be.

    Examples
    --------
    >>> import minitorch as torch
    >>> action = torch.profiler.schedule(wait=1, warmup=1, active=1)
    >>> [action(step).name for step in range(4)]
    ['NONE', 'WARMUP', 'RECORD_AND_SAVE', 'NONE']
    """
    if min(wait, warmup, repeat, skip_first) < 0 or active <= 0:
        raise AssertionError(
            f"Invalid profiler schedule arguments. Got wait={wait} (need >= 0), warmup={warmup} "
            f"(need >= 0), active={active} (need > 0), repeat={repeat} (need >= 0), "
            f"skip_first={skip_first} (need >= 0)."
        )
    if warmup == 0:
        warnings.warn(
            "Profiler won't be using warmup, this can skew profiler results", stacklevel=2
        )
    length = wait + warmup + active

    def action(step):
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        if step < skip_first:
            return ProfilerAction.NONE
        step += (wait if skip_first_wait else 0) - skip_first
        cycle, place = divmod(step, length)
        if (repeat and cycle >= repeat) or place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        last = place == length - 1
        return ProfilerAction.RECORD_AND_SAVE if last else ProfilerAction.RECORD

    return action


def kineto_available():
    """Whether PyTorch's library for profiles is there: no."""
    return False


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    """Raises NotImplementedError: there is no profile that could be written."""
    raise NotImplementedError("torch.profiler.tensorboard_trace_handler is not part of minitorch")
