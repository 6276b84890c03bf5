"""The `_foreach_` functions, which apply one operator to every tensor of a list.

On other devices, PyTorch runs them as one kernel. Here they are loops, as on PyTorch's CPU.
Functions that are not in place are recorded as one node for the whole list, as in PyTorch.
"""

import functools
import math

from minitorch._tensor import Tensor
from minitorch.autograd.by_sample import looks_for_rule
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.gathered import Result, one_node
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.autograd.levels import wrapped_of
from minitorch.autograd.python_dispatch import told
from minitorch.tensors.gradient_checks import reject_tangents

# operators of one tensor
UNARY = (
    "abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "erf", "erfc", "exp", "expm1", "floor", "frac",
    "lgamma", "log", "log10", "log1p", "log2", "neg", "reciprocal", "round", "rsqrt", "sigmoid", "sign",
    "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
)  # fmt: skip
# operators of two tensors, or of a tensor and a number
BINARY = {
    "add": "add", "sub": "sub", "mul": "mul", "div": "div", "pow": "pow", "maximum": "clamp_min",
    "minimum": "clamp_max", "clamp_min": "clamp_min", "clamp_max": "clamp_max",
}  # fmt: skip


def _check(tensors, others=None):
    """Raise for an empty list, and for tensors or numbers in a list of another length."""
    if isinstance(others, (tuple, list)) and others and isinstance(others[0], Tensor):
        _check_lists(tensors, others)
    if not tensors:
        raise RuntimeError("Tensor list must have at least one tensor.")
    if isinstance(others, (tuple, list)) and len(others) != len(tensors):
        raise RuntimeError("Tensor list must have same number of elements as scalar list.")


def _check_lists(tensors, *others):
    """Raise for lists of tensors of different lengths."""
    for other in others:
        if len(other) != len(tensors):
            raise RuntimeError(
                "Tensor lists must have the same number of tensors, got "
                f"{len(tensors)} and {len(other)}"
            )


def _check_scalar(other):
    """Raise for a tensor with dimensions that is used as a number."""
    if isinstance(other, Tensor) and other.dim():
        raise RuntimeError(
            f"scalar tensor expected to be 0 dim but it has {other.dim()} dimensions and "
            f"{other.numel()} elements."
        )


def _unpacked(value, count):
    """Return the numbers in a vector, one for each tensor of the list."""
    if value.dim() != 1:
        raise RuntimeError(
            f"Expected packed scalar Tensor to be of dimension 1. Got {value.dim()} instead."
        )
    if value.size(0) != count:
        raise RuntimeError(
            f"Expected length of scalars to match input of length {count} but got {value.size(0)} "
            "instead."
        )
    return value.tolist()


def _each(other, count):
    """Return one operand for each tensor; an operand that is not a list is repeated."""
    return other if isinstance(other, (tuple, list)) else [other] * count


def _loop(method, tensors, *columns, **more):
    """Call the in-place method for each row of the columns."""
    for t, *others in zip(tensors, *columns, strict=True):
        getattr(t, method)(*others, **more)
    return tensors


def _node_name(name, ending):
    camel = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    return f"Foreach{camel.replace('1p', '1P')}Backward{ending}"


def _in_one_node(node, operation, *columns, rest=(), **shown):
    """Compute ``operation(*row)`` for each row of the columns and `rest`, and record one node.

    Gradients flow to `columns`: lists of tensors, or a tensor that is the same in each row. `rest`
    contains lists of other operands.
    """
    count, tensors, places = len(columns[0]), [], []
    for column in columns:
        single = isinstance(column, Tensor)
        places.append((len(tensors), single))
        tensors.extend([column] if single else column)

    def every(*given):
        rows = zip(
            *([given[at]] * count if single else given[at : at + count] for at, single in places),
            *rest,
            strict=True,
        )
        return tuple([operation(*row) for row in rows])

    return one_node(node, every, tensors, **shown)


def _unary(name):
    def function(self):
        _check(self)
        if name.endswith("_"):
            return _loop(name, self)
        return _in_one_node(node, lambda t: getattr(t, name)(), self)

    node = _node_name(name, "0")
    return function


# the end of the node's name if the second operand is a list of tensors, a number, a list of
# numbers, a tensor; None: a tensor is treated as a number
_ENDINGS = {
    "add": ("0List", "1Scalar", "1ScalarList", None),
    "sub": ("0List", "1Scalar", "1ScalarList", None),
    "mul": ("0List", "1Scalar", "1ScalarList", "0Tensor"),
    "div": ("0", "1Scalar", "1ScalarList", "0Tensor"),
    "pow": ("0", "0Scalar", "1", None),
    "maximum": ("0List", "0", "1", None),
    "minimum": ("0List", "0", "1", None),
    "clamp_min": ("1List", "0Scalar", "0ScalarList", None),
    "clamp_max": ("1List", "0Scalar", "0ScalarList", None),
}
# (operator, end of the node's name) -> the node's attribute for the second operand
_SHOWN = {
    ("div", "0"): "other", ("pow", "0"): "exponent", ("pow", "1"): "exponent",
    ("maximum", "0"): "scalar", ("maximum", "1"): "scalars", ("minimum", "0"): "scalar",
    ("minimum", "1"): "scalars",
}  # fmt: skip


def _extreme(function, of_numbers):
    """Return a maximum or minimum that splits the gradient of equal operands."""

    def operation(t, other):
        if isinstance(other, Tensor):
            return function(t, other)
        if t.is_floating_point():
            return function(t, t.new_full((), other))
        return getattr(t, of_numbers)(other)

    return operation


_EXTREMES = {
    "maximum": _extreme(_rows.maximum, "clamp_min"),
    "minimum": _extreme(_rows.minimum, "clamp_max"),
}


def _ending(name, other):
    of_tensors, of_number, of_numbers, of_tensor = _ENDINGS[name]
    if isinstance(other, (tuple, list)):
        return of_tensors if isinstance(other[0], Tensor) else of_numbers
    return of_tensor if isinstance(other, Tensor) and of_tensor else of_number


def _binary(name, method):
    def function(self, other, *, alpha=1):
        _check_scalar(other)
        _check(self, other)
        more = {} if alpha == 1 else {"alpha": alpha}
        if name.endswith("_"):
            return _loop(method, self, _each(other, len(self)), **more)
        ending = _ending(name, other)
        shown = {}
        if key := _SHOWN.get((name, ending)):
            shown = {"self": list(self), key: list(other) if isinstance(other, tuple) else other}
            if name == "pow" and ending == "0":
                shown["result"] = _results(self)
        columns, rest = (self, other), ()
        if not (_is_list_of_tensors(other) or ending.endswith("Tensor")):
            value = other.detach() if isinstance(other, Tensor) else other
            columns, rest = (self,), (_each(value, len(self)),)
        return _in_one_node(
            _node_name(name, ending),
            _EXTREMES.get(name) or (lambda t, o: getattr(t, method)(o, **more)),
            *columns,
            rest=rest,
            **shown,
        )

    return function


def _results(tensors):
    return [Result(k) for k in range(len(tensors))]


def _is_list_of_tensors(value):
    return isinstance(value, (tuple, list)) and isinstance(value[0], Tensor)


def _of_numbers(value):
    """Return the end of a node's name for a number or a list of numbers."""
    return "0ScalarList" if isinstance(value, (tuple, list)) else "0Scalar"


def _pointwise(name):
    def function(self, tensor1, tensor2, value=1):
        if isinstance(value, Tensor):
            value = _unpacked(value, len(self))
        _check_lists(self, tensor1, tensor2)
        _check(self, value)
        values = _each(value, len(self))
        if name.endswith("_"):
            for t, a, b, v in zip(self, tensor1, tensor2, values, strict=True):
                getattr(t, name)(a, b, value=v)
            return self
        return _in_one_node(
            _node_name(name, _of_numbers(value)),
            lambda t, a, b, v: getattr(t, name)(a, b, value=v),
            *(self, tensor1, tensor2),
            rest=(values,),
        )

    return function


def _lerp(name):
    def function(self, tensors1, weight):
        _check_lists(self, tensors1)
        _check(self, weight)
        weights = _each(weight, len(self))
        if name.endswith("_"):
            return _loop(name, self, tensors1, weights)
        if _is_list_of_tensors(weight):
            node, columns, rest = "1List", (self, tensors1, weight), ()
        else:
            node, columns, rest = _of_numbers(weight), (self, tensors1), (weights,)
        operation = lambda t, end, w: t.lerp(end, w)  # noqa: E731
        return _in_one_node(_node_name("lerp", node), operation, *columns, rest=rest)

    return function


def _foreach_norm(self, ord=2, dtype=None):
    """Return the vector norm of each tensor."""
    _check(self)
    if ord == math.inf and not all(t.numel() for t in self):
        raise RuntimeError(
            "_foreach_norm cannot compute the infinity norm on an empty tensor because the operation does "
            "not have an identity"
        )
    return _in_one_node(
        "ForeachNormBackward0",
        lambda t: _rows.linalg_vector_norm(t, ord, dtype=dtype),
        self,
        ord=ord,
        result=_results(self),
        self=list(self),
    )


def _foreach_powsum(self, ord=2, dtype=None):
    """Return the sum of the powers of each tensor's absolute values."""
    _check(self)
    if isinstance(ord, complex):
        raise RuntimeError("value cannot be converted to type double without overflow")
    if dtype is None and not all(t.is_floating_point() or t.is_complex() for t in self):
        raise NotImplementedError("\"powsum_cpu\" not implemented for 'Long'")
    return tuple((t if dtype is None else t.to(dtype)).abs().pow(ord).sum() for t in self)


def _foreach_max(self):
    """Return the largest element of each tensor."""
    _check(self)
    if not all(t.numel() for t in self):
        raise RuntimeError(
            "_foreach_max cannot compute the maximum of an empty tensor; max over zero elements is "
            "undefined."
        )
    return _in_one_node("ForeachMaxBackward1", lambda t: t.max(), self)


def _foreach_mm(self, mat2):
    """Return the product of each matrix with its counterpart."""
    _check(self, mat2)
    reject_tangents([*self, *mat2], "_foreach_mm")
    return _in_one_node(
        "ForeachMmBackward0", lambda a, b: a.mm(b), self, mat2, mat2=list(mat2), self=list(self)
    )


def _foreach_clone(self, *, memory_format=None):
    """Return a copy of each tensor."""
    _check(self)
    more = {} if memory_format is None else {"memory_format": memory_format}
    return _in_one_node("ForeachCloneBackward0", lambda t: t.clone(**more), self)


def _foreach_copy_(self, src, non_blocking=False):
    """Copy each tensor of `src` to its counterpart."""
    _check(self, src)
    reject_tangents([*self, *src], "_foreach_copy_", "inplace")
    for to, of in zip(self, src, strict=True):
        to.copy_(of, non_blocking)
    return self


def _foreach_zero_(self):
    """Set every element of every tensor to 0."""
    _check(self)
    return _loop("zero_", self)


def _foreach_pow(self, exponent):
    """Raise each tensor to its power, or a number to the power of each tensor."""
    if isinstance(self, (tuple, list)):
        return _powers(self, exponent)
    _check(exponent)
    return _in_one_node(
        "ForeachPowBackward2",
        lambda t: _rows.pow(self, t),
        exponent,
        exponent=list(exponent),
        result=_results(exponent),
        self=self,
    )


_powers = _binary("pow", "pow")


def functions():
    """Return all functions by name."""
    found = {}
    for suffix in ("", "_"):
        for name in UNARY:
            found[f"_foreach_{name}{suffix}"] = _unary(name + suffix)
        for name, method in BINARY.items():
            found[f"_foreach_{name}{suffix}"] = _binary(name + suffix, method + suffix)
        for name in ("addcmul", "addcdiv"):
            found[f"_foreach_{name}{suffix}"] = _pointwise(name + suffix)
        found[f"_foreach_lerp{suffix}"] = _lerp("lerp" + suffix)
    for name, function in found.items():
        function.__name__ = function.__qualname__ = name
        function.__doc__ = f"`{name.removeprefix('_foreach_')}` of every tensor of a list."
    own = {name: value for name, value in globals().items() if name.startswith("_foreach_")}
    named = {**found, **own}
    return {name: looks_for_rule(_as_one(name, function)) for name, function in named.items()}


def _as_one(name, function):
    """Dispatch to modes as one operator, unless a tensor needs a gradient or is wrapped.

    In these cases, modes see the operators that the function is composed of.
    """

    @functools.wraps(function)
    def called(*args, **kwargs):
        if not any(map(_is_composed_for, _tensors(args))):
            outcome = told(name, args, kwargs)
            if outcome is not None:
                return args[0] if outcome is True else tuple(outcome)
        return function(*args, **kwargs)

    return called


def _tensors(args):
    for column in args:
        for t in column if isinstance(column, (tuple, list)) else [column]:
            if isinstance(t, Tensor):
                yield t


def _is_composed_for(t):
    return is_grad_enabled() and t.requires_grad or wrapped_of(t) is not None


TABLE = functions()
