"""Symbolic sizes, which minitorch does not have: the functions treat sizes as plain numbers."""

import enum

from minitorch.namespace.absent import Absent, absent
from minitorch.utils._ordered_set import OrderedSet

__all__ = [
    "DimDynamic",
    "ShapeEnv",
    "StatefulSymbolicContext",
    "StatelessSymbolicContext",
    "free_symbols",
    "free_unbacked_symbols",
    "guard_int",
    "guard_or_false",
    "guard_or_true",
    "guard_size_oblivious",
    "has_free_symbols",
    "is_nested_int",
    "is_symbolic",
    "statically_known_true",
    "sym_eq",
]

bind_symbols = absent("torch.fx.experimental.symbolic_shapes.bind_symbols")
constrain_range = absent("torch.fx.experimental.symbolic_shapes.constrain_range")
constrain_unify = absent("torch.fx.experimental.symbolic_shapes.constrain_unify")
eval_guards = absent("torch.fx.experimental.symbolic_shapes.eval_guards")


class ShapeEnv(Absent):
    """Constraints on symbolic sizes; absent."""


class ShapeEnvSettings(Absent):
    """Settings of a `ShapeEnv`; absent."""


class StatelessSymbolicContext(Absent):
    """Choice of which sizes of a tensor are symbolic; absent."""


class StatefulSymbolicContext(StatelessSymbolicContext):
    """A `StatelessSymbolicContext` with a cache; absent."""


class DimConstraints(Absent):
    """Constraints on dimensions; absent."""


class GuardOnDataDependentSymNode(RuntimeError):
    """A branch depends on a size that depends on data."""


class DimDynamic(enum.Enum):
    """Ways in which a size can become symbolic."""

    DYNAMIC = 0
    DUCK = 1
    STATIC = 2
    UNBACKED = 3
    INFER_STRIDE = 4


def is_symbolic(val):
    """Return False: no number is symbolic."""
    return False


def is_nested_int(s):
    """Return False: there are no sizes of ragged dimensions."""
    return False


def free_symbols(val):
    """Return an empty set: there are no symbolic sizes."""
    return OrderedSet()


free_unbacked_symbols = free_symbols


def has_free_symbols(val):
    """Return False: there are no symbolic sizes."""
    return False


def guard_int(a):
    """Return `a`, which must be an int."""
    if type(a) is not int:
        raise AssertionError(f"Expected int, got {a}")
    return a


def statically_known_true(x):
    """Return `x`, which must be a bool."""
    if not isinstance(x, bool):
        raise AssertionError(f"Expected bool, got {type(x)}")
    return x


def guard_size_oblivious(expr):
    """Return the truth value of a condition on sizes."""
    return bool(expr)


def guard_or_false(a):
    """Return the truth value of a condition on sizes."""
    return bool(a)


guard_or_true = guard_or_false


def sym_eq(x, y):
    """Return whether two ints or nested sequences of ints are equal."""
    if isinstance(x, (tuple, list)) and isinstance(y, (tuple, list)):
        return len(x) == len(y) and all(map(sym_eq, x, y))
    if not isinstance(x, (int, bool)) or not isinstance(y, (int, bool)):
        raise AssertionError(f"unexpected sym_eq between {type(x)} {type(y)}")
    return x == y
