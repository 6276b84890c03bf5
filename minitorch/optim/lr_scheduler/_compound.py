"""Schedulers made of other schedulers, applied in sequence or together."""

from bisect import bisect_right

from minitorch.optim.lr_scheduler._base import LRScheduler, set_value, values_of
from minitorch.optim.lr_scheduler._plateau import ReduceLROnPlateau


class _Compound(LRScheduler):
    """The base of both classes: checks of the parts, and a state that contains their states."""

    def _check_parts(self, optimizer, schedulers):
        name = type(self).__name__
        for number, part in enumerate(schedulers):
            if not hasattr(part, "optimizer"):
                raise TypeError(
                    f"{name} at index {number} should have `optimizer` as its attribute."
                )
            if isinstance(part, ReduceLROnPlateau):
                raise ValueError(
                    f"{name} does not support `ReduceLROnPlateau` scheduler as it requires "
                    "additional kwargs to be specified when calling `step`, but got one at index "
                    f"{number} in the given schedulers sequence."
                )
            if optimizer != part.optimizer:
                raise ValueError(
                    f"{name} expects all schedulers to belong to the same optimizer, but got "
                    f"scheduler {type(part).__name__} at index {number} has {part.optimizer}, "
                    f"which is different from {type(optimizer).__name__}."
                )

    def state_dict(self):
        """Return all attributes except the optimizer, with the states of the parts."""
        state = {
            key: value
            for key, value in self.__dict__.items()
            if key not in ("optimizer", "_schedulers")
        }
        state["_schedulers"] = [part.state_dict() for part in self._schedulers]
        return state

    def load_state_dict(self, state_dict):
        """Load a state returned by `state_dict`."""
        self.__dict__.update({k: v for k, v in state_dict.items() if k != "_schedulers"})
        for part, state in zip(self._schedulers, state_dict["_schedulers"], strict=False):
            part.load_state_dict(state)


class SequentialLR(_Compound):
    """Run several schedulers one after the other.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer of all parts.
    schedulers : list of LRScheduler
        The parts.
    milestones : list of int
        The epochs at which the next part begins; one fewer than there are parts.
    last_epoch : int
        The epoch after which to resume; -1 starts from the beginning.

    Raises
    ------
    If a part is not a scheduler, has another optimizer or needs a value in `step`, or the number of
    milestones is wrong.
        If a part is none, has another optimizer or needs a value in `step`, or the milestones
        are not as many.

    References
    ----------
    PyTorch's ``lr_scheduler.SequentialLR``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> from minitorch.optim.lr_scheduler import ConstantLR, ExponentialLR
    >>> warmup = ConstantLR(optimizer, factor=0.1, total_iters=2)
    >>> decay = ExponentialLR(optimizer, gamma=0.5)
    >>> scheduler = SequentialLR(optimizer, [warmup, decay], milestones=[2])
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(optimizer.param_groups[0]["lr"], 4))
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [0.1, 0.1, 1.0, 0.5]
    """

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        if len(schedulers) < 1:
            raise ValueError(
                f"{type(self).__name__} expects at least one scheduler, but got no scheduler."
            )
        self._check_parts(optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than "
                f"the number of milestone points, but got number of schedulers {len(schedulers)} "
                f"and the number of milestones to be equal to {len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        # each part made its initial step when it was created; undo all and redo the first
        for group in optimizer.param_groups:
            set_value(group, "lr", group["initial_lr"])
        self.recursive_undo()
        first = schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def recursive_undo(self, sched=None):
        """Undo the initial step of a scheduler and of its parts."""
        scheduler = self if sched is None else sched
        if hasattr(scheduler, "_schedulers"):
            for part in scheduler._schedulers:
                self.recursive_undo(part)
        elif hasattr(scheduler, "last_epoch"):
            scheduler.last_epoch -= 1

    def step(self):
        """Advance to the next epoch and set the learning rates."""
        self.last_epoch += 1
        number = bisect_right(self._milestones, self.last_epoch)
        part = self._schedulers[number]
        if number > 0 and self._milestones[number - 1] == self.last_epoch:
            part._update_lr(0)
        else:
            part.step()
        self._last_lr = part.get_last_lr()


class ChainedScheduler(_Compound):
    """Run several schedulers together, each modifying the rates set by the one before.

    Parameters
    ----------
    schedulers : sequence of LRScheduler
        The parts.
    optimizer : Optimizer, optional
        The optimizer; by default that of the first part.

    Raises
    ------
    ValueError, TypeError
        If a part is not a scheduler, has another optimizer or needs a value in `step`.

    References
    ----------
    PyTorch's ``lr_scheduler.ChainedScheduler``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> from minitorch.optim.lr_scheduler import ConstantLR, ExponentialLR
    >>> warmup = ConstantLR(optimizer, factor=0.1, total_iters=2)
    >>> scheduler = ChainedScheduler([warmup, ExponentialLR(optimizer, gamma=0.5)])
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(optimizer.param_groups[0]["lr"], 4))
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [0.1, 0.05, 0.25, 0.125]
    """

    def __init__(self, schedulers, optimizer=None):
        if len(schedulers) < 1:
            raise ValueError(
                f"{type(self).__name__} expects at least one scheduler to be chained, but got no "
                "scheduler."
            )
        optimizer = optimizer or schedulers[0].optimizer
        self._check_parts(optimizer, schedulers)
        self._schedulers = schedulers
        self.optimizer = optimizer
        self._last_lr = values_of(schedulers[-1].optimizer, "lr")

    def step(self):
        """Advance every part to its next epoch."""
        for part in self._schedulers:
            part.step()
        self._last_lr = values_of(self._schedulers[-1].optimizer, "lr")
