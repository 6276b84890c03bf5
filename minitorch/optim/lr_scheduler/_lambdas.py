"""Schedules defined by functions of the epoch: `LambdaLR` and `MultiplicativeLR`."""

import types

from minitorch.optim.lr_scheduler._base import (
    LRScheduler,
    _warn_get_lr_called_within_step,
    values_of,
)


class _ByFunctions(LRScheduler):
    """One function for each group. The saved state contains only attributes of callable objects."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.optimizer = optimizer
        count = len(optimizer.param_groups)
        if not isinstance(lr_lambda, list | tuple):
            lr_lambda = [lr_lambda] * count
        elif len(lr_lambda) != count:
            raise ValueError(f"Expected {count} lr_lambdas, but got {len(lr_lambda)}")
        self.lr_lambdas = list(lr_lambda)
        self._check()
        super().__init__(optimizer, last_epoch)

    def _check(self):
        """Check the functions."""

    def state_dict(self):
        """Return all attributes except the optimizer.

        Plain functions are not saved; of callable objects, the attributes are.
        """
        state = {
            key: value
            for key, value in self.__dict__.items()
            if key not in ("optimizer", "lr_lambdas")
        }
        state["lr_lambdas"] = [
            None if isinstance(function, types.FunctionType) else function.__dict__.copy()
            for function in self.lr_lambdas
        ]
        return state

    def load_state_dict(self, state_dict):
        """Load a state returned by `state_dict`."""
        self.__dict__.update({k: v for k, v in state_dict.items() if k != "lr_lambdas"})
        for number, attributes in enumerate(state_dict["lr_lambdas"]):
            if attributes is not None:
                self.lr_lambdas[number].__dict__.update(attributes)


class LambdaLR(_ByFunctions):
    """Multiply the initial learning rates by a function of the epoch.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer whose learning rates are set.
    lr_lambda : callable or list of callable
        A function that returns the factor of an epoch, for all groups or one per group.
    last_epoch : int
        The epoch after which to resume; -1 starts from the beginning.

    Raises
    ------
    ValueError
        If the number of functions differs from the number of groups.

    References
    ----------
    PyTorch's ``lr_scheduler.LambdaLR``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = LambdaLR(optimizer, lambda epoch: 0.5**epoch)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(optimizer.param_groups[0]["lr"], 4))
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [1.0, 0.5, 0.25, 0.125]
    """

    def get_lr(self):
        """Return the initial rates times the factors of this epoch."""
        _warn_get_lr_called_within_step(self)
        pairs = zip(self.base_lrs, self.lr_lambdas, strict=True)
        return [base_lr * function(self.last_epoch) for base_lr, function in pairs]


class MultiplicativeLR(_ByFunctions):
    """Multiply the current learning rates by a function of the epoch.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer whose learning rates are set.
    lr_lambda : callable or list of callable
        A function that returns the factor of an epoch, for all groups or one per group.
    last_epoch : int
        The epoch after which to resume; -1 starts from the beginning.

    Raises
    ------
    ValueError
        If the number of functions differs from the number of groups.
    TypeError
        If a function is not callable.

    References
    ----------
    PyTorch's ``lr_scheduler.MultiplicativeLR``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = MultiplicativeLR(optimizer, lambda epoch: 0.5)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(optimizer.param_groups[0]["lr"], 4))
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [1.0, 0.5, 0.25, 0.125]
    """

    def _check(self):
        for function in self.lr_lambdas:
            if not callable(function):
                raise TypeError(
                    f"lr_lambda should be a function, but got {type(function).__name__}"
                )

    def get_lr(self):
        """Return the current rates times the factors of this epoch."""
        _warn_get_lr_called_within_step(self)
        if self._is_initial:
            return values_of(self.optimizer, "lr")
        pairs = zip(self.optimizer.param_groups, self.lr_lambdas, strict=True)
        return [group["lr"] * function(self.last_epoch) for group, function in pairs]
