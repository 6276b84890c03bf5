"""Kernels of operators on sparse tensors: rules by row of ``derivatives/`` and form.

A rule takes the operator's arguments in the schema's order and returns the result; an in-place rule
returns the tensor that it changed. Recording is off while it runs. An operator without a rule
raises PyTorch's error for a missing kernel.
"""

from minitorch._sparse import coo
from minitorch._sparse.coo import is_sparse, like, make, parts
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.namespace import can_cast, result_type
from minitorch.autograd.grad_mode import no_grad
from minitorch.autograd.inplace import _increment_version
from minitorch.autograd.variable import TensorBase
from minitorch.core.dtype import _dtypes

rules: dict[tuple[str, str], object] = {}
# codes that are not in the map mean None
code_to_dtype = {d._code: d for d in _dtypes().values()}


def rule(name, *forms):
    """Return a decorator that registers a rule for the forms ``""`` or ``"_"`` of a row."""

    def register(function):
        for form in forms or ("",):
            rules[name, form] = function
        return function

    return register


def in_place(name):
    """Register the in-place form of a row, derived from its rule for a new result."""
    compute = rules[name, ""]

    def write(self, *arguments):
        result = compute(self, *arguments)
        if is_sparse(self):
            if not is_sparse(result):
                raise no_rule_error(name + "_")
            if result.dtype != self.dtype:
                raise RuntimeError(
                    f"result type {result.dtype._class_name} can't be cast to the desired output type "
                    f"{self.dtype._class_name}"
                )
            s = parts(result)
            coo.become(self, s.indices, s.values, s.coalesced, result.shape)
            _increment_version(self)
            return self
        return self.copy_(result)

    rules[name, "_"] = write


# row -> overload, where the names differ
_OVERLOADS = {
    "all_dims": "all",
    "eq": "eq.Tensor",
    "fill_": "fill_.Scalar",
    "gt": "gt.Tensor",
    "lt": "lt.Tensor",
    "max_all": "max",
    "mean": "mean.dim",
    "min_all": "min",
    "pow_number": "pow.Scalar",
}


def no_rule_error(name):
    """Return the error for an operator without a rule."""
    name = _OVERLOADS.get(name, name)
    return NotImplementedError(
        f"Could not run 'aten::{name}' with arguments from the 'SparseCPU' backend."
    )


def compute(operator, arguments):
    function = rules.get((operator.name, operator.form))
    if function is None:
        raise no_rule_error(operator.name + (operator.form if operator.form == "_" else ""))
    with no_grad():
        return function(*arguments)


# ---- copies, conversions and zeros


@rule("clone")
def _clone(self, memory_format=1):
    s = parts(self)
    return make(s.indices.clone(), s.values.clone(), self.shape, s.coalesced)


@rule("detach")
@rule("alias")
def _detach(self):
    s = parts(self)
    return make(s.indices, s.values, self.shape, s.coalesced)


@rule("cast")
@rule("_to_copy")
def _cast(self, dtype, memory_format=1):
    s = parts(self)
    values = s.values.to(code_to_dtype.get(dtype, self.dtype), copy=True)
    return make(s.indices.clone(), values, self.shape, s.coalesced)


@rule("zero", "_")
def _zero(self):
    empty = parts(coo.empty(parts(self).indices.shape[0], self.shape, self.dtype))
    coo.become(self, empty.indices, empty.values, True)
    _increment_version(self)
    return self


@rule("zeros_like")
def _zeros_like(self, dtype=None, memory_format=1):
    wanted = code_to_dtype.get(dtype, self.dtype)
    return coo.empty(parts(self).indices.shape[0], self.shape, wanted)


@rule("copy", "_")
def _copy(self, other, non_blocking=False):
    if not (is_sparse(self) and is_sparse(other)):
        raise RuntimeError("copy_() between dense and sparse Tensors is not implemented! Found self type = "
                           f"{self.type()} and src type = {other.type()}")  # fmt: skip
    s = parts(other)
    coo.become(
        self, s.indices.clone(), s.values.to(self.dtype, copy=True), s.coalesced, other.shape
    )
    _increment_version(self)
    return self


# ---- sums and differences


def _check_same_sizes(name, self, other):
    if self.shape != other.shape:
        raise RuntimeError(
            f"{name}: expected sizes of 'self' and 'other' to match, but "
            f"{list(self.shape)} != {list(other.shape)}"
        )


@rule("add")
def _add(self, other, alpha):
    if is_sparse(self):
        if not is_sparse(other):
            raise RuntimeError(
                "add(sparse, dense) is not supported. Use add(dense, sparse) instead."
            )
        return _add_sparse(self, other, alpha)
    s = parts(other)
    if self.shape != other.shape:
        raise RuntimeError(
            "add: expected 'self' and 'other' to have same size, but self has size "
            f"{list(self.shape)} while other has size {list(other.shape)} (FYI: dense-sparse "
            "addition does not currently support broadcasting)"
        )
    result = self.to(result_type(self, s.values), copy=True)
    return coo.add_to(result, s.indices, (s.values * alpha).to(result.dtype))


@rule("add", "_")
def _add_(self, other, alpha):
    if is_sparse(self):
        result = _add(self, other, alpha)
        if not can_cast(result.dtype, self.dtype):
            raise RuntimeError(
                f"Can't convert result type {result.dtype._class_name} to output {self.dtype._class_name} in add "
                "operation"
            )
        s = parts(result)
        coo.become(self, s.indices, s.values.to(self.dtype), s.coalesced)
        _increment_version(self)
        return self
    s = parts(other)
    if self.shape != other.shape:
        return _add(self, other, alpha)  # raises
    coo.add_to(self.detach(), s.indices, (s.values * alpha).to(self.dtype))
    return self


def _add_sparse(self, other, alpha):
    _check_same_sizes("add", self, other)
    a, b = parts(self), parts(other)
    if not b.indices.shape[1]:
        dtype = result_type(a.values, b.values)
        return make(a.indices.clone(), a.values.to(dtype, copy=True), self.shape, a.coalesced)
    if not a.indices.shape[1]:
        return like(other, b.values * alpha).to(result_type(a.values, b.values))
    if a.indices.shape[0] != b.indices.shape[0]:
        raise RuntimeError(
            "add: expected 'self' and 'other' to have same density, but 'self' has "
            f"{a.indices.shape[0]} sparse dimensions while 'other' has {b.indices.shape[0]} "
            "sparse dimensions"
        )
    dtype = result_type(a.values, b.values)
    first, second = a.values.to(dtype), (b.values * alpha).to(dtype)
    if not (a.values.is_contiguous() and b.values.is_contiguous()):
        return make(_ops.cat([a.indices, b.indices], 1), _ops.cat([first, second]), self.shape)
    both = a.coalesced and b.coalesced
    positions = _merged(a.indices, b.indices, coo.sparse_sizes(self), both)
    count = 1 + max((int(p.max()) for p in positions if p.numel()), default=-1)
    indices = a.indices.new_zeros((a.indices.shape[0], count))
    for position, s in zip(positions, (a, b), strict=True):
        indices[:, position] = s.indices
    values = coo.sum_at(_ops.cat(positions), _ops.cat([first, second]), count)
    return make(indices, values, self.shape, both)


def _merged(first, second, sizes, both_coalesced):
    """Return the positions of the columns of two index lists in their merged list.

    Equal columns that meet during the merge share a position. Unsorted lists are merged in the same
    way, from beginning to end; then not all equal columns meet.
    """
    a, b = coo.flat(first, sizes), coo.flat(second, sizes)
    if both_coalesced:
        where = _ops.cat([a, b]).unique(return_inverse=True)[1]
        return where[: a.shape[0]], where[a.shape[0] :]
    left, right, to_left, to_right = a.tolist(), b.tolist(), [], []
    place = 0
    while len(to_left) < len(left) or len(to_right) < len(right):
        i, j = len(to_left), len(to_right)
        takes_left = j == len(right) or (i < len(left) and left[i] <= right[j])
        if i < len(left) and j < len(right) and left[i] == right[j]:
            to_left.append(place)
            to_right.append(place)
        elif takes_left:
            to_left.append(place)
        else:
            to_right.append(place)
        place += 1
    return a.new_tensor(to_left), b.new_tensor(to_right)


@rule("sub")
def _sub(self, other, alpha):
    if is_sparse(self) and not is_sparse(other):
        return _add(self, other, alpha)  # raises
    return _add(self, other, -alpha)


@rule("sub", "_")
def _sub_(self, other, alpha):
    if is_sparse(self) and not is_sparse(other):
        return _sub(self, other, alpha)  # raises
    return _add_(self, other, -alpha)


# ---- products and quotients


def _is_scalar(t):
    """Return whether a dense operand is a number (a bare handle) or has no dimensions."""
    return type(t) is TensorBase or t.dim() == 0


@rule("_mul_scalar")
def _mul_scalar(self, number):
    return like(self, parts(self).values * number)


@rule("_div_scalar")
def _div_scalar(self, number):
    return like(self, parts(self).values / number)


@rule("mul")
def _mul(self, other):
    if not is_sparse(self):
        self, other = other, self
    s = parts(self)
    if not is_sparse(other):
        if _is_scalar(other):
            return like(self, s.values * other)
        return like(self, s.values * coo.taken(other.expand(self.shape), s.indices))
    if self.shape != other.shape or s.indices.shape[0] != parts(other).indices.shape[0]:
        raise RuntimeError(
            "sparse_binary_op_intersection_cpu(): expects sparse inputs with equal dimensionality, number of "
            "sparse dimensions, and shape of sparse dimensions"
        )
    return _product(self, other)


def _product(self, other):
    """Multiply two sparse tensors.

    If an operand is not coalesced, the result has all of its indices, with zeros where the other
    operand has no element.
    """
    a, b = parts(self), parts(other)
    both = a.coalesced and b.coalesced
    if a.coalesced == b.coalesced:
        swaps = not both and b.indices.shape[1] <= a.indices.shape[1]
    else:
        swaps = a.coalesced
    if swaps:
        a, other = b, self
    b = parts(coo.coalesced(other))
    sizes = coo.sparse_sizes(other)
    hit, at = _found(coo.flat(a.indices, sizes), coo.flat(b.indices, sizes))
    which = hit.nonzero().squeeze(1)
    at = at.index_select(0, which)
    met = a.values.index_select(0, which) * b.values.index_select(0, at)
    if both:
        return make(a.indices.index_select(1, which), met, self.shape, True)
    values = met.new_zeros(a.values.shape).index_copy_(0, which, met)
    return make(a.indices, values, self.shape, False)


def _found(wanted, positions):
    """Return whether each wanted position is in the sorted `positions`, and at which index."""
    if not positions.shape[0]:
        at = wanted.new_zeros(wanted.shape)
        return at != 0, at
    at = _ops.searchsorted(positions, wanted).clamp(max=positions.shape[0] - 1)
    return positions.index_select(0, at) == wanted, at


@rule("div")
def _div(self, other, rounding_mode=None):
    if is_sparse(other) or not _is_scalar(other):
        raise RuntimeError(
            "Sparse division requires a scalar or zero-dim dense tensor divisor (got shape "
            f"{list(other.shape)} for divisor)"
        )
    if rounding_mode is not None:
        self = coo.coalesced(self)
    return like(self, _ops.div(parts(self).values, other, rounding_mode=rounding_mode))


@rule("neg")
def _neg(self):
    return like(self, -parts(self).values)


@rule("conj")
def _conj(self):
    # None: the operator returns its argument
    return like(self, parts(self).values.conj()) if self.is_complex() else None


rules["conj_physical", ""] = _conj


@rule("threshold_backward")
def _threshold_backward(grad_output, self, threshold):
    if not is_sparse(self):
        raise RuntimeError("is_coalesced expected sparse coordinate tensor layout but got Strided")
    if not is_sparse(grad_output):
        raise NotImplementedError(
            "Could not run 'aten::_nnz' with arguments from the 'CPU' backend."
        )
    above = parts(self).values > threshold
    return _product(grad_output, like(self, above.to(grad_output.dtype)))


@rule("pow_scalar")
def _pow(self, exponent):
    if exponent == 0:
        raise RuntimeError(
            "pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor dense"
        )
    self = coo.coalesced(self)
    return like(self, parts(self).values ** exponent)


def _unary(name, function):
    """Register a function that maps zero to zero, and its in-place form."""

    def compute(self, *arguments):
        self = coo.coalesced(self)
        return like(self, function(parts(self).values, *arguments))

    rules[name, ""] = compute
    in_place(name)
    write = rules[name, "_"]

    def write_coalesced(self, *arguments):
        if not parts(self).coalesced:
            raise RuntimeError(f"{name}_ requires coalesced input")
        return write(self, *arguments)

    rules[name, "_"] = write_coalesced


for _name in """abs asin asinh atan atanh ceil deg2rad erf erfinv expm1 floor frac isinf isnan
        log1p rad2deg relu sgn sign signbit sin sinh sqrt tan tanh trunc""".split():
    _unary(_name, getattr(_ops, _name))
_unary("round", lambda values, decimals: _ops.round(values, decimals=decimals))


@rule("nan_to_num")
def _nan_to_num(self, *numbers):
    self = coo.coalesced(self)
    return like(self, _ops.nan_to_num(parts(self).values, *numbers))


@rule("floor_divide")
def _floor_divide(self, other):
    return _div(self, other, "floor")


@rule("any_dims")
def _any(self, dim=None, keepdim=False):
    if dim:
        raise no_rule_error("any.dim")
    return parts(self).values.any()


for _name in "mul div neg pow_scalar floor_divide nan_to_num".split():
    in_place(_name)


# ---- sums


@rule("reshape_alias")
@rule("_reshape_copy")
def _reshape(self, *arguments):
    raise RuntimeError("reshape is not implemented for sparse tensors")


@rule("expand")
def _expand(self, *arguments):
    raise RuntimeError("expand is unsupported for Sparse tensors")


@rule("sum")
def _sum(self, dtype=None):
    return parts(self).values.sum(dtype=code_to_dtype.get(dtype))


@rule("norm_dim")
def norm(self, p, dim, keepdim):
    if dim and len({d % max(self.dim(), 1) for d in dim}) < self.dim():
        raise RuntimeError(
            "norm_sparse currently only supports full reductions, so 'dim' must either be empty or contain all "
            "dimensions of the input"
        )
    if keepdim:
        raise RuntimeError("norm_sparse currently does not support keepdim=True")
    if not (self.is_floating_point() or self.is_complex()):
        raise RuntimeError(
            "norm(): input dtype should be either floating point or complex. "
            f"Got {self.dtype._class_name} instead."
        )
    values = parts(coo.coalesced(self)).values.flatten()
    return _ops.linalg_vector_norm(values, p)
