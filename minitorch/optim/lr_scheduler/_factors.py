"""Schedules that multiply the rates by a factor: stepwise, linear, exponential or polynomial."""

from bisect import bisect_right
from collections import Counter

from minitorch.optim.lr_scheduler._base import FactorLR


class StepLR(FactorLR):
    """Multiply the learning rates by `gamma` every `step_size` epochs.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer whose learning rates are set.
    step_size : int
        The number of epochs between two changes.
    gamma : float
        The factor.
    last_epoch : int
        The epoch after which to resume; -1 starts from the beginning.

    Raises
    ------
    TypeError
        If `optimizer` is not an `Optimizer`.

    References
    ----------
    PyTorch's ``lr_scheduler.StepLR``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = StepLR(optimizer, step_size=2)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(optimizer.param_groups[0]["lr"], 4))
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [1.0, 1.0, 0.1, 0.1]
    """

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self):
        changes = self.last_epoch != 0 and self.last_epoch % self.step_size == 0
        return self.gamma if changes else None

    def _closed_factor(self):
        return self.gamma ** (self.last_epoch // self.step_size)


class MultiStepLR(FactorLR):
    """Multiply the learning rates by `gamma` at given epochs.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer whose learning rates are set.
    milestones : iterable of int
        The epochs. An epoch that appears twice is applied twice.
    gamma : float
        The factor.
    last_epoch : int
        The epoch after which to resume; -1 starts from the beginning.

    Raises
    ------
    TypeError
        If `optimizer` is not an `Optimizer`.

    References
    ----------
    PyTorch's ``lr_scheduler.MultiStepLR``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = MultiStepLR(optimizer, [1, 3], gamma=0.5)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(optimizer.param_groups[0]["lr"], 4))
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [1.0, 0.5, 0.5, 0.25]
    """

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self):
        if self.last_epoch not in self.milestones:
            return None
        return self.gamma ** self.milestones[self.last_epoch]

    def _closed_factor(self):
        return self.gamma ** bisect_right(sorted(self.milestones.elements()), self.last_epoch)


class ConstantLR(FactorLR):
    """Multiply the learning rates by a factor until a given epoch.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer whose learning rates are set.
    factor : float
        The factor of the initial epochs.
    total_iters : int
        The epoch from which on the full rates apply.
    last_epoch : int
        The epoch after which to resume; -1 starts from the beginning.

    Raises
    ------
    ValueError
        If the factor is not in [0, 1].

    References
    ----------
    PyTorch's ``lr_scheduler.ConstantLR``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ConstantLR(optimizer, factor=0.5, total_iters=2)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(optimizer.param_groups[0]["lr"], 4))
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [0.5, 0.5, 1.0, 1.0]
    """

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self):
        if self.last_epoch == 0:
            return self.factor
        return 1.0 / self.factor if self.last_epoch == self.total_iters else None

    def _closed_factor(self):
        return self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)


class LinearLR(FactorLR):
    """Change the factor of the learning rates linearly between two values.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer whose learning rates are set.
    start_factor, end_factor : float
        The factors at the start, and from `total_iters` on.
    total_iters : int
        The number of epochs between the two.
    last_epoch : int
        The epoch after which to resume; -1 starts from the beginning.

    Raises
    ------
    ValueError
        If a factor is not in [0, 1], or the first is 0.

    References
    ----------
    PyTorch's ``lr_scheduler.LinearLR``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = LinearLR(optimizer, start_factor=0.5, total_iters=2)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(optimizer.param_groups[0]["lr"], 4))
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [0.5, 0.75, 1.0, 1.0]
    """

    def __init__(
        self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1
    ):
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less or equal "
                "to 1."
            )
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self):
        if self.last_epoch == 0:
            return self.start_factor
        if self._is_initial or self.last_epoch > self.total_iters:
            return None
        rise = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * rise
        return 1.0 + rise / before

    def _closed_factor(self):
        rise = self.end_factor - self.start_factor
        return self.start_factor + rise * min(self.total_iters, self.last_epoch) / self.total_iters


class ExponentialLR(FactorLR):
    """Multiply the learning rates by `gamma` at every epoch.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer whose learning rates are set.
    gamma : float
        The factor.
    last_epoch : int
        The epoch after which to resume; -1 starts from the beginning.

    Raises
    ------
    TypeError
        If `optimizer` is not an `Optimizer`.

    References
    ----------
    PyTorch's ``lr_scheduler.ExponentialLR``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ExponentialLR(optimizer, gamma=0.5)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(optimizer.param_groups[0]["lr"], 4))
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [1.0, 0.5, 0.25, 0.125]
    """

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self):
        return None if self._is_initial else self.gamma

    def _closed_factor(self):
        return self.gamma**self.last_epoch


class PolynomialLR(FactorLR):
    """Decrease the learning rates to zero as a power of the remaining epochs.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer whose learning rates are set.
    total_iters : int
        The epoch at which the rates reach zero.
    power : float
        The exponent.
    last_epoch : int
        The epoch after which to resume; -1 starts from the beginning.

    Raises
    ------
    TypeError
        If `optimizer` is not an `Optimizer`.

    References
    ----------
    PyTorch's ``lr_scheduler.PolynomialLR``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = PolynomialLR(optimizer, total_iters=4)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(optimizer.param_groups[0]["lr"], 4))
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [1.0, 0.75, 0.5, 0.25]
    """

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def _factor(self):
        if self._is_initial or self.last_epoch > self.total_iters:
            return None
        left = 1.0 - self.last_epoch / self.total_iters
        before = 1.0 - (self.last_epoch - 1) / self.total_iters
        return (left / before) ** self.power

    def _closed_factor(self):
        return (1.0 - min(self.total_iters, self.last_epoch) / self.total_iters) ** self.power
