"""State dicts of modules and optimizers whose names do not depend on how the module is wrapped."""

from collections import OrderedDict
from dataclasses import dataclass

from minitorch._tensor import Tensor
from minitorch.autograd.functions.creation import zeros_like
from minitorch.nn.parallel.distributed import DistributedDataParallel
from minitorch.optim.optimizer import Optimizer

__all__ = [
    "StateDictOptions",
    "get_model_state_dict",
    "get_optimizer_state_dict",
    "get_state_dict",
    "set_model_state_dict",
    "set_optimizer_state_dict",
    "set_state_dict",
]


@dataclass
class StateDictOptions:
    """Options of the functions of this module.

    Attributes
    ----------
    full_state_dict, cpu_offload : bool
        Every tensor is whole and on the CPU in any case.
    ignore_frozen_params : bool
        Leave out parameters that do not require gradients.
    keep_submodule_prefixes : bool
        Not used.
    strict : bool
        Raise if keys are missing when a module takes a state.
    broadcast_from_rank0 : bool
        Not supported.
    flatten_optimizer_state_dict : bool
        Not supported.
    dsd_fqn_modifiers : str
        Not used.

    Examples
    --------
    >>> from minitorch.distributed.checkpoint.state_dict import StateDictOptions
    >>> StateDictOptions().strict
    True
    """

    full_state_dict: bool = False
    cpu_offload: bool = False
    ignore_frozen_params: bool = False
    keep_submodule_prefixes: bool = True
    strict: bool = True
    broadcast_from_rank0: bool = False
    flatten_optimizer_state_dict: bool = False
    dsd_fqn_modifiers: str = "_fqn_modifiers"


def _options(options):
    options = options or StateDictOptions()
    if options.broadcast_from_rank0 or options.flatten_optimizer_state_dict:
        raise NotImplementedError(
            "StateDictOptions: broadcast_from_rank0 and flatten_optimizer_state_dict are not supported"
        )
    return options


def _plain(model, name):
    """Return the name of a parameter or buffer without the ``module`` of each wrapper on the way to it."""
    kept = []
    for part in name.split("."):
        if not (isinstance(model, DistributedDataParallel) and part == "module"):
            kept.append(part)
        model = getattr(model, "_modules", {}).get(part)
    return ".".join(kept)


def get_model_state_dict(model, *, submodules=None, options=None):
    """Return the state dict of a module, with names as if nothing wrapped it.

    Parameters
    ----------
    model : Module
    submodules : None
        Not supported.
    options : StateDictOptions, optional

    Returns
    -------
    dict

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.distributed.checkpoint.state_dict import get_model_state_dict
    >>> list(get_model_state_dict(torch.nn.Linear(1, 1)))
    ['weight', 'bias']
    """
    if submodules is not None:
        raise NotImplementedError("get_model_state_dict: submodules is not supported")
    frozen = set()
    if _options(options).ignore_frozen_params:
        frozen = {name for name, p in model.named_parameters() if not p.requires_grad}
    return OrderedDict(
        (_plain(model, name), value)
        for name, value in model.state_dict().items()
        if name not in frozen
    )


def set_model_state_dict(model, model_state_dict, *, options=None):
    """Give a module the state that `get_model_state_dict` returned.

    Parameters
    ----------
    model : Module
    model_state_dict : dict
    options : StateDictOptions, optional

    Returns
    -------
    NamedTuple
        ``missing_keys`` and ``unexpected_keys``, as `Module.load_state_dict`.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.distributed.checkpoint import state_dict as states
    >>> model = torch.nn.Linear(1, 1)

    >>> state = states.get_model_state_dict(model)
    >>> states.set_model_state_dict(torch.nn.Linear(1, 1), state)
    <All keys matched successfully>
    """
    options = _options(options)
    names = {_plain(model, name): name for name in model.state_dict()}
    given = {names.get(name, name): value for name, value in model_state_dict.items()}
    return model.load_state_dict(given, strict=options.strict)


def _optimizers(optimizers):
    return (optimizers,) if isinstance(optimizers, Optimizer) else tuple(optimizers)


def _names_of(model, optimizer):
    """Return for each group of an optimizer the names of its parameters."""
    names = {id(parameter): _plain(model, name) for name, parameter in model.named_parameters()}
    return [[names[id(p)] for p in group["params"]] for group in optimizer.param_groups]


def _start(optimizer):
    """Let an optimizer that has not stepped make its state, by a step with gradients and learning rate 0."""
    parameters = [p for group in optimizer.param_groups for p in group["params"] if p.requires_grad]
    if optimizer.state or any(p.grad is not None for p in parameters):
        return
    for parameter in parameters:
        parameter.grad = zeros_like(parameter)
    rates = [group.get("lr") for group in optimizer.param_groups]
    for group in optimizer.param_groups:
        if "lr" in group:
            rate = group["lr"]
            group["lr"] = zeros_like(rate) if isinstance(rate, Tensor) else 0.0
    optimizer.step(closure=None)
    for group, rate in zip(optimizer.param_groups, rates, strict=True):
        if "lr" in group:
            group["lr"] = rate
    optimizer.zero_grad(set_to_none=True)


def get_optimizer_state_dict(model, optimizers, *, submodules=None, options=None):
    """Return the state of optimizers by the names of the parameters of a module.

    An optimizer that has not stepped makes its state now.

    Parameters
    ----------
    model : Module
    optimizers : Optimizer or iterable of Optimizer
    submodules : None
        Not supported.
    options : StateDictOptions, optional

    Returns
    -------
    dict
        ``state`` by name, and ``param_groups`` with names for parameters.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.distributed.checkpoint import state_dict as states
    >>> model = torch.nn.Linear(1, 1)
    >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

    >>> state = states.get_optimizer_state_dict(model, optimizer)
    >>> state["param_groups"][0]["params"]
    ['weight', 'bias']
    """
    if submodules is not None:
        raise NotImplementedError("get_optimizer_state_dict: submodules is not supported")
    _options(options)
    result = {"state": {}, "param_groups": []}
    for optimizer in _optimizers(optimizers):
        _start(optimizer)
        state = optimizer.state_dict()
        names = {}
        for group, labels in zip(state["param_groups"], _names_of(model, optimizer), strict=True):
            names.update(zip(group["params"], labels, strict=True))
            result["param_groups"].append({**group, "params": labels})
        result["state"].update({names[key]: value for key, value in state["state"].items()})
    return result


def set_optimizer_state_dict(model, optimizers, optim_state_dict, *, options=None):
    """Give optimizers the state that `get_optimizer_state_dict` returned.

    Parameters
    ----------
    model : Module
    optimizers : Optimizer or iterable of Optimizer
    optim_state_dict : dict
    options : StateDictOptions, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.distributed.checkpoint import state_dict as states
    >>> model = torch.nn.Linear(1, 1)
    >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

    >>> state = states.get_optimizer_state_dict(model, optimizer)
    >>> state["param_groups"][0]["lr"] = 0.01
    >>> states.set_optimizer_state_dict(model, optimizer, state)
    >>> optimizer.param_groups[0]["lr"]
    0.01
    """
    _options(options)
    for optimizer in _optimizers(optimizers):
        names = _names_of(model, optimizer)
        state = optimizer.state_dict()
        groups, values = [], {}
        for group, labels in zip(state["param_groups"], names, strict=True):
            given = _group_with(optim_state_dict["param_groups"], labels)
            groups.append({**group, **given, "params": group["params"]})
            for key, label in zip(group["params"], labels, strict=True):
                if label in optim_state_dict["state"]:
                    values[key] = optim_state_dict["state"][label]
        optimizer.load_state_dict({"state": values, "param_groups": groups})


def _group_with(groups, names):
    """Return the group of a saved state that has the given parameters."""
    for group in groups:
        if set(names) <= set(group["params"]):
            return group
    raise KeyError(f"no group of the saved state has the parameters {', '.join(names)}")


def get_state_dict(model, optimizers, *, submodules=None, options=None):
    """Return the state of a module and of its optimizers.

    Parameters
    ----------
    model : Module
    optimizers : Optimizer or iterable of Optimizer
    submodules : None
        Not supported.
    options : StateDictOptions, optional

    Returns
    -------
    tuple of dict
        The results of `get_model_state_dict` and `get_optimizer_state_dict`.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.distributed.checkpoint import state_dict as states
    >>> model = torch.nn.Linear(1, 1)
    >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

    >>> of_model, of_optimizer = states.get_state_dict(model, optimizer)
    >>> list(of_model), list(of_optimizer["state"])
    (['weight', 'bias'], ['weight', 'bias'])
    """
    return (
        get_model_state_dict(model, submodules=submodules, options=options),
        get_optimizer_state_dict(model, optimizers, submodules=submodules, options=options),
    )


def set_state_dict(model, optimizers, *, model_state_dict, optim_state_dict, options=None):
    """Give a module and its optimizers the states that `get_state_dict` returned.

    Parameters
    ----------
    model : Module
    optimizers : Optimizer or iterable of Optimizer
    model_state_dict, optim_state_dict : dict
    options : StateDictOptions, optional

    Returns
    -------
    NamedTuple
        As `set_model_state_dict`.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.distributed.checkpoint import state_dict as states
    >>> model = torch.nn.Linear(1, 1)
    >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

    >>> of_model, of_optimizer = states.get_state_dict(model, optimizer)
    >>> states.set_state_dict(
    ...     model, optimizer, model_state_dict=of_model, optim_state_dict=of_optimizer
    ... )
    <All keys matched successfully>
    """
    result = set_model_state_dict(model, model_state_dict, options=options)
    set_optimizer_state_dict(model, optimizers, optim_state_dict, options=options)
    return result
