"""Cosine schedules: `CosineAnnealingLR` and `CosineAnnealingWarmRestarts`."""

import math

from minitorch.optim.lr_scheduler._base import (
    LRScheduler,
    _enable_get_lr_call,
    _warn_get_lr_called_within_step,
    values_of,
)


class CosineAnnealingLR(LRScheduler):
    """Decrease the learning rates along a half cosine, and increase them again.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer whose learning rates are set.
    T_max : int
        The epoch at which the rates reach their minimum.
    eta_min : float
        The minimum rate.
    last_epoch : int
        The epoch after which to resume; -1 starts from the beginning.

    Raises
    ------
    TypeError
        If `optimizer` is not an `Optimizer`.

    Notes
    -----
    The rate at epoch ``t`` is ``eta_min + (lr - eta_min) * (1 + cos(pi * t / T_max)) / 2``.

    References
    ----------
    Loshchilov, Hutter: SGDR: Stochastic gradient descent with warm restarts, ICLR 2017. PyTorch's
    ``lr_scheduler.CosineAnnealingLR``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = CosineAnnealingLR(optimizer, T_max=2)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(optimizer.param_groups[0]["lr"], 4))
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [1.0, 0.5, 0.0, 0.5]
    """

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Return the rates of this epoch, computed from the current ones."""
        _warn_get_lr_called_within_step(self)
        if self._is_initial:
            return values_of(self.optimizer, "lr")
        if self._step_count == 1 and self.last_epoch > 0:
            return self._get_closed_form_lr()
        groups, span = self.optimizer.param_groups, self.T_max
        if (self.last_epoch - 1 - span) % (2 * span) == 0:
            # at the minimum rate the ratio below would be 0 / 0
            rise = (1 - math.cos(math.pi / span)) / 2
            pairs = zip(self.base_lrs, groups, strict=True)
            return [group["lr"] + (base - self.eta_min) * rise for base, group in pairs]
        now = 1 + math.cos(math.pi * self.last_epoch / span)
        before = 1 + math.cos(math.pi * (self.last_epoch - 1) / span)
        return [now / before * (g["lr"] - self.eta_min) + self.eta_min for g in groups]

    def _get_closed_form_lr(self):
        wave = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        return [self.eta_min + (base - self.eta_min) * wave / 2 for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Decrease the learning rates along a half cosine, then restart with a longer period.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer whose learning rates are set.
    T_0 : int
        The number of epochs until the first restart.
    T_mult : int
        The ratio of each period to the one before.
    eta_min : float
        The minimum rate.
    last_epoch : int
        The epoch after which to resume; -1 starts from the beginning.

    Raises
    ------
    ValueError
        If a period is not a positive integer, or `eta_min` is not a number.

    References
    ----------
    Loshchilov, Hutter: SGDR: Stochastic gradient descent with warm restarts, ICLR 2017. PyTorch's
    ``lr_scheduler.CosineAnnealingWarmRestarts``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = CosineAnnealingWarmRestarts(optimizer, T_0=2)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(optimizer.param_groups[0]["lr"], 4))
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [1.0, 0.5, 1.0, 0.5]
    """

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, float | int):
            raise ValueError(
                f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}"
            )
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Return the rates at the current position in the period."""
        _warn_get_lr_called_within_step(self)
        wave = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        return [self.eta_min + (base - self.eta_min) * wave / 2 for base in self.base_lrs]

    def step(self, epoch=None):
        """Advance to the next epoch and set the learning rates.

        Parameters
        ----------
        epoch : float, optional
            The epoch to advance to; it may be fractional.

        Raises
        ------
        ValueError
            If the epoch is negative.
        """
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        elif epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        elif epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            # the lengths of the previous periods form a geometric series
            ratio = self.T_mult
            periods = int(math.log(epoch / self.T_0 * (ratio - 1) + 1, ratio))
            self.T_cur = epoch - self.T_0 * (ratio**periods - 1) / (ratio - 1)
            self.T_i = self.T_0 * ratio**periods
        self.last_epoch = math.floor(epoch)
        with _enable_get_lr_call(self):
            self._set(self.get_lr())
