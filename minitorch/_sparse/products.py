"""Matrix products of which one side is sparse."""

from minitorch._sparse import coo
from minitorch._sparse.coo import is_sparse, make, parts
from minitorch._sparse.rules import refusal, rule
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.functions import tensor_methods as _ops


def _check_matrix(t):
    s = parts(t)
    if s.indices.shape[0] != 2 or s.values.dim() != 1:
        raise RuntimeError(f"addmm: matrices expected, got {s.indices.shape[0]}D tensor")


def sparse_times_dense(a, b):
    """(n, m) sparse times (m, k) dense: dense."""
    s = parts(a)
    _check_matrix(a)
    if b.dim() != 2 or a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"addmm: Argument #3 (dense): Expected dim 0 size {a.shape[1]}, got {b.shape[0]}"
        )
    rows, columns = s.indices.unbind(0)
    terms = s.values.unsqueeze(1) * b.index_select(0, columns)
    return coo.sum_at(rows, terms, a.shape[0])


@rule("mm")
def _mm(self, mat2):
    if is_sparse(self) and is_sparse(mat2):
        return _sparse_times_sparse(self, mat2)
    if is_sparse(self):
        return sparse_times_dense(self, mat2)
    return sparse_times_dense(mat2.t(), self.t()).t()


def _sparse_times_sparse(a, b):
    _check_matrix(a)
    _check_matrix(b)
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({a.shape[0]}x{a.shape[1]} and "
            f"{b.shape[0]}x{b.shape[1]})"
        )
    left, right = parts(coo.coalesced(a)), parts(coo.coalesced(b))
    rows, inner = left.indices.unbind(0)
    # the entries of row r of `right` stand from start[r] on, as many as count[r]
    count = _creation.zeros((b.shape[0],), dtype=inner.dtype)
    count.index_add_(0, right.indices[0], _creation.ones_like(right.indices[0]))
    start = count.cumsum(0) - count
    times = count[inner]
    which = _creation.arange(times.shape[0]).repeat_interleave(times)
    offset = _creation.arange(which.shape[0]) - (times.cumsum(0) - times)[which]
    other = start[inner][which] + offset
    indices = _ops.stack([rows[which], right.indices[1][other]])
    product = make(indices, left.values[which] * right.values[other], (a.shape[0], b.shape[1]))
    return coo.coalesced(product)


@rule("mv")
def _mv(self, vec):
    if not is_sparse(self):
        raise refusal("mv")
    return sparse_times_dense(self, vec.unsqueeze(1)).squeeze(1)


@rule("addmm")
def _addmm(self, mat1, mat2, beta, alpha):
    if is_sparse(self):
        raise refusal("addmm")
    product = _mm(mat1, mat2)
    if is_sparse(product):
        raise refusal("addmm")
    return beta * self + alpha * product
