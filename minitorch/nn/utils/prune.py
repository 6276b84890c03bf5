"""Pruning: setting weights to zero and keeping them at zero."""

from collections.abc import Iterable

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.nn.utils._pruning import BasePruningMethod, PruningContainer, hooks_of
from minitorch.nn.utils._pruning_methods import (  # noqa: F401 (the checks under PyTorch's names)
    CustomFromMask,
    Identity,
    L1Unstructured,
    LnStructured,
    RandomStructured,
    RandomUnstructured,
    _compute_norm,
    _compute_nparams_toprune,
    _validate_pruning_amount,
    _validate_pruning_amount_init,
    _validate_pruning_dim,
    _validate_structured_pruning,
)
from minitorch.nn.utils.convert_parameters import parameters_to_vector

__all__ = [
    "BasePruningMethod",
    "CustomFromMask",
    "Identity",
    "L1Unstructured",
    "LnStructured",
    "PruningContainer",
    "RandomStructured",
    "RandomUnstructured",
    "custom_from_mask",
    "global_unstructured",
    "identity",
    "is_pruned",
    "l1_unstructured",
    "ln_structured",
    "random_structured",
    "random_unstructured",
    "remove",
]


def identity(module, name):
    """Add a mask of ones to a tensor of a module.

    Parameters
    ----------
    module : Module
    name : str

    Returns
    -------
    Module

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.utils.prune.identity(torch.nn.Linear(2, 1), "weight")
    >>> layer.weight_mask
    tensor([[1., 1.]])
    """
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    """Prune random elements of a tensor.

    Parameters
    ----------
    module : Module
    name : str
    amount : int or float
        The number or the fraction of elements to prune.

    Returns
    -------
    Module

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.utils.prune.random_unstructured(torch.nn.Linear(2, 3), "weight", amount=1)
    >>> layer.weight_mask.sum()
    tensor(5.)
    """
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    """Prune the elements with the smallest absolute values.

    Parameters
    ----------
    module : Module
    name : str
    amount : int or float
        The number or the fraction of elements to prune.
    importance_scores : Tensor, optional
        Used instead of the values.

    Returns
    -------
    Module

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.Linear(3, 1)
    >>> _ = layer.weight.data.copy_(torch.tensor([[0.5, -0.1, 2.0]]))
    >>> torch.nn.utils.prune.l1_unstructured(layer, "weight", amount=1).weight_mask
    tensor([[1., 0., 1.]])
    """
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    """Prune random slices along a dimension.

    Parameters
    ----------
    module : Module
    name : str
    amount : int or float
        The number or the fraction of slices to prune.
    dim : int

    Returns
    -------
    Module

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.utils.prune.random_structured(torch.nn.Linear(2, 4), "weight", 3, dim=0)
    >>> layer.weight_mask.sum()
    tensor(2.)
    """
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    """Prune the slices with the smallest norms along a dimension.

    Parameters
    ----------
    module : Module
    name : str
    amount : int or float
        The number or the fraction of slices to prune.
    n : float or str
        The order of the norm.
    dim : int
    importance_scores : Tensor, optional
        Used instead of the values.

    Returns
    -------
    Module

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.Linear(1, 2)
    >>> _ = layer.weight.data.copy_(torch.tensor([[0.5], [2.0]]))
    >>> torch.nn.utils.prune.ln_structured(layer, "weight", 1, n=2, dim=0).weight_mask
    tensor([[0.],
            [1.]])
    """
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    """Prune the elements where a mask is zero.

    Parameters
    ----------
    module : Module
    name : str
    mask : Tensor

    Returns
    -------
    Module

    Examples
    --------
    >>> import minitorch as torch
    >>> mask = torch.tensor([[1.0, 0.0]])
    >>> layer = torch.nn.utils.prune.custom_from_mask(torch.nn.Linear(2, 1), "weight", mask)
    >>> layer.weight[0, 1] == 0
    tensor(True)
    """
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """Prune several tensors as if they were one tensor.

    Parameters
    ----------
    parameters : iterable of (Module, str)
    pruning_method : type
        A method with the `PRUNING_TYPE` "unstructured".
    importance_scores : dict of (Module, str) to Tensor, optional
    **kwargs
        The arguments of `pruning_method`.

    Raises
    ------
    TypeError
        For a method of another type.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.utils import prune
    >>> a, b = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
    >>> with torch.no_grad():
    ...     _ = a.weight.copy_(torch.tensor([[1.0, 2.0]]))
    ...     _ = b.weight.copy_(torch.tensor([[3.0, 4.0]]))
    >>> chosen = [(a, "weight"), (b, "weight")]
    >>> prune.global_unstructured(chosen, prune.L1Unstructured, amount=0.5)
    >>> a.weight_mask, b.weight_mask
    (tensor([[0., 0.]]), tensor([[1., 1.]]))
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    values = {(module, name): getattr(module, name) for module, name in parameters}
    all_scores = parameters_to_vector([scores.get(key, value) for key, value in values.items()])
    masks = parameters_to_vector(
        [
            getattr(module, name + "_mask", _ops.ones_like(value))
            for (module, name), value in values.items()
        ]
    )
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method '
            f"{pruning_method} of type {method.PRUNING_TYPE}"
        )
    method._tensor_name = "temp"
    mask = PruningContainer(method).compute_mask(all_scores, masks)
    parts = mask.split([value.numel() for value in values.values()])
    for ((module, name), value), part in zip(values.items(), parts, strict=True):
        custom_from_mask(module, name, mask=part.view_as(value))


def remove(module, name):
    """Make a pruned tensor an ordinary parameter; its zeros stay.

    Parameters
    ----------
    module : Module
    name : str

    Returns
    -------
    Module

    Raises
    ------
    ValueError
        When the tensor is not pruned.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.utils.prune.identity(torch.nn.Linear(2, 1), "weight")
    >>> list(torch.nn.utils.prune.remove(layer, "weight").state_dict())
    ['bias', 'weight']
    """
    for key, hook in hooks_of(module, name):
        hook.remove(module)
        del module._forward_pre_hooks[key]
        return module
    raise ValueError(
        f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed"
    )


def is_pruned(module):
    """Check whether a tensor of a module or one of its descendants is pruned.

    Parameters
    ----------
    module : Module

    Returns
    -------
    bool
        Whether a pruning method is among the hooks.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.utils.prune.is_pruned(torch.nn.Linear(2, 1))
    False
    """
    return any(hooks_of(part) for part in module.modules())
