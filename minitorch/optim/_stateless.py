"""Temporarily run an optimizer on other parameters and another state."""

import contextlib
from collections import defaultdict

from minitorch._tensor import Tensor

__all__ = ["swap_in_optimizer_params_and_state"]

_REQUIRES = "swap_in_optimizer_params_and_state requires "
_STYLE = _REQUIRES + "optimizer.state_dict()-style "


def _check(condition, text):
    if not condition:
        raise RuntimeError(text)


@contextlib.contextmanager
def swap_in_optimizer_params_and_state(optimizer, swapin_parameters, swapin_optim_state):
    """Return a context manager in which an optimizer uses other parameters and their state.

    Tensors of the given state that are modified in place change for the caller too. Entries added
    to the state inside the block are discarded when it exits.

    Parameters
    ----------
    optimizer : Optimizer
        An optimizer that has made at least one step.
    swapin_parameters : dict of Tensor
        The parameters, in the order of the optimizer's own.
    swapin_optim_state : dict
        A state as returned by ``optimizer.state_dict()``.

    Raises
    ------
    RuntimeError
        If the state does not match this optimizer.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.ones(1, requires_grad=True)
    >>> optimizer = torch.optim.SGD([w], lr=0.5, momentum=0.5)
    >>> w.grad = torch.ones(1)
    >>> optimizer.step()
    >>> other = torch.zeros(1, requires_grad=True)
    >>> other.grad = torch.ones(1)
    >>> with torch.optim.swap_in_optimizer_params_and_state(
    ...     optimizer, {"w": other}, optimizer.state_dict()
    ... ):
    ...     optimizer.step()
    >>> w, other
    (tensor([0.5000], requires_grad=True), tensor([-0.7500], requires_grad=True))
    """
    state, groups = _checked(optimizer, swapin_optim_state)
    parameters = _divided(groups, list(swapin_parameters.values()))
    own_state, own_groups = optimizer.state, [dict(group) for group in optimizer.param_groups]
    swapped = defaultdict(dict)
    try:
        for live, group, params in zip(optimizer.param_groups, groups, parameters, strict=True):
            live.update(group, params=params)
            for param, number in zip(params, group["params"], strict=True):
                swapped[param] = dict(state.get(number, {}))
        optimizer.state = swapped
        yield
    finally:
        for live, own in zip(optimizer.param_groups, own_groups, strict=True):
            live.clear()
            live.update(own)
        optimizer.state = own_state


def _checked(optimizer, given):
    """Check the given state and return its state and groups."""
    _check(optimizer.state, _REQUIRES + "initialized optimizer state.")
    _check(isinstance(given, dict), _REQUIRES + "a DCP-style optimizer state_dict.")
    state, groups = given.get("state"), given.get("param_groups")
    _check(
        isinstance(state, dict),
        f"{_REQUIRES}swapin_optim_state['state'] to be a dict mapping packed parameter ids to "
        f"per-param state dicts, got {type(state).__name__}.",
    )
    _check(
        not any(isinstance(key, Tensor) for key in state),
        _STYLE + "state keyed by packed parameter ids.",
    )
    _check(
        all(isinstance(value, dict) for key, value in state.items() if isinstance(key, int)),
        _REQUIRES + "per-parameter optimizer state entries to be dictionaries.",
    )
    _check(
        isinstance(groups, list),
        f"{_REQUIRES}swapin_optim_state['param_groups'] to be a list of param-group dicts, got "
        f"{type(groups).__name__}.",
    )
    _check(
        len(optimizer.param_groups) == len(groups),
        "swapin_optim_state has a different number of parameter groups than the live optimizer.",
    )
    for index, (live, group) in enumerate(zip(optimizer.param_groups, groups, strict=True)):
        _check_group(index, live, group)
    numbers = {number for group in groups for number in group["params"]}
    more = [key for key in state if key not in numbers]
    _check(
        not more,
        f"{_REQUIRES}swapin_optim_state['state'] to be keyed only by packed parameter ids from "
        f"param_groups[*]['params']; got extra keys {more!r}.",
    )
    return state, groups


def _check_group(index, live, group):
    _check(isinstance(group, dict), _REQUIRES + "each optimizer param group to be a dictionary.")
    numbers = group.get("params")
    _check(
        isinstance(numbers, list) and all(isinstance(number, int) for number in numbers),
        _STYLE + "param_groups[*]['params'] entries keyed by packed parameter ids.",
    )
    _check(
        len(live["params"]) == len(numbers),
        f"swapin_optim_state param group {index} has a different number of params than the live "
        "optimizer param group.",
    )
    ours, theirs = [k for k in group if k not in live], [k for k in live if k not in group]
    _check(
        not ours and not theirs,
        f"{_STYLE}param group keys to exactly match the live optimizer group keys for group {index}. "
        f"Keys only in swap-in: {ours}. Keys only in live: {theirs}.",
    )


def _divided(groups, parameters):
    """Return the list of parameters of each group."""
    _check(
        sum(len(group["params"]) for group in groups) <= len(parameters),
        _REQUIRES + "the explicit parameter state to match optimizer.param_groups ordering.",
    )
    left = iter(parameters)
    return [[next(left) for _ in group["params"]] for group in groups]
