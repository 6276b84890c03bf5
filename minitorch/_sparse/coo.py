"""Sparse tensors taken apart and put together, without a history.

Invariants: `indices` is (sparse_dim, nnz) of int64, `values` is (nnz, *dense sizes); both are without a
history, and neither is ever written to by a rule that another tensor could see.
"""

import math

from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.special import Sparse, exchange_sparse, make_sparse, special_of
from minitorch.core.dtype import _dtypes
from minitorch.tensors.gradient_checks import value_outside


def is_sparse(t):
    """Whether `t` is a tensor of layout ``sparse_coo``."""
    return isinstance(parts(t), Sparse)


def parts(t):
    """The `Sparse` of a sparse tensor: its `indices`, its `values`, and whether it is `coalesced`.

    Of a tensor of a transform's level those of what it wraps.
    """
    return special_of(value_outside(t))


def _look(values, size):
    """A dense tensor of zeros of this size and dtype, in the memory of one element."""
    return _creation.zeros((), dtype=values.dtype).expand(tuple(size))


def make(indices, values, size, coalesced=None):
    """A sparse tensor without a history; without `coalesced`, one of less than two elements is."""
    values = values.detach()
    if coalesced is None:
        coalesced = indices.shape[1] < 2
    return make_sparse(_look(values, size), Sparse(indices.detach(), values, coalesced))


def become(t, indices, values, coalesced, size=None):
    """Let the sparse tensor `t` be this from now on, as an operator in place does; `t`."""
    values = values.detach()
    new = Sparse(indices.detach(), values, coalesced)
    exchange_sparse(t, new, None if size is None else _look(values, size))
    return t


def like(t, values, coalesced=None):
    """A sparse tensor with the indices of `t` and other values."""
    s = parts(t)
    return make(s.indices, values, t.shape, s.coalesced if coalesced is None else coalesced)


def empty(sparse_dim, size, dtype):
    """A sparse tensor without elements."""
    indices = _creation.zeros((sparse_dim, 0), dtype=_dtypes()["int64"])
    values = _creation.zeros((0, *size[sparse_dim:]), dtype=dtype)
    return make(indices, values, size, True)


def flat(indices, sizes):
    """Row-major positions: (nnz,) of (sparse_dim, nnz)."""
    if not sizes:
        return _creation.zeros((indices.shape[1],), dtype=indices.dtype)
    position = indices[0]
    for d, size in enumerate(sizes[1:], 1):
        position = (position * size).add_(indices[d])
    return position


def unflat(position, sizes):
    """The indices at row-major positions."""
    rows = []
    for size in reversed(sizes):
        rows.insert(0, position % max(size, 1))
        position = position // max(size, 1)
    if not rows:
        return _creation.zeros((0, position.shape[0]), dtype=position.dtype)
    return _ops.stack(rows)


def sum_at(positions, values, count):
    """(count, ...): at each place the sum of the values that go there."""
    result = _creation.zeros((count, *values.shape[1:]), dtype=values.dtype)
    if values.dtype is _dtypes()["bool"]:
        return result.index_put_((positions,), values, accumulate=True)
    return result.index_add_(0, positions, values)


def sparse_sizes(t):
    """The sizes of the dimensions that `indices` stands for."""
    return tuple(t.shape[: parts(t).indices.shape[0]])


def coalesced(t):
    """`t` itself if it is coalesced, else the sparse tensor with equal columns summed, in order."""
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
    """The dense tensor with the same elements."""
    s, sizes = parts(t), sparse_sizes(t)
    return sum_at(flat(s.indices, sizes), s.values, math.prod(sizes)).view(t.shape)


def add_to(target, indices, values):
    """Add values to the elements of a dense tensor, in place; `target`."""
    if indices.shape[0] == 0:
        return target.add_(values.sum(0, dtype=values.dtype))
    if indices.shape[1]:
        target.index_put_(tuple(indices.unbind(0)), values, accumulate=True)
    return target


def taken(t, indices):
    """The elements of a dense tensor at `indices`, (nnz, *dense sizes)."""
    if indices.shape[0] == 0:
        return t.unsqueeze(0).expand(indices.shape[1], *t.shape)
    return t[tuple(indices.unbind(0))]


_creation._register_sparse_maker(lambda size, dtype: empty(len(size), tuple(size), dtype))
