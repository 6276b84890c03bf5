"""Pruning methods: nothing, single elements, whole slices, or a given mask."""

import numbers

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.random import rand, rand_like
from minitorch.core.types import contiguous_format
from minitorch.nn.utils._pruning import BasePruningMethod

# -- amounts ---------------------------------------------------------------------------------------


def _validate_pruning_amount_init(amount):
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    whole = isinstance(amount, numbers.Integral)
    if amount < 0 or (not whole and float(amount) > 1.0):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer"
        )


def _compute_nparams_toprune(amount, tensor_size):
    """Convert an amount, which is a number or a fraction of `tensor_size`, to a number."""
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
    """Return the norms of the slices along one dimension."""
    dims = list(range(t.dim()))
    del dims[dim]
    return t.norm(p=n, dim=dims)


# -- single elements -------------------------------------------------------------------------------


class Identity(BasePruningMethod):
    """Prunes nothing; the parameter gets a mask of ones.

    The mask has the shape and the dtype of the parameter.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.utils import prune
    >>> layer = torch.nn.Linear(2, 1)
    >>> _ = prune.Identity.apply(layer, "weight")
    >>> layer.weight_mask
    tensor([[1., 1.]])
    """

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        """Return the existing mask."""
        return default_mask

    @classmethod
    def apply(cls, module, name):
        """Add a mask of ones to a tensor of a module."""
        return super().apply(module, name)


class _Elements(BasePruningMethod):
    """Base class of methods that prune the first elements in some order."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        _validate_pruning_amount_init(amount)
        self.amount = amount

    def _first(self, t, count):
        """Return the positions in the flattened tensor of the `count` elements to prune."""
        raise NotImplementedError

    def compute_mask(self, t, default_mask):
        """Return the mask with `amount` more zeros."""
        count = _count(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=contiguous_format)
        if count:
            mask.view(-1)[self._first(t, count)] = 0
        return mask


class RandomUnstructured(_Elements):
    """Prunes random elements.

    Parameters
    ----------
    amount : int or float
        The number or the fraction of elements to prune.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.utils import prune
    >>> prune.RandomUnstructured(0.5).prune(torch.ones(4)).sum()
    tensor(2.)
    """

    def _first(self, t, count):
        return rand_like(t).view(-1).topk(k=count).indices

    @classmethod
    def apply(cls, module, name, amount):
        """Prune random elements of a tensor of a module."""
        return super().apply(module, name, amount=amount)


class L1Unstructured(_Elements):
    """Prunes the elements with the smallest absolute values.

    Parameters
    ----------
    amount : int or float
        The number or the fraction of elements to prune.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.utils import prune
    >>> prune.L1Unstructured(1).prune(torch.tensor([3.0, -1.0, 2.0]))
    tensor([3., -0., 2.])
    """

    def _first(self, t, count):
        return t.abs().view(-1).topk(k=count, largest=False).indices

    @classmethod
    def apply(cls, module, name, amount, importance_scores=None):
        """Prune the smallest elements of a tensor of a module."""
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


# -- whole slices ----------------------------------------------------------------------------------


class _Slices(BasePruningMethod):
    """Base class of methods that prune the first slices along a dimension in some order."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        _validate_pruning_amount_init(amount)
        self.amount = amount
        self.dim = dim

    def _kept(self, t, total, count):
        """Return the index of the slices to keep when `count` of `total` are pruned."""
        raise NotImplementedError

    def compute_mask(self, t, default_mask):
        """Return the mask with `amount` more slices of zeros."""
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
    """Prunes random slices along a dimension.

    Parameters
    ----------
    amount : int or float
        The number or the fraction of slices to prune.
    dim : int, default -1

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.utils import prune
    >>> prune.RandomStructured(1, dim=0).prune(torch.ones(3, 2)).sum()
    tensor(4.)
    """

    def _kept(self, t, total, count):
        if count == 0:
            return None
        chances = rand(total)
        return chances > chances.kthvalue(k=count).values

    @classmethod
    def apply(cls, module, name, amount, dim=-1):
        """Prune random slices of a tensor of a module."""
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(_Slices):
    """Prunes the slices with the smallest norms along a dimension.

    Parameters
    ----------
    amount : int or float
        The number or the fraction of slices to prune.
    n : float or str
        The order of the norm; see `torch.norm`.
    dim : int, default -1

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.utils import prune
    >>> prune.LnStructured(1, n=2, dim=0).prune(torch.tensor([[3.0, 4.0], [1.0, 1.0]]))
    tensor([[3., 4.],
            [0., 0.]])
    """

    def __init__(self, amount, n, dim=-1):
        super().__init__(amount, dim)
        self.n = n

    def _kept(self, t, total, count):
        return _compute_norm(t, self.n, self.dim).topk(k=total - count, largest=True).indices

    @classmethod
    def apply(cls, module, name, amount, n, dim, importance_scores=None):
        """Prune the slices with the smallest norms of a tensor of a module."""
        return super().apply(
            module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores
        )


class CustomFromMask(BasePruningMethod):
    """Prunes the zeros of a given mask.

    Parameters
    ----------
    mask : Tensor
        0 where to prune and 1 elsewhere, of the shape of the tensor.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.utils import prune
    >>> layer = torch.nn.Linear(2, 1)
    >>> _ = prune.CustomFromMask.apply(layer, "weight", torch.tensor([[1, 0]]))
    >>> layer.weight_mask
    tensor([[1., 0.]])
    """

    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        """Return the product of both masks."""
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    def apply(cls, module, name, mask):
        """Prune a tensor of a module by a mask."""
        return super().apply(module, name, mask=mask)
