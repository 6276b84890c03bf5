"""Products of tensors: tensordot, inner and Kronecker products."""

import math

from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.outputs import compute_out
from minitorch.autograd.functions.python_signatures import parsed_as

__all__ = [
    "inner",
    "kron",
    "tensordot",
]


def tensordot(a, b, dims=2, out=None):
    """Sum products over several dimensions of two tensors.

    Parameters
    ----------
    a, b : Tensor
        Any shapes.
    dims : int, or pair of lists of int, default 2
        How many of the last dimensions of `a` and of the first of `b` to sum over, or which.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The other dimensions of `a`, then those of `b`.

    Raises
    ------
    RuntimeError
        If the sizes differ, or `dims` is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.tensordot(torch.ones(2, 3, 4), torch.ones(3, 4, 5)).shape
    torch.Size([2, 5])
    """
    if out is not None:
        return compute_out("tensordot", tensordot, (a, b, dims), {}, out)
    if isinstance(dims, Tensor):
        dims = dims.tolist() if dims.numel() > 1 else int(dims.item())
    if isinstance(dims, (tuple, list)):
        dims_a, dims_b = (list(d) if isinstance(d, (tuple, list)) else [d] for d in dims)
    else:
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        dims_a, dims_b = list(range(-dims, 0)), list(range(dims))
    return _tensordot(a, b, dims_a, dims_b)


@parsed_as("tensordot")
def _tensordot(a, b, dims_a, dims_b):
    if len(dims_a) != len(dims_b):
        raise RuntimeError("both dimension lists should have same length")
    if a.dtype != b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    for da, db in zip(dims_a, dims_b, strict=True):
        if a.size(da) != b.size(db) and a.size(da) != 1 and b.size(db) != 1:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {a.size(da)} in dim {da} "
                f"and second has size {b.size(db)} in dim {db}"
            )
        if b.size(db) == 1:
            a = a.sum(da, keepdim=True, dtype=a.dtype)
        elif a.size(da) == 1:
            b = b.sum(db, keepdim=True, dtype=b.dtype)
    free_a, free_b = _free(a, dims_a), _free(b, dims_b)
    shape = [a.size(d) for d in free_a] + [b.size(d) for d in free_b]
    if math.prod(shape) == 1:
        return _scalar_product(a.permute(free_a + dims_a), b.permute(dims_b + free_b)).view(shape)
    inner_size = _count(a, dims_a)
    left = a.permute(free_a + dims_a).reshape(_count(a, free_a), inner_size)
    right = b.permute(dims_b + free_b).reshape(inner_size, _count(b, free_b))
    return left.mm(right).reshape(shape)


def _free(t, summed):
    """Return the dimensions that are not summed over."""
    summed = [d % t.dim() for d in summed]
    for d in summed:
        if summed.count(d) > 1:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return [d for d in range(t.dim()) if d not in summed]


def _scalar_product(a, b):
    """Return the sum of all products of two tensors' elements."""
    if a.is_contiguous() and b.is_contiguous():
        return a.flatten().dot(b.flatten())
    return (a.squeeze() * b.squeeze()).sum(dtype=a.dtype)


def _count(t, dims):
    return math.prod(t.size(d) for d in dims)


def inner(input, other):
    """Return the inner products of vectors along the last dimensions.

    Parameters
    ----------
    input, other : Tensor
        Equal sizes of the last dimension.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The other dimensions of `input`, then those of `other`.

    Raises
    ------
    RuntimeError
        If the sizes differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.inner(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor(11)
    """
    if input.dim() == 0 or other.dim() == 0:
        return input * other
    if input.size(-1) != other.size(-1):
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(input.shape)} and {list(other.shape)}"
        )
    return tensordot(input, other, ([-1], [-1]))


def kron(input, other):
    """Return the Kronecker product of two tensors.

    Parameters
    ----------
    input, other : Tensor
        Any shapes; the shorter one is extended by ones on the left.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The product of the sizes along each dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.kron(torch.tensor([1, 2]), torch.tensor([1, 10]))
    tensor([ 1, 10,  2, 20])
    """
    n = max(input.dim(), other.dim())
    a = (1,) * (n - input.dim()) + tuple(input.shape)
    b = (1,) * (n - other.dim()) + tuple(other.shape)
    left = _rows._unsafe_view(input, [x for size in a for x in (size, 1)])
    right = _rows._unsafe_view(other, [x for size in b for x in (1, size)])
    return _rows._unsafe_view(left * right, [x * y for x, y in zip(a, b, strict=True)])
