"""Which elements are pruned: any, the smallest, whole slices, or what a mask says."""

import numbers

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.random import rand, rand_like
from minitorch.core.types import contiguous_format
from minitorch.nn.utils._pruning import BasePruningMethod

# -- how many ---------------------------------------------------------------------------------------


def _validate_pruning_amount_init(amount):
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    whole = isinstance(amount, numbers.Integral)
    if amount < 0 or (not whole and float(amount) > 1.0):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer"
        )


def _compute_nparams_toprune(amount, tensor_size):
    """How many of `tensor_size` an amount is: a number, or a fraction of them."""
    return amount if isinstance(amount, numbers.Integral) else round(amount * tensor_size)


def _validate_pruning_amount(amount, tensor_size):
    if isinstance(amount, numbers.Integral) and amount > tensor_size:
        raise ValueError(
            f"amount={amount} should be smaller than the number of parameters to prune={tensor_size}"
        )


def _count(amount, total):
    count = _compute_nparams_toprune(amount, total)
    _validate_pruning_amount(count, total)
    return count


def _validate_structured_pruning(t):
    if t.dim() <= 1:
        raise ValueError(
            "Structured pruning can only be applied to multidimensional tensors. Found tensor of "
            f"shape {t.shape} with {t.dim()} dims"
        )


def _validate_pruning_dim(t, dim):
    if dim >= t.dim():
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")


def _compute_norm(t, n, dim):
    """The norms of the slices along one dimension."""
    dims = list(range(t.dim()))
    del dims[dim]
    return t.norm(p=n, dim=dims)


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
        _validate_pruning_amount_init(amount)
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
        _validate_pruning_amount_init(amount)
        self.amount = amount
        self.dim = dim

    def _kept(self, t, total, count):
        """The index, along the dimension, of what stays when `count` of `total` slices go."""
        raise NotImplementedError

    def compute_mask(self, t, default_mask):
        """The mask with `amount` more slices of zeros."""
        _validate_structured_pruning(t)
        _validate_pruning_dim(t, self.dim)
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
        return _compute_norm(t, self.n, self.dim).topk(k=total - count, largest=True).indices

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
