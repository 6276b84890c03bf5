"""`ReduceLROnPlateau`: lower the rates when a measured value improves no more."""

import math
import warnings

from minitorch.optim.lr_scheduler._base import (
    EPOCH_DEPRECATION_WARNING,
    LRScheduler,
    check_optimizer,
    set_value,
    values_of,
)

# what any value is better than
_WORST = {"min": math.inf, "max": -math.inf}
# from the best value, and the threshold with its sign, what a value must be beyond
_BOUNDS = {
    "rel": lambda best, threshold: best * (1.0 + threshold),
    "abs": lambda best, threshold: best + threshold,
}


class ReduceLROnPlateau(LRScheduler):
    """Multiply the rates when a value, as the loss of validation, has stopped improving.

    Parameters
    ----------
    optimizer : Optimizer
        Whose rates are set.
    mode : "min" or "max"
        Whether the value should fall or rise.
    factor : float
        What the rates are multiplied with, less than 1.
    patience : int
        How many epochs without improvement are allowed.
    threshold : float
        The least improvement that counts.
    threshold_mode : "rel" or "abs"
        Whether the threshold is a share of the best value or a difference.
    cooldown : int
        The epochs after a change in which nothing is counted.
    min_lr : float or list of float
        The least rates.
    eps : float
        A smaller change is not made.

    Raises
    ------
    ValueError
        If the factor is not less than 1, a mode is unknown, or the least rates are not as many as
        the groups.

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
        # in the order in which `state_dict` has them
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
        """Forget all values."""
        self.best, self.cooldown_counter, self.num_bad_epochs = self.mode_worse, 0, 0

    @property
    def in_cooldown(self):
        """Whether epochs without improvement are not counted now."""
        return self.cooldown_counter > 0

    def step(self, metrics, epoch=None):
        """Look at the value of an epoch, and lower the rates if it is time.

        Parameters
        ----------
        metrics : float or Tensor
            The value.
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
        """Whether a value is beyond the best one by the threshold."""
        sign = math.copysign(1.0, -self.mode_worse)
        bound = _BOUNDS[self.threshold_mode](best, sign * self.threshold)
        return sign * a > sign * bound

    def _reduce_lr(self, epoch):
        """Multiply the rates."""
        for group, least in zip(self.optimizer.param_groups, self._least(), strict=True):
            before = float(group["lr"])
            after = max(before * self.factor, least)
            # what changes by less is left as it is
            if before - after > self.eps:
                set_value(group, "lr", after)

    def _least(self):
        """The least rate of each group there is now."""
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
        """Take over what `state_dict` has returned."""
        self.__dict__.update(state_dict)
        self._check_modes()
