"""Linear algebra operators, which accept batches: vmap's is one more dimension."""

from minitorch._functorch.batching._common import (
    expanded,
    for_each_sample,
    in_front,
    is_batched,
    rule,
    rules,
    wrapped,
    written,
)
from minitorch._functorch.batching.dimensions import check_range
from minitorch._functorch.batching.pointwise import aligned
from minitorch._tensor import Tensor
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.levels import is_older
from minitorch.autograd.operators import _operator
from minitorch.core.dtype import _dtypes

_int64 = _dtypes()["int64"]

# operators on one tensor, with a batch of any shape first
_ONE_TENSOR = """
    cholesky cholesky_inverse linalg_cholesky_ex linalg_inv_ex _linalg_det _linalg_slogdet linalg_lu_factor_ex
    linalg_lu linalg_ldl_factor_ex linalg_qr geqrf _linalg_eigh _linalg_eigvals linalg_eig _linalg_svd
    linalg_matrix_exp tril triu constant_pad_nd
"""
# operators on several tensors, whose batches have the same shape
_SEVERAL_TENSORS = """
    cholesky_solve lu_unpack linalg_householder_product ormqr linalg_lu_solve linalg_ldl_solve
    linalg_solve_triangular triangular_solve _cdist_forward _cdist_backward _euclidean_dist
"""
# arguments that are vectors, one for each matrix
_VECTORS = {"tau", "pivots", "LU_pivots"}


# those of them that take matrices, with their names in PyTorch's rules
_OF_MATRICES = {
    "cholesky": "cholesky",
    "cholesky_inverse": "cholesky_inverse",
    "linalg_cholesky_ex": "linalg.cholesky",
    "linalg_inv_ex": "linalg.inv_ex",
    "_linalg_det": "linalg.det",
    "_linalg_slogdet": "linalg.slogdet",
    "linalg_lu_factor_ex": "torch.lu_factor_ex",
    "linalg_lu": "linalg.lu",
    "linalg_ldl_factor_ex": "torch.linalg.ldl_factor_ex",
    "linalg_qr": "linalg.qr",
    "geqrf": "geqrf",
    "_linalg_eigh": "linalg.eigh",
    "_linalg_eigvals": "linalg.eig",
    "linalg_eig": "linalg.eig",
    "_linalg_svd": "linalg.svd",
    "linalg_matrix_exp": "torch.matrix_exp",
    "linalg_pinv": "linalg.pinv",
    "tril": "tril",
    "triu": "triu",
}
# the name of their input in PyTorch's messages, if it is not A
_ARGUMENTS = {"linalg_pinv": " input", "tril": "", "triu": ""}
# for these the batch counts as a dimension in PyTorch's check
_COUNT_BATCH = ("tril", "triu")


def _check_matrix(operator, self, level):
    """Raise an error if a sample has fewer than two dimensions."""
    name = _OF_MATRICES.get(operator.name)
    if name is None or self.dim() + (operator.name in _COUNT_BATCH) >= 2:
        return
    if operator.name in ("linalg_lu", "linalg_lu_factor_ex"):
        size = list(self.shape if operator.name == "linalg_lu" else in_front(self, level).shape)
        raise RuntimeError(
            f"{name}: Expected tensor with 2 or more dimensions. Got size: {size} instead"
        )
    argument = _ARGUMENTS.get(operator.name, " A")
    raise RuntimeError(f"{name}: The input tensor{argument} must have at least 2 dimensions.")


def leading(operator, arguments, level):
    """Apply an operator to tensors with the batch first."""
    if is_older(level) and arguments[0].dim() < 2:
        return for_each_sample(operator, arguments, level)
    _check_matrix(operator, arguments[0], level)
    result = operator(*(in_front(a, level) if is_batched(a, level) else a for a in arguments))
    if operator.form:
        return written(operator, arguments)
    if isinstance(result, (tuple, list)):
        # an empty tensor is a result that was not requested
        return type(result)([wrapped(t, level) if t.dim() else t for t in result])
    return wrapped(result, level)


def several(operator, arguments, level):
    """Put the batch first, or call for each sample if the lengths of batch shapes differ."""
    lengths = {
        value.dim()
        - (1 if name in _VECTORS or operator.name == "ormqr" and name == "input2" else 2)
        for (name, _, _), value in zip(operator.parameters, arguments, strict=True)
        if isinstance(value, Tensor)
    }
    if len(lengths) > 1 or min(lengths) < 0:
        return for_each_sample(operator, arguments, level)
    values = [expanded(a, level) if isinstance(a, Tensor) else a for a in arguments]
    return wrapped(operator(*values), level)


for _name in _ONE_TENSOR.split():
    rules[_name] = leading
for _name in _SEVERAL_TENSORS.split():
    rules[_name] = several


@rule("linalg_pinv")
def _pinv(operator, arguments, level):
    if any(is_batched(a, level) for a in arguments[1:]):
        return for_each_sample(operator, arguments, level)
    return leading(operator, arguments, level)


@rule("_linalg_solve_ex")
def _solve(operator, arguments, level):
    a, b, *rest = arguments
    vector = b.dim() == 1 or (a.dim() - 1 == b.dim() and b.shape == a.shape[:-1])
    if a.dim() < 2 or b.dim() < 1 or (vector and b.shape[-1] != a.shape[-1]):
        return for_each_sample(operator, arguments, level)
    if vector:
        right = expanded(b.expand(a.shape[:-1]), level)
        return wrapped(operator(expanded(a, level), right, *rest), level)
    ndim = max(a.dim(), b.dim())
    left, right = (aligned(expanded(t, level), ndim) for t in (a, b))
    solution, factors, pivots, info = operator(left, right, *rest)
    missing = ndim - a.dim()
    if missing:
        ones = tuple(range(1, 1 + missing))
        factors, pivots, info = (t.squeeze(ones) for t in (factors, pivots, info))
    return wrapped((solution, factors, pivots, info), level)


@rule("linalg_lstsq")
def _lstsq(operator, arguments, level):
    a, b, *rest = arguments
    if a.dim() < 2 or b.dim() < 1:
        return for_each_sample(operator, arguments, level)
    ndim = max(a.dim(), b.dim())
    # as in PyTorch's rule, a batched vector is a row; a vector that all samples share stays a
    # vector
    left, right = (
        aligned(in_front(t, level), ndim) if is_batched(t, level) else expanded(t, level)
        for t in (a, b)
    )
    solution, *others = operator(left, right, *rest)
    # an empty tensor is a result that was not computed
    others = [t if t.dim() == 1 and not t.numel() else wrapped(t, level) for t in others]
    return wrapped(solution, level), *others


@rule("trace")
def _trace(operator, arguments, level):
    (self,) = arguments
    if self.dim() != 2:
        return for_each_sample(operator, arguments, level)
    return wrapped(in_front(self, level).diagonal(0, 1, 2).sum(1), level)


@rule("diag_embed")
def _diag_embed(operator, arguments, level):
    self, sizes, offset, dim1, dim2 = arguments
    ndim = len(sizes)
    return wrapped(
        operator(
            in_front(self, level),
            (level.batch_size, *sizes),
            offset,
            dim1 % ndim + 1,
            dim2 % ndim + 1,
        ),
        level,
    )


@rule("dist")
def _dist(operator, arguments, level):
    a, b, p = arguments
    difference = in_front(a - b, level).reshape(level.batch_size, -1)
    return wrapped(difference.norm(p, 1), level)


@rule("roll")
def _roll(operator, arguments, level):
    self, shifts, dims = arguments
    value = in_front(self, level)
    if not dims:
        if len(shifts) != 1 or self.dim() == 0:
            return for_each_sample(operator, arguments, level)
        rolled = operator(value.reshape(level.batch_size, -1), shifts, (1,))
        return wrapped(rolled.reshape(value.shape), level)
    check_range(dims, self.dim())
    ndim = max(self.dim(), 1)
    return wrapped(operator(value, shifts, tuple(d % ndim + 1 for d in dims)), level)


@rule("bucketize")
def _bucketize(operator, arguments, level):
    self, boundaries, out_int32, right = arguments
    if boundaries.dim() != 1:
        raise RuntimeError(
            f"bucketize: boundaries tensor must be 1 dimension, but got dim({boundaries.dim()})"
        )
    return _searched(boundaries, self, out_int32, right, None, None, level)


@rule("searchsorted")
def _searchsorted(operator, arguments, level):
    sequence, values, *rest = arguments
    if not isinstance(values, Tensor):  # a number
        return for_each_sample(operator, arguments, level)
    return _searched(sequence, values, *rest, level)


def _searched(sequence, values, out_int32, right, side, sorter, level):
    search = _operator("searchsorted")
    if not is_batched(sequence, level) and sequence.dim() == 1 and sorter is None:
        return wrapped(
            search(sequence, in_front(values, level), out_int32, right, side, None), level
        )
    own, batch = expanded(sequence, level), expanded(values, level)
    sorter = None if sorter is None else expanded(sorter, level)
    shape = None
    if sequence.dim() != values.dim():
        # each sample's row is searched for all values of the sample
        shape = batch.shape
        batch = batch.flatten(1) if values.dim() else batch.unsqueeze(-1)
    result = search(own, batch, out_int32, right, side, sorter)
    return wrapped(result if shape is None else result.view(shape), level)


@rule("one_hot")
def _one_hot(operator, arguments, level):
    self, num_classes = arguments
    if self.dtype != _int64:
        raise RuntimeError("one_hot is only applicable to index tensor.")
    if num_classes <= 0:
        raise RuntimeError(
            "When vmap-ing torch.nn.functional.one_hot, please provide an explicit positive num_classes argument."
        )
    # an invalid class raises no error; it equals none of the numbers
    return (self.unsqueeze(-1) == _creation.arange(num_classes)).to(_int64)


@rule("fill_copy_tensor")
def _fill_copy(operator, arguments, level):
    self, value = arguments
    filled = _ops.empty_like(expanded(self, level))
    if not is_batched(value, level):
        return wrapped(operator(filled, value), level)
    return wrapped(filled.copy_(aligned(in_front(value, level), self.dim())), level)
