"""`ReduceLROnPlateau`: lower the learning rates when a metric stops improving."""

import math
import warnings

from minitorch.optim.lr_scheduler._base import (
    EPOCH_DEPRECATION_WARNING,
    LRScheduler,
    check_optimizer,
    set_value,
    values_of,
)

# initial values that any metric improves on
_WORST = {"min": math.inf, "max": -math.inf}
# the bound that a value must pass, from the best value and the signed threshold
_BOUNDS = {
    "rel": lambda best, threshold: best * (1.0 + threshold),
    "abs": lambda best, threshold: best + threshold,
}


class ReduceLROnPlateau(LRScheduler):
    """Reduce the learning rates when a metric, such as the validation loss, stops improving.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer whose learning rates are set.
    mode : "min" or "max"
        Whether a lower or a higher value is better.
    factor : float
        The factor by which the rates are multiplied; less than 1.
    patience : int
        The number of epochs without improvement to tolerate.
    threshold : float
        The smallest change that counts as an improvement.
    threshold_mode : "rel" or "abs"
        Whether the threshold is relative to the best value or absolute.
    cooldown : int
        The number of epochs after a reduction in which no epoch is counted.
    min_lr : float or list of float
        The lower bounds of the rates.
    eps : float
        Skip a reduction smaller than this.

    Raises
    ------
    ValueError
        If the factor is not less than 1, a mode is unknown, or `min_lr` has the wrong length.

    References
    ----------
    PyTorch's ``lr_scheduler.ReduceLROnPlateau``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ReduceLROnPlateau(optimizer, patience=1)
    >>> for loss in [3.0, 2.0, 2.0, 2.0]:
    ...     scheduler.step(loss)
    >>> scheduler.get_last_lr()
    [0.1]
    """

    def __init__(
        self,
        optimizer,
        mode="min",
        factor=0.1,
        patience=10,
        threshold=1e-4,
        threshold_mode="rel",
        cooldown=0,
        min_lr=0,
        eps=1e-8,
    ):
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        check_optimizer(optimizer)
        groups = len(optimizer.param_groups)
        each = isinstance(min_lr, list | tuple)
        if each and len(min_lr) != groups:
            raise ValueError(f"expected {groups} min_lrs, got {len(min_lr)}")
        self.optimizer = optimizer
        # in the order of the entries in `state_dict`
        self.factor = factor
        # for groups that are added later
        self.default_min_lr = None if each else min_lr
        self.min_lrs = list(min_lr) if each else [min_lr] * groups
        self.patience, self.cooldown, self.eps = patience, cooldown, eps
        self.last_epoch = 0
        self._last_lr = values_of(optimizer, "lr")
        self.mode_worse = None
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self._check_modes()
        self._reset()

    def _check_modes(self):
        if self.mode not in _WORST:
            raise ValueError("mode " + self.mode + " is unknown!")
        if self.threshold_mode not in _BOUNDS:
            raise ValueError("threshold mode " + self.threshold_mode + " is unknown!")
        self.mode_worse = _WORST[self.mode]

    def _reset(self):
        """Reset the best value and the counters."""
        self.best, self.cooldown_counter, self.num_bad_epochs = self.mode_worse, 0, 0

    @property
    def in_cooldown(self):
        """True if the scheduler is in the cooldown period after a reduction."""
        return self.cooldown_counter > 0

    def step(self, metrics, epoch=None):
        """Record the metric of an epoch, and reduce the rates if it has stopped improving.

        Parameters
        ----------
        metrics : float or Tensor
            The metric.
        epoch : int, optional
            The number of the epoch; deprecated.
        """
        value = float(metrics)
        if epoch is not None:
            warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=2)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        improved, resting = self._is_better(value, self.best), self.in_cooldown
        if improved:
            self.best = value
        if resting:
            self.cooldown_counter -= 1
        self.num_bad_epochs = 0 if improved or resting else self.num_bad_epochs + 1
        if self.num_bad_epochs > self.patience:
            self._reduce_lr(self.last_epoch)
            self.num_bad_epochs, self.cooldown_counter = 0, self.cooldown
        self._last_lr = values_of(self.optimizer, "lr")

    def _is_better(self, a, best):
        """Return True if a value improves on the best one by more than the threshold."""
        sign = math.copysign(1.0, -self.mode_worse)
        bound = _BOUNDS[self.threshold_mode](best, sign * self.threshold)
        return sign * a > sign * bound

    def _reduce_lr(self, epoch):
        """Reduce the rate of every group, down to its lower bound."""
        for group, least in zip(self.optimizer.param_groups, self._least(), strict=True):
            before = float(group["lr"])
            after = max(before * self.factor, least)
            # skip changes of at most `eps`
            if before - after > self.eps:
                set_value(group, "lr", after)

    def _least(self):
        """Return the lower bound of each current group."""
        groups = len(self.optimizer.param_groups)
        if len(self.min_lrs) == groups:
            return self.min_lrs
        if self.default_min_lr is None:
            raise RuntimeError(
                f"The number of param groups in the `optimizer` ({groups}) differs from "
                f"when `ReduceLROnPlateau` was initialized ({len(self.min_lrs)}), usually due "
                "to a new param group being added to the optimizer. Please modify the "
                "`min_lrs` field to match the length of the `optimizer` param groups."
            )
        self.min_lrs = [self.default_min_lr] * groups
        return self.min_lrs

    def load_state_dict(self, state_dict):
        """Load a state returned by `state_dict`."""
        self.__dict__.update(state_dict)
        self._check_modes()
