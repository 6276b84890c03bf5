"""`make_functional`: modules as functions of their parameters, before `functional_call`."""

import copy

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.nn.modules.module import Module
from minitorch.nn.parameter import Parameter
from minitorch.nn.utils.stateless import _functional_call

__all__ = [
    "FunctionalModule",
    "FunctionalModuleWithBuffers",
    "combine_state_for_ensemble",
    "functional_init",
    "functional_init_with_buffers",
    "make_functional",
    "make_functional_deprecated_v1",
    "make_functional_with_buffers",
    "make_functional_with_buffers_deprecated_v1",
]


def _taken(module, kind):
    """Replace a module's parameters or buffers by empty ones; return (tensors, names)."""
    members = {"_parameters": module.named_parameters, "_buffers": module.named_buffers}[kind]
    unique = dict(members(remove_duplicate=True))
    others = {}
    for name, tensor in list(members(remove_duplicate=False)):
        other = others.get(id(tensor))
        if other is None:
            other = _ops.empty_like(tensor.detach())
            other = others[id(tensor)] = Parameter(other) if kind == "_parameters" else other
        owner, _, attribute = name.rpartition(".")
        getattr(module.get_submodule(owner), kind)[attribute] = other
    return tuple(unique.values()), tuple(unique)


class FunctionalModule(Module):
    """A module that takes its parameters as an argument: ``fmodule(params, *args, **kwargs)``."""

    def __init__(self, stateless_model, param_names):
        super().__init__()
        self.stateless_model = stateless_model
        self.param_names = param_names

    def forward(self, params, *args, **kwargs):
        """Call the module with these parameters, given in the order of the module's own."""
        given = dict(zip(self.param_names, params, strict=True))
        return _functional_call(self.stateless_model, given, args, kwargs)


class FunctionalModuleWithBuffers(Module):
    """A module that takes its state as arguments: ``fmodule(params, buffers, *args, **kwargs)``."""

    def __init__(self, stateless_model, param_names, buffer_names):
        super().__init__()
        self.stateless_model = stateless_model
        self.param_names = param_names
        self.buffer_names = buffer_names

    def forward(self, params, buffers, *args, **kwargs):
        """Call the module with these parameters and buffers, in the order of its own."""
        given = dict(zip(self.param_names, params, strict=True))
        given.update(zip(self.buffer_names, buffers, strict=True))
        return _functional_call(self.stateless_model, given, args, kwargs)


def make_functional(model, disable_autograd_tracking=False):
    """Return a stateless copy of a module, and its parameters.

    Parameters
    ----------
    model : Module
        A module without buffers. It is copied.
    disable_autograd_tracking : bool, default False
        Return parameters that do not require grad.

    Returns
    -------
    (FunctionalModule, tuple of Parameter)

    Raises
    ------
    RuntimeError
        When the module has buffers.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._functorch.make_functional import make_functional
    >>> func, params = make_functional(torch.nn.Linear(2, 1))
    >>> func(params, torch.ones(3, 2)).shape
    torch.Size([3, 1])
    """
    if list(model.buffers()):
        raise RuntimeError(
            "make_functional(model): `model` has buffers. Please use make_functional_with_buffers(model) instead."
        )
    model = copy.deepcopy(model)
    params, names = _taken(model, "_parameters")
    return FunctionalModule(model, names), _tracked(params, disable_autograd_tracking)


def make_functional_with_buffers(model, disable_autograd_tracking=False):
    """Return a stateless copy of a module, its parameters and its buffers.

    Parameters
    ----------
    model : Module
        The module, which is copied.
    disable_autograd_tracking : bool, default False
        Return parameters that do not require grad.

    Returns
    -------
    (FunctionalModuleWithBuffers, tuple of Parameter, tuple of Tensor)
    """
    model = copy.deepcopy(model)
    params, names = _taken(model, "_parameters")
    buffers, buffer_names = _taken(model, "_buffers")
    function = FunctionalModuleWithBuffers(model, names, buffer_names)
    return function, _tracked(params, disable_autograd_tracking), buffers


def _tracked(params, disable):
    for param in params if disable else ():
        param.requires_grad_(False)
    return params


def combine_state_for_ensemble(models):
    """Return one stateless module for several of a class, and their stacked state.

    Parameters
    ----------
    models : sequence of Module

    Returns
    -------
    (FunctionalModuleWithBuffers, tuple of Tensor, tuple of Tensor)
        To be called in a `vmap` over the first dimension of the tensors, which have no history.

    Raises
    ------
    RuntimeError
        When `models` is empty, or the modules differ in class or in training mode.
    """
    call = "combine_state_for_ensemble: Expected"
    if len(models) == 0:
        raise RuntimeError(f"{call} at least one model, got 0.")
    if len({bool(model.training) for model in models}) > 1:
        raise RuntimeError(f"{call} all models to have the same training/eval mode.")
    if any(type(model) is not type(models[0]) for model in models):
        raise RuntimeError(f"{call} all models to be of the same class.")
    functions, params, buffers = zip(*map(make_functional_with_buffers, models), strict=True)
    return functions[0], _stacked(params), _stacked(buffers)


def _stacked(state):
    return tuple(_ops.stack(list(parts)).detach() for parts in zip(*state, strict=True))


def make_functional_deprecated_v1(model):
    """Return ``(weights, function, names)`` of a module; call it as ``function(weights, inputs)``.

    Raises
    ------
    RuntimeError
        When the module has buffers.
    """
    if list(model.buffers()):
        raise RuntimeError(
            "make_functional_deprecated_v1(model): `model` has buffers. Please use "
            "make_functional_with_buffers_deprecated_v1(model) instead."
        )
    function, weights, buffers, names, _ = _without_state(model)
    return weights, lambda weights, data: function(weights, buffers, *data), names


def make_functional_with_buffers_deprecated_v1(model):
    """Return ``(weights, buffers, function, weight_names, buffer_names)`` of a module."""
    function, weights, buffers, names, buffer_names = _without_state(model)
    return (
        weights,
        buffers,
        lambda weights, buffers, data: function(weights, buffers, *data),
        names,
        buffer_names,
    )


def _without_state(model):
    function, weights, buffers = make_functional_with_buffers(model)
    return function, weights, buffers, function.param_names, function.buffer_names


def functional_init(model_class, ensemble_shape=(), device="cpu"):
    """Return a function that makes a stateless module, and the stacked weights of several modules.

    Parameters
    ----------
    model_class : type
        A class of modules without buffers.
    ensemble_shape : tuple of int
        Contains the number of modules; empty for a single one.
    device : device

    Returns
    -------
    callable
        Takes the arguments of the class and returns ``(weights, function, names)``.

    Raises
    ------
    ValueError
        In the returned function: for a shape with several numbers or without modules.
    """

    def wrapped(*args, **kwargs):
        models = _several(model_class, ensemble_shape, device, args, kwargs)
        _, function, names = made = make_functional_deprecated_v1(models[0])
        if not ensemble_shape:
            return made
        weights = [make_functional_deprecated_v1(model)[0] for model in models]
        return _stacked(weights), function, names

    return wrapped


def functional_init_with_buffers(model_class, ensemble_shape=(), device="cpu"):
    """Return such a function as `functional_init` does, for modules with buffers.

    It returns ``(weights, buffers, function, names, buffer_names)``.
    """

    def wrapped(*args, **kwargs):
        models = _several(model_class, ensemble_shape, device, args, kwargs)
        if not ensemble_shape:
            return make_functional_deprecated_v1(models[0])  # as PyTorch: raises for buffers
        made = make_functional_with_buffers_deprecated_v1(models[0])
        each = [make_functional_with_buffers_deprecated_v1(model) for model in models]
        weights = _stacked([parts[0] for parts in each])
        buffers = _stacked([parts[1] for parts in each])
        return weights, buffers, *made[2:]

    return wrapped


def _several(model_class, ensemble_shape, device, args, kwargs):
    if len(ensemble_shape) >= 2:
        raise ValueError("NYI: ensemble_shape with more than 1 element")
    count = ensemble_shape[0] if ensemble_shape else 1
    if count <= 0:
        raise ValueError(f"num_models {count} should be > 0")
    return [model_class(*args, **kwargs).to(device) for _ in range(count)]
