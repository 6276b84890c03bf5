"""Parametrizations: parameters that are computed from other tensors when they are read.

A parametrized module gets its own class, derived from its previous one, because the property that
computes the tensor must be defined in a class. ``module.parametrizations`` is a `ModuleDict` with
one `ParametrizationList` for each name. It holds the tensors from which the parametrized ones are
computed.
"""

import copy
import copyreg
from contextlib import contextmanager

from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.nn.modules.container import ModuleDict
from minitorch.nn.parameter import Parameter
from minitorch.nn.utils._parametrization_list import ParametrizationList, check_kept, own

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]


# the nesting depth of `cached`, and the cached tensors by (id of module, name)
_cache_enabled = 0
_cache: dict = {}


@contextmanager
def cached():
    """Compute each parametrized tensor at most once inside the context.

    Yields
    ------
    None
        Inside, the tensor is the same object at each access, of any shape and dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 3))
    >>> with torch.nn.utils.parametrize.cached():
    ...     layer.weight is layer.weight
    True
    """
    global _cache, _cache_enabled
    _cache_enabled += 1
    try:
        yield
    finally:
        _cache_enabled -= 1
        if not _cache_enabled:
            _cache = {}


# -- the class of a parametrized module -----------------------------------------------------------


def _reject_state(self):
    raise RuntimeError(
        "Serialization of parametrized modules is only supported through state_dict(). See:\n"
        "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
        "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
    )


def _deepcopy(self, memo):
    # the default deep copy would call __getstate__, which raises
    if id(self) in memo:
        return memo[id(self)]
    replica = memo[id(self)] = self.__new__(type(self))
    replica.__dict__ = copy.deepcopy(self.__dict__, memo)
    for slot in copyreg._slotnames(type(self)):
        if hasattr(self, slot):
            setattr(replica, slot, copy.deepcopy(getattr(self, slot), memo))
    return replica


def _derive_class(module):
    base = type(module)
    members = {"__getstate__": _reject_state}
    if not hasattr(base, "__deepcopy__"):
        members["__deepcopy__"] = _deepcopy
    module.__class__ = type(f"Parametrized{base.__name__}", (base,), members)


def _computed(name):
    def get(self):
        compute = self.parametrizations[name]
        if not _cache_enabled:
            return compute()
        key = (id(self), name)
        if key not in _cache:
            _cache[key] = compute()
        return _cache[key]

    def set(self, value):
        self.parametrizations[name].right_inverse(value)

    return property(get, set)


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """Compute a parameter or buffer of a module from another tensor.

    Parameters
    ----------
    module : Module
    tensor_name : str
    parametrization : Module
        Called with the stored tensor, it returns the parametrized one. A method `right_inverse`
        makes the parametrized tensor assignable: it computes the tensor or tensors to store.
    unsafe : bool, default False
        Allow the dtype and shape to change, without a check.

    Returns
    -------
    Module
        The same module, with another class.

    Raises
    ------
    ValueError
        When there is no such tensor, or the dtype or shape changes.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Symmetric(torch.nn.Module):
    ...     def forward(self, x):
    ...         return x.triu() + x.triu(1).T
    >>> layer = torch.nn.Linear(3, 3)
    >>> _ = torch.nn.utils.parametrize.register_parametrization(layer, "weight", Symmetric())
    >>> torch.equal(layer.weight, layer.weight.T)
    True
    >>> [name for name, _ in layer.named_parameters()]
    ['bias', 'parametrizations.weight.original']
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_one_more(getattr(module, tensor_name), parametrization, tensor_name)
        chain = module.parametrizations[tensor_name]
        chain.append(parametrization)
        chain.unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        chain = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _derive_class(module)
            module.parametrizations = ModuleDict()
        setattr(type(module), tensor_name, _computed(tensor_name))
        module.parametrizations[tensor_name] = chain
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with "
            f"name '{tensor_name}'"
        )
    return module


def _check_one_more(before, parametrization, name):
    """Check that a further parametrization and its right inverse keep the dtype and shape."""
    result = parametrization(before)
    if not isinstance(result, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(result).__name__}.")
    check_kept(
        result,
        before,
        "Registering a parametrization may not change the {what} of the tensor, unless the `unsafe` "
        "flag is enabled.\n",
        f"module.{name}.{{what}}: {{old}}\nparametrization(module.{name}).{{what}}: {{new}}",
    )
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        inverse = parametrization.right_inverse(result)
    except NotImplementedError:
        return
    if not isinstance(inverse, Tensor):
        raise ValueError(
            f"parametrization.right_inverse must return a tensor. Got: {type(inverse).__name__}"
        )
    check_kept(
        inverse,
        before,
        "The tensor returned by parametrization.right_inverse must have the same {what} as "
        f"module.{name}, unless the `unsafe` flag is enabled.\n",
        f"module.{name}.{{what}}: {{old}}\nreturned {{what}}: {{new}}",
    )


def is_parametrized(module, tensor_name=None):
    """Check whether a module, or one of its tensors, is parametrized.

    Parameters
    ----------
    module : Module
    tensor_name : str, optional

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 3))
    >>> P = torch.nn.utils.parametrize
    >>> P.is_parametrized(layer), P.is_parametrized(layer, "bias")
    (True, False)
    """
    chains = getattr(module, "parametrizations", None)
    if not isinstance(chains, ModuleDict):
        return False
    return len(chains) > 0 if tensor_name is None else tensor_name in chains


def _set(tensor, value):
    try:
        with no_grad():
            tensor.set_(value)
    except RuntimeError as error:
        raise RuntimeError(
            "Calling remove_parametrizations() with leave_parametrized=True for a parameter that is an "
            "instance of a tensor subclass requires set_() to be implemented correctly for the tensor "
            "subclass.Alternatively, one can opt into the swap_tensors pathEither set "
            "leave_parametrized=False or provide a working implementationfor set_() in the tensor "
            "subclass or set torch.__future__.set_swap_module_params_on_conversion(True)."
        ) from error


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """Make a parametrized tensor an ordinary one again.

    Parameters
    ----------
    module : Module
    tensor_name : str
    leave_parametrized : bool, default True
        Keep the current value instead of restoring that in `original`.

    Returns
    -------
    Module
        The same module, with its previous class if nothing is parametrized any more.

    Raises
    ------
    ValueError
        When the tensor is not parametrized, or when `leave_parametrized` is False and there are
        several original tensors.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 3))
    >>> torch.nn.utils.parametrize.remove_parametrizations(layer, "weight")
    Linear(in_features=2, out_features=3, bias=True)
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    chain = module.parametrizations[tensor_name]
    if chain.is_tensor:
        tensor = chain.original
        if leave_parametrized:
            _set(tensor, getattr(module, tensor_name))
    elif leave_parametrized:
        tensor = getattr(module, tensor_name)
        tensor = Parameter(tensor) if tensor.requires_grad else tensor
    else:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in "
            "terms of a sequence of tensors."
        )
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    own(module, tensor_name, tensor)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module):
    """Return the class that a module had before it was parametrized.

    Parameters
    ----------
    module : Module
        A module, parametrized or not.

    Returns
    -------
    type
        The class.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 3))
    >>> torch.nn.utils.parametrize.type_before_parametrizations(layer).__name__
    'Linear'
    """
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    """Copy the parametrizations of a module to another one, with the original tensors.

    Parameters
    ----------
    from_module, to_module : Module
    tensor_name : str, optional
        The tensor to parametrize; by default all parametrized ones.

    Returns
    -------
    Module
        `to_module`.

    Examples
    --------
    >>> import minitorch as torch
    >>> P = torch.nn.utils.parametrize
    >>> layer = torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(2, 2))
    >>> other = torch.nn.Linear(2, 2)
    >>> P.transfer_parametrizations_and_params(layer, other) is other
    True
    >>> P.is_parametrized(other, "weight"), torch.equal(other.weight, layer.weight)
    (True, True)
    """
    if not is_parametrized(from_module):
        return to_module
    names = list(from_module.parametrizations) if tensor_name is None else [tensor_name]
    for name in names:
        source = from_module.parametrizations[name]
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name)))
        for parametrization in source:
            register_parametrization(to_module, name, parametrization)
        target = to_module.parametrizations[name]
        own = ["original"] if source.is_tensor else [f"original{k}" for k in range(source.ntensors)]
        for attribute in own:
            setattr(target, attribute, getattr(source, attribute))
    return to_module
