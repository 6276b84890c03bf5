"""Schedules that move learning rate and momentum in opposite directions."""

import math
import types
from functools import partial

from minitorch.optim.lr_scheduler._base import (
    LRScheduler,
    _warn_get_lr_called_within_step,
    check_optimizer,
    per_group,
    set_value,
)


def _set_momentum(group, value, use_beta1):
    if use_beta1:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value


class _WithMomentum(LRScheduler):
    """The base of both classes: cycles momentum, or beta1, opposite to the learning rate."""

    def _start_momentum(self, base_momentum, max_momentum, anew):
        """Find the optimizer's name for momentum and return its bounds for each group."""
        optimizer = self.optimizer
        if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
            raise ValueError(
                "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
            )
        self.use_beta1 = "betas" in optimizer.defaults
        least = per_group("base_momentum", optimizer, base_momentum)
        most = per_group("max_momentum", optimizer, max_momentum)
        if anew:
            for group, low, high in zip(optimizer.param_groups, least, most, strict=True):
                _set_momentum(group, high, self.use_beta1)
                group["max_momentum"] = high
                group["base_momentum"] = low
        return least, most


class CyclicLR(_WithMomentum):
    """Move the learning rates up and down between two bounds, one step per batch.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer whose learning rates are set.
    base_lr, max_lr : float or list of float
        The bounds, for all groups or for each.
    step_size_up, step_size_down : int
        The number of steps up and down; equal by default.
    mode : "triangular", "triangular2" or "exp_range"
        The amplitude of the cycles: constant, halved each cycle, or ``gamma ** steps``.
    gamma : float
        See `mode`.
    scale_fn : callable, optional
        A function that returns the amplitude, in place of `mode`.
    scale_mode : "cycle" or "iterations"
        The argument of `scale_fn`: the cycle number or the step.
    cycle_momentum : bool
        Also cycle the momentum, decreasing it while the rates increase.
    base_momentum, max_momentum : float or list of float
        The bounds of the momentum.
    last_epoch : int
        The step after which to resume; -1 starts from the beginning.

    Raises
    ------
    ValueError
        If the mode is unknown, a list has the wrong length, or the optimizer has no momentum.

    References
    ----------
    Smith: Cyclical learning rates for training neural networks, WACV 2017. PyTorch's
    ``lr_scheduler.CyclicLR``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = CyclicLR(optimizer, base_lr=0.1, max_lr=0.5, step_size_up=2)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(optimizer.param_groups[0]["lr"], 4))
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [0.1, 0.3, 0.5, 0.3]
    """

    def __init__(
        self,
        optimizer,
        base_lr,
        max_lr,
        step_size_up=2000,
        step_size_down=None,
        mode="triangular",
        gamma=1.0,
        scale_fn=None,
        scale_mode="cycle",
        cycle_momentum=True,
        base_momentum=0.8,
        max_momentum=0.9,
        last_epoch=-1,
    ):
        check_optimizer(optimizer)
        self.optimizer = optimizer
        base_lrs = per_group("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for group, lr in zip(optimizer.param_groups, base_lrs, strict=True):
                set_value(group, "lr", lr)
        self.max_lrs = per_group("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode
        self._init_scale_fn()
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.base_momentums, self.max_momentums = self._start_momentum(
                base_momentum, max_momentum, last_epoch == -1
            )
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def _init_scale_fn(self):
        if self._scale_fn_custom is None:
            function, self.scale_mode = {
                "triangular": (_same, "cycle"),
                "triangular2": (_halved, "cycle"),
                "exp_range": (partial(_exponential, self.gamma), "iterations"),
            }[self.mode]
            self._scale_fn_ref = function

    def scale_fn(self, x):
        """Return the amplitude for a cycle number or step."""
        custom = self._scale_fn_custom
        return self._scale_fn_ref(x) if custom is None else custom(x)

    def get_lr(self):
        """Return the rates of this step, and set the momentum."""
        _warn_get_lr_called_within_step(self)
        progress = self.last_epoch / self.total_size
        cycle = math.floor(1 + progress)
        x = 1.0 + progress - cycle
        rise = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        height = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            bounds = zip(
                self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True
            )
            for group, low, high in bounds:
                _set_momentum(group, high - (high - low) * rise * height, self.use_beta1)
        bounds = zip(self.base_lrs, self.max_lrs, strict=True)
        return [low + (high - low) * rise * height for low, high in bounds]

    def state_dict(self):
        """Return all attributes except the optimizer.

        A plain `scale_fn` function is not saved; of a callable object, its attributes are.
        """
        state = super().state_dict()
        state.pop("_scale_fn_ref", None)
        custom = state.pop("_scale_fn_custom")
        plain = custom is None or isinstance(custom, types.FunctionType)
        state["_scale_fn_custom"] = None if plain else custom.__dict__.copy()
        return state

    def load_state_dict(self, state_dict):
        """Load a state returned by `state_dict`."""
        attributes = state_dict.pop("_scale_fn_custom")
        super().load_state_dict(state_dict)
        if attributes is not None:
            self._scale_fn_custom.__dict__.update(attributes)
        self._init_scale_fn()


def _same(cycle):
    return 1.0


def _halved(cycle):
    return 1 / 2.0 ** (cycle - 1)


def _exponential(gamma, steps):
    return gamma**steps


class OneCycleLR(_WithMomentum):
    """Increase the rates once, then decrease them far below the initial value, one step per batch.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer whose learning rates are set.
    max_lr : float or list of float
        The maximum rate, for all groups or for each.
    total_steps : int, optional
        The number of steps of the cycle; by default `epochs` times `steps_per_epoch`.
    epochs, steps_per_epoch : int, optional
        See `total_steps`.
    pct_start : float
        The fraction of the steps in which the rates increase.
    anneal_strategy : "cos" or "linear"
        The shape of each phase.
    cycle_momentum : bool
        Also cycle the momentum, decreasing it while the rates increase.
    base_momentum, max_momentum : float or list of float
        The bounds of the momentum.
    div_factor : float
        The ratio of the maximum rate to the initial rate.
    final_div_factor : float
        The ratio of the initial rate to the final rate.
    three_phase : bool
        Decrease to the initial rate in as many steps as the increase took, then to the final rate.
    last_epoch : int
        The step after which to resume; -1 starts from the beginning.

    Raises
    ------
    If the number of steps is missing or not positive, an option is out of range, the optimizer has
    no momentum, or (from `step`) the cycle is over.
        If the steps are not given or not positive, an option is out of its range, the optimizer
        has no momentum, or (from `step`) the cycle is over.

    References
    ----------
    Smith, Topin: Super-convergence: Very fast training of neural networks using large learning
    rates, 2019. PyTorch's ``lr_scheduler.OneCycleLR``.

    Examples
    --------
    >>> import minitorch as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = OneCycleLR(optimizer, max_lr=1.0, total_steps=10)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(optimizer.param_groups[0]["lr"], 4))
    ...     optimizer.step()
    ...     scheduler.step()
    >>> rates
    [0.04, 0.52, 1.0, 0.9505]
    """

    def __init__(
        self,
        optimizer,
        max_lr,
        total_steps=None,
        epochs=None,
        steps_per_epoch=None,
        pct_start=0.3,
        anneal_strategy="cos",
        cycle_momentum=True,
        base_momentum=0.85,
        max_momentum=0.95,
        div_factor=25.0,
        final_div_factor=1e4,
        three_phase=False,
        last_epoch=-1,
    ):
        check_optimizer(optimizer)
        self.optimizer = optimizer
        self.total_steps = _total(total_steps, epochs, steps_per_epoch)
        self._schedule_phases = _phases(self.total_steps, pct_start, three_phase)
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        check_strategy(anneal_strategy)
        self._anneal_func_type = anneal_strategy
        max_lrs = per_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, highest in zip(optimizer.param_groups, max_lrs, strict=True):
                group["initial_lr"] = highest / div_factor
                group["max_lr"] = highest
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._start_momentum(base_momentum, max_momentum, last_epoch == -1)
        super().__init__(optimizer, last_epoch)

    def _anneal_func(self, start, end, share):
        if self._anneal_func_type == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)

    def get_lr(self):
        """Return the rates of this step, and set the momentum."""
        _warn_get_lr_called_within_step(self)
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(
                f"Tried to step {step} times. The specified number of total steps is "
                f"{self.total_steps}"
            )
        start = 0.0
        last = self._schedule_phases[-1]
        for phase in self._schedule_phases:
            end = phase["end_step"]
            if step <= end or phase is last:
                break
            start = end
        share = (step - start) / (end - start)
        rates = []
        for group in self.optimizer.param_groups:
            ends = group[phase["start_lr"]], group[phase["end_lr"]]
            rates.append(self._anneal_func(*ends, share))
            if self.cycle_momentum:
                ends = group[phase["start_momentum"]], group[phase["end_momentum"]]
                _set_momentum(group, self._anneal_func(*ends, share), self.use_beta1)
        return rates


def check_strategy(anneal_strategy):
    """Raise ValueError unless the strategy is "cos" or "linear"."""
    if anneal_strategy not in ("cos", "linear"):
        raise ValueError(
            f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
        )


def _total(total_steps, epochs, steps_per_epoch):
    if total_steps is not None:
        given = {"total_steps": total_steps}
    elif epochs is not None and steps_per_epoch is not None:
        given = {"epochs": epochs, "steps_per_epoch": steps_per_epoch}
    else:
        raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
    for name, value in given.items():
        if value <= 0 or not isinstance(value, int):
            raise ValueError(f"Expected positive integer {name}, but got {value}")
    return math.prod(given.values())


def _phases(total, share, three):
    """Return the phases.

    `end_step` is the last step of a phase, inclusive, hence the subtractions.
    """

    def phase(end, *ends):
        names = ("start_lr", "end_lr", "start_momentum", "end_momentum")
        return {"end_step": end, **dict(zip(names, ends, strict=True))}

    top = float(share * total) - 1
    up = phase(top, "initial_lr", "max_lr", "max_momentum", "base_momentum")
    if not three:
        return [up, phase(total - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")]
    turn = float(2 * share * total) - 2
    return [
        up,
        phase(turn, "max_lr", "initial_lr", "base_momentum", "max_momentum"),
        phase(total - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"),
    ]
