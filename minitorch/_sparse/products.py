"""Matrix products with at least one sparse operand."""

from minitorch._sparse import coo
from minitorch._sparse.coo import is_sparse, make, parts
from minitorch._sparse.rules import no_rule_error, rule
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.functions import tensor_methods as _ops


def _check_matrix(t):
    s = parts(t)
    if s.indices.shape[0] != 2 or s.values.dim() != 1:
        raise RuntimeError(f"addmm: matrices expected, got {s.indices.shape[0]}D tensor")


def sparse_times_dense(a, b):
    """Multiply a sparse (n, m) and a dense (m, k) matrix; the result is dense."""
    s = parts(a)
    _check_matrix(a)
    b.size(1)  # raises for a vector
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"expected scalar type {a.dtype._class_name} but found {b.dtype._class_name}"
        )
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
    # row r of `right` has count[r] entries, beginning at start[r]
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


def _rows_of_product(name, a, b):
    """Return the numbers of the rows of `a` with elements, and those rows of ``a @ b``."""
    s = parts(a)
    if s.indices.shape[0] != 2 or s.values.dim() != 1:
        raise RuntimeError(
            f"{name}: Argument #2: matrices expected, got {s.indices.shape[0]}D tensor"
        )
    if b.dim() != 2:
        raise RuntimeError(f"{name}: Argument #3: matrices expected, got {b.dim()}D tensor")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"{name}: Argument #3: Expected dim 0 size {a.shape[1]}, got {b.shape[0]}"
        )
    used, where = s.indices[0].unique(return_inverse=True)
    terms = s.values.unsqueeze(1) * b.index_select(0, s.indices[1])
    return used, coo.sum_at(where, terms, used.shape[0])


def times_hybrid(mat1, mat2):
    """Compute `hspmm`, not recorded; the result has one sparse and one dense dimension."""
    if not is_sparse(mat1):
        raise NotImplementedError(
            "Could not run 'aten::hspmm' with arguments from the 'CPU' backend."
        )
    if is_sparse(mat2):
        raise RuntimeError(
            f"hspmm: Argument #3: Expected dim 0 size {mat1.shape[1]}, got {mat2.shape[0]}"
        )
    used, rows = _rows_of_product("hspmm", mat1, mat2)
    return make(used.unsqueeze(0), rows, (mat1.shape[0], mat2.shape[1]), False)


def plus_product(input, mat1, mat2, beta, alpha):
    """Compute `sspaddmm`, not recorded; the result is sparse and not coalesced."""
    if not is_sparse(input):
        raise RuntimeError("tensor.sspaddmm(...) can only be called on sparse tensors")
    for name, t, wanted in (("mat1", mat1, "sparse"), ("mat2", mat2, "strided")):
        if is_sparse(t) != (wanted == "sparse"):
            layout = "Sparse" if is_sparse(t) else "Strided"
            raise RuntimeError(
                f"sspaddmm: expected '{name}' to have {wanted} layout, got '{name}' with layout {layout}"
            )
    used, rows = _rows_of_product("sspaddmm", mat1, mat2)
    for d, n in enumerate((mat1.shape[0], mat2.shape[1])):
        if input.shape[d] != n:
            raise RuntimeError(
                f"sspaddmm: Argument #1: Expected dim {d} size {n}, got {input.shape[d]}"
            )
    s, n = parts(input), mat2.shape[1]
    columns = _creation.arange(n).repeat(used.shape[0])
    indices = _ops.cat([s.indices, _ops.stack([used.repeat_interleave(n), columns])], 1)
    values = _ops.cat([s.values * beta, rows.reshape(-1) * alpha])
    return make(indices, values, input.shape, False)


@rule("bmm")
def _bmm(self, mat2):
    if is_sparse(mat2):
        raise RuntimeError("bmm_sparse: Tensor 'mat2' must be dense")
    s = parts(self)
    if s.values.dim() != 1:
        dense = s.values.dim() - 1
        raise RuntimeError(f"bmm_sparse: Tensor 'self' must have 0 dense dims, but has {dense}")
    if s.indices.shape[0] != 3:
        raise RuntimeError(
            f"bmm_sparse: Tensor 'self' must have 3 sparse dims, but has {s.indices.shape[0]}"
        )
    if mat2.dim() != 3:
        raise RuntimeError(f"bmm_sparse: Tensor 'mat2' must have 3 dims, but has {mat2.dim()}")
    for ours, theirs in ((0, 0), (2, 1)):
        if self.shape[ours] != mat2.shape[theirs]:
            raise RuntimeError(
                f"bmm_sparse: 'self.size({ours})' and 'mat2.size({theirs})' must match"
            )
    batch, row, column = s.indices.unbind(0)
    n, m = self.shape[:2]
    sums = coo.sum_at(batch * m + row, s.values.unsqueeze(1) * mat2[batch, column], n * m)
    return sums.reshape(n, m, mat2.shape[2])


@rule("mv")
def _mv(self, vec):
    if not is_sparse(self):
        raise no_rule_error("mv")
    return sparse_times_dense(self, vec.unsqueeze(1)).squeeze(1)


@rule("addmm")
def _addmm(self, mat1, mat2, beta, alpha):
    if is_sparse(self):
        raise no_rule_error("addmm")
    product = _mm(mat1, mat2)
    if is_sparse(product):
        raise no_rule_error("addmm")
    return beta * self + alpha * product
