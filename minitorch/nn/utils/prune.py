"""Pruning: setting weights to zero and keeping them there."""

import numbers
from collections.abc import Iterable

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.random import rand, rand_like
from minitorch.core.types import contiguous_format
from minitorch.nn.utils._pruning import BasePruningMethod, PruningContainer, hooks_of
from minitorch.nn.utils.convert_parameters import parameters_to_vector

# -- how many ---------------------------------------------------------------------------------------


def _check_amount(amount):
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    whole = isinstance(amount, numbers.Integral)
    if amount < 0 or (not whole and float(amount) > 1.0):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer"
        )


def _count(amount, total):
    """How many of `total` an amount is: a number, or a fraction of them."""
    count = amount if isinstance(amount, numbers.Integral) else round(amount * total)
    if count > total:
        raise ValueError(
            f"amount={count} should be smaller than the number of parameters to prune={total}"
        )
    return count


# -- single elements --------------------------------------------------------------------------------


class Identity(BasePruningMethod):
    """Nothing is pruned; the parameter gets a mask of ones."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        """The mask that there is."""
        return default_mask

    @classmethod
    def apply(cls, module, name):
        """Give a tensor of a module a mask."""
        return super().apply(module, name)


class _Elements(BasePruningMethod):
    """The elements that come first in an order."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        _check_amount(amount)
        self.amount = amount

    def _first(self, t, count):
        """The positions, in the flat tensor, of the `count` elements to be pruned."""
        raise NotImplementedError

    def compute_mask(self, t, default_mask):
        """The mask with `amount` more zeros."""
        count = _count(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=contiguous_format)
        if count:
            mask.view(-1)[self._first(t, count)] = 0
        return mask


class RandomUnstructured(_Elements):
    """Elements chosen by chance.

    Parameters
    ----------
    amount : int or float
        How many, or which fraction of them.
    """

    def _first(self, t, count):
        return rand_like(t).view(-1).topk(k=count).indices

    @classmethod
    def apply(cls, module, name, amount):
        """Prune a tensor of a module."""
        return super().apply(module, name, amount=amount)


class L1Unstructured(_Elements):
    """The elements of the least absolute value.

    Parameters
    ----------
    amount : int or float
        How many, or which fraction of them.
    """

    def _first(self, t, count):
        return t.abs().view(-1).topk(k=count, largest=False).indices

    @classmethod
    def apply(cls, module, name, amount, importance_scores=None):
        """Prune a tensor of a module."""
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


# -- whole slices -----------------------------------------------------------------------------------


class _Slices(BasePruningMethod):
    """The slices along a dimension that come first in an order."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        _check_amount(amount)
        self.amount = amount
        self.dim = dim

    def _kept(self, t, total, count):
        """The index, along the dimension, of what stays when `count` of `total` slices go."""
        raise NotImplementedError

    def compute_mask(self, t, default_mask):
        """The mask with `amount` more slices of zeros."""
        if t.dim() <= 1:
            raise ValueError(
                "Structured pruning can only be applied to multidimensional tensors. Found tensor of "
                f"shape {t.shape} with {t.dim()} dims"
            )
        if self.dim >= t.dim():
            raise IndexError(f"Invalid index {self.dim} for tensor of size {t.shape}")
        total = t.shape[self.dim]
        count = _count(self.amount, total)
        kept = self._kept(t, total, count)
        if count == 0:
            return default_mask
        index = [slice(None)] * t.dim()
        index[self.dim] = kept
        mask = _ops.zeros_like(t)
        mask[tuple(index)] = 1
        return mask * default_mask.to(dtype=mask.dtype)


class RandomStructured(_Slices):
    """Slices chosen by chance.

    Parameters
    ----------
    amount : int or float
        How many, or which fraction of them.
    dim : int, default -1
    """

    def _kept(self, t, total, count):
        if count == 0:
            return None
        chances = rand(total)
        return chances > chances.kthvalue(k=count).values

    @classmethod
    def apply(cls, module, name, amount, dim=-1):
        """Prune a tensor of a module."""
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(_Slices):
    """The slices of the least norm.

    Parameters
    ----------
    amount : int or float
        How many, or which fraction of them.
    n : float or str
        The order of the norm, as `torch.norm` takes it.
    dim : int, default -1
    """

    def __init__(self, amount, n, dim=-1):
        super().__init__(amount, dim)
        self.n = n

    def _kept(self, t, total, count):
        dims = list(range(t.dim()))
        del dims[self.dim]
        return t.norm(p=self.n, dim=dims).topk(k=total - count, largest=True).indices

    @classmethod
    def apply(cls, module, name, amount, n, dim, importance_scores=None):
        """Prune a tensor of a module."""
        return super().apply(
            module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores
        )


class CustomFromMask(BasePruningMethod):
    """What a mask says.

    Parameters
    ----------
    mask : Tensor
    """

    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        """Both masks together."""
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    def apply(cls, module, name, mask):
        """Prune a tensor of a module."""
        return super().apply(module, name, mask=mask)


# -- the functions ----------------------------------------------------------------------------------


def identity(module, name):
    """Give a tensor of a module a mask of ones.

    Parameters
    ----------
    module : Module
    name : str

    Returns
    -------
    Module
    """
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    """Prune elements chosen by chance.

    Parameters
    ----------
    module : Module
    name : str
    amount : int or float
        How many, or which fraction of them.

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
    """Prune the elements of the least absolute value.

    Parameters
    ----------
    module : Module
    name : str
    amount : int or float
        How many, or which fraction of them.
    importance_scores : Tensor, optional
        What is asked instead of the values.

    Returns
    -------
    Module
    """
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    """Prune whole slices along a dimension, chosen by chance.

    Parameters
    ----------
    module : Module
    name : str
    amount : int or float
        How many, or which fraction of them.
    dim : int

    Returns
    -------
    Module
    """
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    """Prune the slices of the least norm along a dimension.

    Parameters
    ----------
    module : Module
    name : str
    amount : int or float
        How many, or which fraction of them.
    n : float or str
        The order of the norm.
    dim : int
    importance_scores : Tensor, optional
        What is asked instead of the values.

    Returns
    -------
    Module
    """
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    """Prune what a mask says.

    Parameters
    ----------
    module : Module
    name : str
    mask : Tensor

    Returns
    -------
    Module
    """
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """Prune several tensors as if they were one.

    Parameters
    ----------
    parameters : iterable of (Module, str)
    pruning_method : type
        Of the kind "unstructured".
    importance_scores : dict of (Module, str) to Tensor, optional
    **kwargs
        For `pruning_method`.

    Raises
    ------
    TypeError
        For other kinds.
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
    """Make what is pruned an ordinary parameter; its zeros stay.

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
        When it is not pruned.
    """
    for key, hook in hooks_of(module, name):
        hook.remove(module)
        del module._forward_pre_hooks[key]
        return module
    raise ValueError(
        f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed"
    )


def is_pruned(module):
    """Whether anything of a module, or of those in it, is pruned.

    Parameters
    ----------
    module : Module
    """
    return any(hooks_of(part) for part in module.modules())
