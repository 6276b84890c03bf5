"""`Join`: training goes on when some processes run out of inputs before others.

Note [How processes join]
The collective operations of a step need all processes. In each step every process first says that it
has inputs, by adding 1 to a sum over the group. A process without inputs adds 0, then calls the `main_hook` of
each `Joinable`, which takes part in the operations of that step with values that change nothing. It repeats
this until the sum is 0: then no process has inputs.
"""

import warnings
from abc import ABC, abstractmethod
from types import TracebackType  # noqa: F401 (PyTorch's module has this name too)
from typing import Any, NamedTuple

from minitorch.autograd.functions.from_data import tensor
from minitorch.distributed.distributed_c10d import all_reduce

__all__ = ["Join", "JoinHook", "Joinable"]


class JoinHook:
    """What a process without inputs does for one `Joinable`; both methods do nothing here.

    Examples
    --------
    >>> from minitorch.distributed.algorithms import JoinHook
    >>> JoinHook().main_hook()
    """

    def main_hook(self):
        """Take part in the collective operations of one step of the other processes."""

    def post_hook(self, is_last_joiner):
        """Finish, after all processes have run out of inputs.

        Parameters
        ----------
        is_last_joiner : bool
            Whether this process is one of those that had inputs longest.
        """


class _JoinConfig(NamedTuple):
    enable: bool
    throw_on_early_termination: bool
    is_first_joinable: bool

    @staticmethod
    def construct_disabled_join_config():
        """Return the configuration outside of a `Join`."""
        return _JoinConfig(False, False, False)


class Joinable(ABC):
    """Base class of what calls collective operations in each step, and can do so with uneven inputs.

    A subclass calls ``super().__init__()``, and calls `Join.notify_join_context` before the first collective
    operation of each step.

    Examples
    --------
    >>> from minitorch.distributed.algorithms import Joinable
    >>> Joinable.__abstractmethods__ >= {"join_hook"}
    True
    """

    @abstractmethod
    def __init__(self):
        super().__init__()
        self._join_config = _JoinConfig.construct_disabled_join_config()

    @abstractmethod
    def join_hook(self, **kwargs):
        """Return the `JoinHook` of this object.

        Parameters
        ----------
        **kwargs
            The keyword arguments of `Join`.
        """

    @property
    @abstractmethod
    def join_device(self):
        """The device of the tensors that `Join` itself sends."""

    @property
    @abstractmethod
    def join_process_group(self):
        """The process group that `Join` itself uses."""


class Join:
    """Context manager in which processes may have different numbers of inputs.

    Parameters
    ----------
    joinables : list of Joinable
        What calls collective operations, in the order of these calls in a step.
    enable : bool
        False if the inputs are known to be even; then the context does nothing.
    throw_on_early_termination : bool
        Raise RuntimeError in all processes as soon as one has no inputs left.
    **kwargs
        Passed to each `Joinable.join_hook`.

    Raises
    ------
    ValueError
        Without joinables, or if their process groups or devices differ.

    Notes
    -----
    See Note [How processes join].

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.algorithms import Join
    >>> dist.init_process_group("mpi")
    >>> model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1))
    >>> with Join([model]):
    ...     for _ in range(3 + dist.get_rank()):  # each rank has another number of inputs
    ...         model(torch.ones(1, 2)).sum().backward()
    >>> model.module.bias.grad
    tensor([3.])
    >>> dist.destroy_process_group()
    """

    def __init__(
        self,
        joinables: list[Joinable],
        enable: bool = True,
        throw_on_early_termination: bool = False,
        **kwargs: Any,
    ):
        if not joinables:
            raise ValueError("The join context manager requires at least one joinable")
        self._joinables = joinables
        self._hooks = [joinable.join_hook(**kwargs) for joinable in joinables]
        self._enable = enable
        self._throw = throw_on_early_termination
        for position, joinable in enumerate(joinables):
            joinable._join_config = _JoinConfig(
                enable, throw_on_early_termination, is_first_joinable=position == 0
            )
        groups = {id(joinable.join_process_group) for joinable in joinables}
        if len(groups) > 1:
            raise ValueError("Using join context manager with multiple process groups")
        self._group = joinables[0].join_process_group
        self._device = joinables[0].join_device
        self._rank = self._group.rank()

    def __enter__(self):
        return self

    def __exit__(self, type, value, traceback):
        if not self._enable or type is not None:
            return
        steps, is_last_joiner = 0, True
        while _sum(0, self._group):
            if self._throw:
                raise RuntimeError(f"Rank {self._rank} exhausted all inputs.")
            if steps == 1000:
                warnings.warn(
                    "Detected uneven input skew of greater than 1000. This means that rank "
                    f"{self._rank} has at least 1000 fewer inputs than other currently-active ranks. "
                    "This level of skew could lead to performance degradation during training.",
                    stacklevel=2,
                )
            is_last_joiner = False
            steps += 1
            for hook in self._hooks:
                hook.main_hook()
        for hook in self._hooks:
            hook.post_hook(is_last_joiner)

    @staticmethod
    def notify_join_context(joinable):
        """Say that this process has inputs for one more step; called by each `Joinable` in each step.

        Only the first joinable of the context says it.

        Parameters
        ----------
        joinable : Joinable

        Returns
        -------
        Work or None
            The handle of the operation; None outside of an enabled context.

        Raises
        ------
        RuntimeError
            With ``throw_on_early_termination``, if another process has no inputs left.
        """
        config = getattr(joinable, "_join_config", None)
        if config is None:
            raise AssertionError(
                f"Check that the {type(joinable)} constructor calls the ``Joinable`` constructor"
            )
        if not config.is_first_joinable or not config.enable:
            return None
        group = joinable.join_process_group
        work = all_reduce(tensor([1.0]), group=group, async_op=True)
        if config.throw_on_early_termination:
            if work.result()[0].item() < group.size():
                raise RuntimeError(
                    "Detected at least one rank that exhausted inputs. Throwing across all ranks."
                )
        return work


def _sum(value, group):
    """Return the sum of a number over the processes of a group."""
    total = tensor([float(value)])
    all_reduce(total, group=group)
    return total.item()
