"""Schedules that raise and lower rate and momentum against each other: `CyclicLR`, `OneCycleLR`."""

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
    """What the two share: the momentum, or beta1, that goes down while the rate goes up."""

    def _start_momentum(self, base_momentum, max_momentum, anew):
        """Find out what the optimizer calls it; give its bounds for each group."""
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
    """Move the rates up and down between two bounds, a step for each batch.

    Parameters
    ----------
    optimizer : Optimizer
        Whose rates are set.
    base_lr, max_lr : float or list of float
        The bounds, for all groups or for each.
    step_size_up, step_size_down : int
        The steps of the way up and of the way down, by default as many.
    mode : "triangular", "triangular2" or "exp_range"
        The height of the cycles: the same, half of the last, or ``gamma ** steps``.
    gamma : float
        See `mode`.
    scale_fn : callable, optional
        Gives the height, in place of `mode`.
    scale_mode : "cycle" or "iterations"
        What `scale_fn` is called with.
    cycle_momentum : bool
        Move the momentum, too, down while the rates go up.
    base_momentum, max_momentum : float or list of float
        Its bounds.
    last_epoch : int
        The step to go on after; -1 starts anew.

    Raises
    ------
    ValueError
        If the mode is unknown, or a list has not as many values as there are groups, or the
        optimizer has no momentum.

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
        """The height of a cycle, by its number or by the steps."""
        custom = self._scale_fn_custom
        return self._scale_fn_ref(x) if custom is None else custom(x)

    def get_lr(self):
        """The rates of this step; sets the momentum."""
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
        """All that the scheduler knows; of a function nothing, of an object its attributes."""
        state = super().state_dict()
        state.pop("_scale_fn_ref", None)
        custom = state.pop("_scale_fn_custom")
        plain = custom is None or isinstance(custom, types.FunctionType)
        state["_scale_fn_custom"] = None if plain else custom.__dict__.copy()
        return state

    def load_state_dict(self, state_dict):
        """Take over what `state_dict` has returned."""
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
    """Raise the rates once, then let them fall far below the first, a step for each batch.

    Parameters
    ----------
    optimizer : Optimizer
        Whose rates are set.
    max_lr : float or list of float
        The largest rate, for all groups or for each.
    total_steps : int, optional
        The steps of the cycle; or `epochs` times `steps_per_epoch`.
    epochs, steps_per_epoch : int, optional
        See `total_steps`.
    pct_start : float
        The share of the steps that the way up takes.
    anneal_strategy : "cos" or "linear"
        The form of the ways.
    cycle_momentum : bool
        Move the momentum, too, down while the rates go up.
    base_momentum, max_momentum : float or list of float
        Its bounds.
    div_factor : float
        The largest rate divided by the first.
    final_div_factor : float
        The first rate divided by the last.
    three_phase : bool
        Come down to the first rate as fast as up, and then to the last.
    last_epoch : int
        The step to go on after; -1 starts anew.

    Raises
    ------
    ValueError
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
        """The rates of this step; sets the momentum."""
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
    """The two forms of a way from one rate to another."""
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
    """The ends of the phases; the last step of each belongs to it, hence the subtractions."""

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
