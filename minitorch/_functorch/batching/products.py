"""Matrix products: the batch is one more dimension of a batched product."""

from minitorch._functorch.batching._common import (
    check_written,
    expanded,
    in_front,
    is_batched,
    rule,
    wrapped,
)
from minitorch._functorch.batching.dimensions import check_range
from minitorch._functorch.batching.pointwise import aligned
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.overridable import cast_arguments
from minitorch.autograd.levels import is_older


def _front(t, level):
    return in_front(t, level) if is_batched(t, level) else t


# messages of the older vmap for sizes that do not match
_OLDER = {
    "mm": "expected matrix (got `self` of size {}) and matrix (got `other` of size {})",
    "bmm": "expected 3D `self` (got `self` of size {}) and 3D `other` (got `other` of size {})",
    "mv": "expected matrix (got `self` of size {}) and vector (got `other` of size {})",
    "dot": "vector (got `self` of size {}) and vector (got `other` of size {})",
}


def _check_older(operator, a, b):
    text = _OLDER.get(operator.name)
    if text is not None:
        shapes = text.format(list(a.shape), list(b.shape))
        raise RuntimeError(f"{operator.name}(self, other): Shape mismatch: {shapes}")


def _check_dims(operator, a, b, first, second, level):
    if a.dim() != first or b.dim() != second:
        if is_older(level):
            _check_older(operator, a, b)
        raise RuntimeError(
            f"Shape mismatch: Got incorrect dims for {operator.name}(a, b). a has dim {a.dim()}and b has dim "
            f"{b.dim()}but expected them to have dim {first} and dim {second}"
        )


# other size mismatches raise an error in the product of the batches


@rule("mm", "bmm")
def _mm(operator, arguments, level):
    a, b = arguments
    ndim = 2 + (operator.name == "bmm")
    _check_dims(operator, a, b, ndim, ndim, level)
    return wrapped(_ops.matmul(_front(a, level), _front(b, level)), level)


def _product(a, b):
    """Return the product with `autocast`'s casts, which do not apply to the calling operator."""
    return _ops.matmul(*cast_arguments("matmul", (a, b), {})[0])


@rule("mv")
def _mv(operator, arguments, level):
    a, v = arguments
    _check_dims(operator, a, v, 2, 1, level)
    if not is_batched(a, level):
        if is_older(level):
            return wrapped(_product(in_front(v, level), a.t()), level)
        return wrapped(_product(a, in_front(v, level).t()), level, 1)
    if not is_batched(v, level):
        return wrapped(_product(in_front(a, level), v), level)
    product = _product(in_front(a, level), in_front(v, level).unsqueeze(-1))
    return wrapped(product.squeeze(-1), level)


@rule("dot", "vdot")
def _dot(operator, arguments, level):
    a, b = arguments
    if a.dim() != 1 or b.dim() != 1:
        if is_older(level):
            _check_older(operator, a, b)
        raise RuntimeError("Got wrong shapes for dot")
    if operator.name == "vdot":
        a = a.conj()
    left, right = _front(a, level), _front(b, level)
    if left.dim() == right.dim() == 2:
        product = _product(left.unsqueeze(-2), right.unsqueeze(-1))
        return wrapped(product.squeeze(-1).squeeze(-1), level)
    return wrapped(_product(left, right.t()), level)


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


@rule("addmm", "addmv", "baddbmm", "addbmm")
def _added(operator, arguments, level):
    check_written(operator, arguments, level)
    self, a, b, beta, alpha = arguments
    a, b = cast_arguments("matmul", (a, b), {})[0]
    product = {
        "addmm": _ops.mm,
        "addmv": _ops.mv,
        "baddbmm": _ops.bmm,
        "addbmm": lambda a, b: _ops.bmm(a, b).sum(0),
    }[operator.name](a, b)
    result = _ops.add(self * beta, product, alpha=alpha)
    return self.copy_(result) if operator.form == "_" else result


@rule("addr")
def _addr(operator, arguments, level):
    self, a, b, beta, alpha = arguments
    for k, t in enumerate((a, b), 1):
        if t.dim() != 1:
            raise RuntimeError(f"addr: Expected 1-D argument vec{k}, but got {t.dim()}-D")
    self = self.expand(a.shape[0], b.shape[0])
    product = _ops.outer(a, b)
    if alpha != 1:
        product = alpha * product
    if beta == 0:
        return product
    return (self if beta == 1 else beta * self) + product


@rule("_linear")
def _linear(operator, arguments, level):
    input, weight, bias = arguments
    left, right = cast_arguments("matmul", (input, weight), {})[0]
    own = is_batched(weight, level) or (bias is not None and is_batched(bias, level))
    if not own and left is input and right is weight:
        return wrapped(operator(in_front(input, level), weight, bias), level)
    result = _ops.matmul(left, right.mT if right.dim() > 1 else right)
    return result if bias is None else result + bias


@rule("linalg_cross")
def _cross(operator, arguments, level):
    a, b, dim = arguments
    if a.dim() != b.dim():
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    check_range(dim, a.dim())
    left, right = (expanded(t, level) for t in (a, b))
    return wrapped(operator(left, right, dim % max(a.dim(), 1) + 1), level)
