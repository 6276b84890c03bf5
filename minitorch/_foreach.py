"""The `_foreach_` functions: one operator on every tensor of a list.

PyTorch runs them as one kernel on other devices. Here they are what they are on the CPU there: loops.
"""

import math

from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _rows

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
    """Refuse an empty list, and a list of tensors or numbers of another length."""
    if isinstance(others, (tuple, list)) and others and isinstance(others[0], Tensor):
        _check_lists(tensors, others)
    if not tensors:
        raise RuntimeError("Tensor list must have at least one tensor.")
    if isinstance(others, (tuple, list)) and len(others) != len(tensors):
        raise RuntimeError("Tensor list must have same number of elements as scalar list.")


def _check_lists(tensors, *others):
    """Refuse lists of tensors of different lengths."""
    for other in others:
        if len(other) != len(tensors):
            raise RuntimeError(
                "Tensor lists must have the same number of tensors, got "
                f"{len(tensors)} and {len(other)}"
            )


def _check_scalar(other):
    """Refuse a tensor that stands for a number and has dimensions."""
    if isinstance(other, Tensor) and other.dim():
        raise RuntimeError(
            f"scalar tensor expected to be 0 dim but it has {other.dim()} dimensions and "
            f"{other.numel()} elements."
        )


def _unpacked(value, count):
    """The numbers of a tensor, one for each tensor of the list."""
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
    """The operand for each tensor: of a list each has its own."""
    return other if isinstance(other, (tuple, list)) else [other] * count


def _result(results, tensors, inplace):
    return tensors if inplace else tuple(results)


def _unary(name):
    def function(self):
        _check(self)
        return _result([getattr(t, method)() for t in self], self, inplace)

    inplace = name.endswith("_")
    method = name
    return function


def _binary(name, method):
    def function(self, other, *, alpha=1):
        _check_scalar(other)
        _check(self, other)
        more = {} if alpha == 1 else {"alpha": alpha}
        pairs = zip(self, _each(other, len(self)), strict=True)
        return _result([getattr(t, method)(o, **more) for t, o in pairs], self, inplace)

    inplace = name.endswith("_")
    return function


def _pointwise(name):
    def function(self, tensor1, tensor2, value=1):
        if isinstance(value, Tensor):
            value = _unpacked(value, len(self))
        _check_lists(self, tensor1, tensor2)
        _check(self, value)
        rows = zip(self, tensor1, tensor2, _each(value, len(self)), strict=True)
        return _result([getattr(t, name)(a, b, value=v) for t, a, b, v in rows], self, inplace)

    inplace = name.endswith("_")
    return function


def _lerp(name):
    def function(self, tensors1, weight):
        _check_lists(self, tensors1)
        _check(self, weight)
        rows = zip(self, tensors1, _each(weight, len(self)), strict=True)
        return _result([getattr(t, name)(end, w) for t, end, w in rows], self, inplace)

    inplace = name.endswith("_")
    return function


def _foreach_norm(self, ord=2, dtype=None):
    """The vector norm of each tensor."""
    _check(self)
    if ord == math.inf and not all(t.numel() for t in self):
        raise RuntimeError(
            "_foreach_norm cannot compute the infinity norm on an empty tensor because the operation does "
            "not have an identity"
        )
    return tuple(_rows.linalg_vector_norm(t, ord, dtype=dtype) for t in self)


def _foreach_powsum(self, ord=2, dtype=None):
    """The sum of the powers of each tensor's magnitudes."""
    _check(self)
    return tuple((t if dtype is None else t.to(dtype)).abs().pow(ord).sum() for t in self)


def _foreach_max(self):
    """The largest element of each tensor."""
    _check(self)
    if not all(t.numel() for t in self):
        raise RuntimeError(
            "_foreach_max cannot compute the maximum of an empty tensor; max over zero elements is "
            "undefined."
        )
    return tuple(t.max() for t in self)


def _foreach_mm(self, mat2):
    """The product of each matrix with its counterpart."""
    _check(self, mat2)
    return tuple(a.mm(b) for a, b in zip(self, mat2, strict=True))


def _foreach_clone(self, *, memory_format=None):
    """A copy of each tensor."""
    _check(self)
    more = {} if memory_format is None else {"memory_format": memory_format}
    return tuple(t.clone(**more) for t in self)


def _foreach_copy_(self, src, non_blocking=False):
    """Copy each tensor of `src` to its counterpart."""
    _check(self, src)
    for to, of in zip(self, src, strict=True):
        to.copy_(of, non_blocking)
    return self


def _foreach_zero_(self):
    """Set every element of every tensor to 0."""
    _check(self)
    for t in self:
        t.zero_()
    return self


def _number_to_powers(number, exponents):
    _check(exponents)
    return tuple(_rows.pow(number, t) for t in exponents)


def _foreach_pow(self, exponent):
    """Each tensor to its power, or a number to the powers that the tensors are."""
    if not isinstance(self, (tuple, list)):
        return _number_to_powers(self, exponent)
    _check(self, exponent)
    return tuple(t.pow(e) for t, e in zip(self, _each(exponent, len(self)), strict=True))


def functions():
    """All of them by name."""
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
    return {**found, **own}
