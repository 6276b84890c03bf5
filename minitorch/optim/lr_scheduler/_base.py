"""`LRScheduler`: sets the learning rates of an optimizer, usually once per epoch.

A subclass implements `get_lr`, which returns the rates of `last_epoch`, usually computed from the
current rates. This chainable form preserves changes made by other schedulers. A schedule that can
be computed from the epoch alone also has `_get_closed_form_lr`, which ``step(epoch)`` uses. If both
multiply all groups by one factor, derive from `FactorLR`.
"""

import warnings
from contextlib import contextmanager
from functools import wraps
from weakref import ref

from minitorch._tensor import Tensor
from minitorch.optim.optimizer import Optimizer, _to_scalar

EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where "
    "possible. Please use `scheduler.step()` to step the scheduler. During the deprecation, if "
    "epoch is different from None, the closed form is used instead of the new chainable form, "
    "where available. Please open an issue if you are unable to replicate your use case: "
    "https://github.com/pytorch/pytorch/issues/new/choose."
)
_SEE = " See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"


def check_optimizer(optimizer):
    """Raise TypeError unless the argument is an `Optimizer`."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def _own(value):
    return value.clone() if isinstance(value, Tensor) else value


def per_group(name, optimizer, value):
    """Return one value per group.

    A list must have as many elements as there are groups.
    """
    count = len(optimizer.param_groups)
    if not isinstance(value, list | tuple):
        return [_own(value) for _ in range(count)]
    if len(value) != count:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has "
            f"{len(value)} values, param_groups has {count}."
        )
    return [_own(entry) for entry in value]


def values_of(optimizer, key):
    """Return an option of every group, with tensors copied."""
    return [_own(group[key]) for group in optimizer.param_groups]


def set_value(group, key, value):
    """Set an option of a group, in place if it is a tensor."""
    if isinstance(group[key], Tensor):
        group[key].fill_(_to_scalar(value))
    else:
        group[key] = value


def _noticing(optimizer):
    """Wrap `optimizer.step` so that it records that it was called."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    function, owner = optimizer.step.__func__, ref(optimizer)

    @wraps(function)
    def step(*args, **kwargs):
        self = owner()
        self._opt_called = True
        return function.__get__(self, type(self))(*args, **kwargs)

    step._wrapped_by_lr_sched = True
    optimizer.step = step


class LRScheduler:
    """The base class of schedulers.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer. Each of its groups gets an ``"initial_lr"``.
    last_epoch : int
        The epoch after which to resume; -1 starts from the beginning.

    Raises
    ------
    TypeError
        If `optimizer` is not an `Optimizer`.
    KeyError
        If training is resumed and a group has no ``"initial_lr"``.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Halving(torch.optim.lr_scheduler.LRScheduler):
    ...     def get_lr(self):
    ...         return [lr * 0.5**self.last_epoch for lr in self.base_lrs]
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = Halving(optimizer)
    >>> optimizer.step()
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.5]
    """

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer, last_epoch=-1):
        check_optimizer(optimizer)
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", _own(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{number}] when resuming "
                    "scheduler with last_epoch >= 0.\nThis typically happens when:\n1. You're "
                    "trying to resume training from a checkpoint but haven't properly loaded the "
                    "optimizer state\n2. You're using last_epoch >= 0 for a fresh training run "
                    "(not recommended)"
                )
        self.base_lrs = values_of(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        _noticing(optimizer)
        self._initial_step()

    def _initial_step(self):
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self):
        """Return all attributes except the optimizer as a dict."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict):
        """Load a state returned by `state_dict`."""
        self.__dict__.update(state_dict)

    def get_last_lr(self):
        """Return the last learning rate set for each group."""
        return self._last_lr

    def get_lr(self):
        """Return the learning rate of each group at `last_epoch`; called by `step`."""
        raise NotImplementedError

    def step(self, epoch=None):
        """Advance to the next epoch and set the learning rates.

        Parameters
        ----------
        epoch : int, optional
            The epoch to advance to; deprecated.
        """
        if self._step_count == 1:
            if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
                warnings.warn(
                    "Seems like `optimizer.step()` has been overridden after learning rate "
                    "scheduler initialization. Please, make sure to call `optimizer.step()` "
                    "before `lr_scheduler.step()`." + _SEE,
                    UserWarning,
                    stacklevel=2,
                )
            elif not getattr(self.optimizer, "_opt_called", False):
                warnings.warn(
                    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In "
                    "PyTorch 1.1.0 and later, you should call them in the opposite order: "
                    "`optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will "
                    "result in PyTorch skipping the first value of the learning rate schedule."
                    + _SEE,
                    UserWarning,
                    stacklevel=2,
                )
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch=None):
        with _enable_get_lr_call(self):
            self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
            if epoch is not None and hasattr(self, "_get_closed_form_lr"):
                values = self._get_closed_form_lr()
            else:
                values = self.get_lr()
        self._set(values)

    def _set(self, values):
        for group, value in zip(self.optimizer.param_groups, values, strict=True):
            set_value(group, "lr", value)
        self._last_lr = values_of(self.optimizer, "lr")


class _LRScheduler(LRScheduler):
    """The old name of the base class."""


@contextmanager
def _enable_get_lr_call(scheduler):
    """Mark calls to `get_lr` in the block as coming from `step`."""
    scheduler._get_lr_called_within_step = True
    try:
        yield
    finally:
        scheduler._get_lr_called_within_step = False


def _warn_get_lr_called_within_step(scheduler):
    """Warn if `get_lr` is not called by `step`, since its result is then misleading."""
    if not scheduler._get_lr_called_within_step:
        warnings.warn(
            "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
            UserWarning,
            stacklevel=2,
        )


class FactorLR(LRScheduler):
    """A scheduler that multiplies all learning rates by the same factor.

    `_factor` returns the ratio of this epoch's rates to the last ones, or None to keep them.
    `_closed_factor` returns the ratio to the initial rates.
    """

    def get_lr(self):
        """Return the current rates times the factor of this epoch."""
        _warn_get_lr_called_within_step(self)
        factor = self._factor()
        if factor is None:
            return values_of(self.optimizer, "lr")
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        factor = self._closed_factor()
        return [base_lr * factor for base_lr in self.base_lrs]
