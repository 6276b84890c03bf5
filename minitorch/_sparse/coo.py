"""Sparse COO tensors: construction, access to their parts, and conversion; nothing is recorded.

Invariants: `indices` is an int64 tensor (sparse_dim, nnz), `values` is (nnz, *dense sizes). Neither
has a history. Rules never write to them, because other tensors may share them.
"""

import math

from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.sparse_tensor import Sparse, exchange_sparse, make_sparse
from minitorch.autograd.special import special_of
from minitorch.core.dtype import _dtypes
from minitorch.tensors.gradient_checks import value_outside


def is_sparse(t):
    """Return whether `t` has the layout ``sparse_coo``."""
    return isinstance(parts(t), Sparse)


def parts(t):
    """Return the `Sparse` of a tensor, with its `indices`, its `values` and the flag `coalesced`.

    A tensor of a transform's level returns the `Sparse` of its innermost value.
    """
    return special_of(value_outside(t))


def _look(values, size):
    """Return dense zeros of this size and the dtype of `values` in the memory of one element."""
    return _creation.zeros((), dtype=values.dtype).expand(tuple(size))


def make(indices, values, size, coalesced=None):
    """Return a sparse tensor without a history.

    If `coalesced` is None, the tensor is marked as coalesced if it has less than two elements.
    """
    values = values.detach()
    if coalesced is None:
        coalesced = indices.shape[1] < 2
    return make_sparse(_look(values, size), Sparse(indices.detach(), values, coalesced))


def become(t, indices, values, coalesced, size=None):
    """Replace the parts, and optionally the size, of the sparse tensor `t` in place; return `t`."""
    values = values.detach()
    new = Sparse(indices.detach(), values, coalesced)
    exchange_sparse(t, new, None if size is None else _look(values, size))
    return t


def like(t, values, coalesced=None):
    """Return a sparse tensor with the indices of `t` and other values."""
    s = parts(t)
    return make(s.indices, values, t.shape, s.coalesced if coalesced is None else coalesced)


def empty(sparse_dim, size, dtype):
    """Return a sparse tensor without elements."""
    indices = _creation.zeros((sparse_dim, 0), dtype=_dtypes()["int64"])
    values = _creation.zeros((0, *size[sparse_dim:]), dtype=dtype)
    return make(indices, values, size, True)


def flat(indices, sizes):
    """Return the row-major positions (nnz,) of indices (sparse_dim, nnz)."""
    if not sizes:
        return _creation.zeros((indices.shape[1],), dtype=indices.dtype)
    position = indices[0]
    for d, size in enumerate(sizes[1:], 1):
        position = (position * size).add_(indices[d])
    return position


def unflat(position, sizes):
    """Return the indices (sparse_dim, nnz) of row-major positions (nnz,)."""
    rows = []
    for size in reversed(sizes):
        rows.insert(0, position % max(size, 1))
        position = position // max(size, 1)
    if not rows:
        return _creation.zeros((0, position.shape[0]), dtype=position.dtype)
    return _ops.stack(rows)


def sum_at(positions, values, count):
    """Sum the values (nnz, ...) by position; return a tensor (count, ...)."""
    result = _creation.zeros((count, *values.shape[1:]), dtype=values.dtype)
    if values.dtype is _dtypes()["bool"]:
        return result.index_put_((positions,), values, accumulate=True)
    return result.index_add_(0, positions, values)


def sparse_sizes(t):
    """Return the sizes of the sparse dimensions."""
    return tuple(t.shape[: parts(t).indices.shape[0]])


def coalesced(t):
    """Return `t` with indices sorted and equal ones summed; `t` itself if it is coalesced."""
    s = parts(t)
    if s.coalesced:
        return t
    nnz = s.indices.shape[1]
    if nnz < 2:
        return make(s.indices.clone(), s.values.clone(), t.shape, True)
    sizes = sparse_sizes(t)
    used, where = flat(s.indices, sizes).unique(return_inverse=True)
    return make(unflat(used, sizes), sum_at(where, s.values, used.shape[0]), t.shape, True)


def dense(t):
    """Return the dense tensor with the same elements."""
    s, sizes = parts(t), sparse_sizes(t)
    return sum_at(flat(s.indices, sizes), s.values, math.prod(sizes)).view(t.shape)


def add_to(target, indices, values):
    """Add values to the elements of a dense tensor at `indices`, in place; return `target`."""
    if indices.shape[0] == 0:
        return target.add_(values.sum(0, dtype=values.dtype))
    if indices.shape[1]:
        target.index_put_(tuple(indices.unbind(0)), values, accumulate=True)
    return target


def taken(t, indices):
    """Return the elements (nnz, *dense sizes) of a dense tensor at `indices`."""
    if indices.shape[0] == 0:
        return t.unsqueeze(0).expand(indices.shape[1], *t.shape)
    return t[tuple(indices.unbind(0))]
