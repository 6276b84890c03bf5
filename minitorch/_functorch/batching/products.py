"""Matrix products: the batch is one more dimension of a batched product."""

from minitorch._functorch.batching._common import (
    check_written,
    expanded,
    in_front,
    is_batched,
    rule,
    wrapped,
)
from minitorch._functorch.batching.pointwise import aligned
from minitorch.autograd.functions import tensor_methods as _ops


def _matrix(t, level, ndim):
    """A matrix or a batch of matrices; in a batch aligned to `ndim` dimensions."""
    return aligned(in_front(t, level), ndim) if is_batched(t, level) else t


@rule("mm", "bmm")
def _mm(operator, arguments, level):
    a, b = arguments
    _check(operator, a, b)
    ndim = a.dim()
    return wrapped(_ops.matmul(_matrix(a, level, ndim), _matrix(b, level, ndim)), level)


def _check(operator, a, b):
    """The operator's own complaint of shapes, made to two empty looks at memory of nothing."""
    fits = a.dim() == b.dim() and a.shape[:-2] == b.shape[:-2] and a.dim() >= 2
    if (
        not fits
        or a.shape[-1] != b.shape[-2]
        or a.dtype != b.dtype
        or a.dim() != 2 + (operator.name == "bmm")
    ):
        operator(_like(a), _like(b))


def _like(t):
    return _ops.empty((1,), dtype=t.dtype).expand(t.shape)


@rule("mv")
def _mv(operator, arguments, level):
    a, v = arguments
    if a.dim() != 2 or v.dim() != 1 or a.shape[1] != v.shape[0] or a.dtype != v.dtype:
        operator(_like(a), _like(v))
    if not is_batched(a, level):
        return wrapped(_ops.matmul(in_front(v, level), a.t()), level)
    vector = in_front(v, level) if is_batched(v, level) else v
    return wrapped(_ops.matmul(in_front(a, level), vector.unsqueeze(-1)).squeeze(-1), level)


@rule("dot", "vdot")
def _dot(operator, arguments, level):
    a, b = arguments
    if a.dim() != 1 or b.dim() != 1 or a.shape != b.shape or a.dtype != b.dtype:
        operator(_like(a), _like(b))
    if operator.name == "vdot":
        a = a.conj()
    left, right = (in_front(t, level) if is_batched(t, level) else t for t in (a, b))
    product = _ops.matmul(left.unsqueeze(-2), right.unsqueeze(-1))
    return wrapped(product.squeeze(-1).squeeze(-1), level)


@rule("_matmul")
def _matmul(operator, arguments, level):
    a, b = arguments
    row, column = a.dim() == 1, b.dim() == 1
    ndim = max(a.dim(), b.dim(), 2)
    left = in_front(a, level) if is_batched(a, level) else a
    right = in_front(b, level) if is_batched(b, level) else b
    left = left.unsqueeze(-2) if row else left
    right = right.unsqueeze(-1) if column else right
    left = aligned(left, ndim) if is_batched(a, level) else left
    right = aligned(right, ndim) if is_batched(b, level) else right
    result = _ops.matmul(left, right)
    result = result.squeeze(-1) if column else result
    return wrapped(result.squeeze(-1 if column else -2) if row else result, level)


@rule("addmm", "addmv", "baddbmm", "addr", "addbmm")
def _added(operator, arguments, level):
    check_written(operator, arguments, level)
    self, a, b, beta, alpha = arguments
    product = {
        "addmm": _ops.mm,
        "addmv": _ops.mv,
        "baddbmm": _ops.bmm,
        "addr": _ops.outer,
        "addbmm": lambda a, b: _ops.bmm(a, b).sum(0),
    }[operator.name](a, b)
    if alpha != 1:
        product = product * alpha
    result = product if beta == 0 else product + (self if beta == 1 else self * beta)
    return self.copy_(result) if operator.form == "_" else result


@rule("_linear")
def _linear(operator, arguments, level):
    input, weight, bias = arguments
    if not is_batched(weight, level) and not (bias is not None and is_batched(bias, level)):
        return wrapped(operator(in_front(input, level), weight, bias), level)
    result = _ops.matmul(input, weight.mT if weight.dim() > 1 else weight)
    return result if bias is None else result + bias


@rule("linalg_cross")
def _cross(operator, arguments, level):
    a, b, dim = arguments
    ndim = max(a.dim(), b.dim())
    left, right = (aligned(expanded(t, level), ndim) for t in (a, b))
    return wrapped(operator(left, right, dim + 1 if dim >= 0 else dim), level)
