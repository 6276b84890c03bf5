"""Resizing sparse tensors in place, and sparse matrices from diagonals."""

from minitorch._sparse import coo
from minitorch._sparse.coo import is_sparse, parts
from minitorch._sparse.functions import SparseCooTensor
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import arange
from minitorch.autograd.inplace import _increment_version
from minitorch.core.dtype import _dtypes

_INSTEAD = """
You could try the following options:
1. If you need an empty sparse tensor of this size, call `x = torch.sparse_coo_tensor(size)`.
2. If you need to resize this tensor, you have the following options:
    1. For both sparse and dense dimensions, keep the number of them constant and the size of them non-shrinking, and then try the same call again.
    2. Or, create a new sparse tensor with the correct indices and values from this sparse tensor."""


def _check_counts(name, t, size, sparse_dim, dense_dim):
    if not is_sparse(t):
        raise NotImplementedError(
            f"Could not run 'aten::{name}' with arguments from the 'CPU' backend."
        )
    if sparse_dim + dense_dim != len(size):
        raise RuntimeError(
            "'len(size) == sparse_dim + dense_dim' is not satisfied: "
            f"len(size) = {len(size)}, sparse_dim = {sparse_dim}, dense_dim = {dense_dim}"
        )


def _raise_not_supported(what, old, new):
    raise RuntimeError(
        f"{what} (from {old} to {new}) on a non-empty sparse tensor is not supported.{_INSTEAD}"
    )


def resize(t, size, sparse_dim, dense_dim):
    """Compute `sparse_resize_`: indices are kept, and new elements of dense dimensions are zero."""
    _check_counts("sparse_resize_", t, size, sparse_dim, dense_dim)
    s, count = parts(t), parts(t).indices.shape[0]
    old_sparse, old_dense = list(t.shape[:count]), list(t.shape[count:])
    new_sparse, new_dense = list(size[:sparse_dim]), list(size[sparse_dim:])
    if not s.indices.shape[1]:
        return resize_and_clear(t, size, sparse_dim, dense_dim)
    if sparse_dim != count:
        _raise_not_supported("changing the number of sparse dimensions", count, sparse_dim)
    if dense_dim != len(old_dense):
        _raise_not_supported("changing the number of dense dimensions", len(old_dense), dense_dim)
    for kind, old, new in (
        ("sparse", old_sparse, new_sparse),
        ("dense", old_dense, new_dense),
    ):
        if any(a > b for a, b in zip(old, new, strict=True)):
            _raise_not_supported(f"shrinking the size of {kind} dimensions", old, new)
    values = s.values.new_zeros((s.indices.shape[1], *new_dense))
    values[(slice(None), *(slice(n) for n in old_dense))] = s.values
    coo.become(t, s.indices, values, s.coalesced, size)
    _increment_version(t)
    return t


def resize_and_clear(t, size, sparse_dim, dense_dim):
    """Compute `sparse_resize_and_clear_`: resize and remove all elements."""
    _check_counts("sparse_resize_and_clear_", t, size, sparse_dim, dense_dim)
    empty = parts(coo.empty(sparse_dim, size, t.dtype))
    coo.become(t, empty.indices, empty.values, True, size)
    _increment_version(t)
    return t


def diagonals(values, offsets, shape):
    """Return the sparse matrix with ``values[k, j]`` in column j of the diagonal ``offsets[k]``."""
    if values.dim() not in (1, 2):
        raise RuntimeError("Diagonals must be vector or matrix")
    if len(shape) != 2:
        raise RuntimeError("Output shape must be 2d")
    if offsets.dim() > 1:
        raise RuntimeError("Offsets must be scalar or vector")
    values, offsets = values.reshape(-1, values.shape[-1]), offsets.reshape(-1)
    if values.shape[0] != offsets.shape[0]:
        raise RuntimeError(
            f"Number of diagonals ({values.shape[0]}) does not match the number of offsets "
            f"({offsets.shape[0]})"
        )
    if offsets.dtype is not _dtypes()["int64"]:
        raise RuntimeError(
            f"Offset Tensor must have dtype Long but got {offsets.dtype._class_name}"
        )
    if offsets.unique().shape[0] != offsets.shape[0]:
        raise RuntimeError("Offset tensor contains duplicate values")
    all_indices, all_values = [], []
    for diagonal, offset in zip(values, offsets.tolist(), strict=True):
        first = max(offset, 0)
        column = arange(first, max(min(shape[1], shape[0] + offset, diagonal.shape[0]), first))
        all_indices.append(_ops.stack([column - offset, column]))
        all_values.append(diagonal[column])
    values = _ops.cat(all_values)
    return SparseCooTensor.apply(_ops.cat(all_indices, 1), values, tuple(shape), False)
