"""Sizes that are not known: there are none, so every question about one has the answer of a number."""

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
    """What is known of unknown sizes."""


class ShapeEnvSettings(Absent):
    """How it is asked."""


class StatelessSymbolicContext(Absent):
    """Which sizes of a tensor are unknown."""


class StatefulSymbolicContext(StatelessSymbolicContext):
    """The same, kept for later."""


class DimConstraints(Absent):
    """What holds of unknown sizes."""


class GuardOnDataDependentSymNode(RuntimeError):
    """A decision that needs a size which depends on data."""


class DimDynamic(enum.Enum):
    """How a size becomes an unknown one."""

    DYNAMIC = 0
    DUCK = 1
    STATIC = 2
    UNBACKED = 3
    INFER_STRIDE = 4


def is_symbolic(val):
    """Whether it is an unknown number."""
    return False


def is_nested_int(s):
    """Whether it is the length of rows of different lengths."""
    return False


def free_symbols(val):
    """The unknown sizes in it."""
    return OrderedSet()


free_unbacked_symbols = free_symbols


def has_free_symbols(val):
    """Whether there are unknown sizes in it."""
    return False


def guard_int(a):
    """The number itself."""
    if type(a) is not int:
        raise AssertionError(f"Expected int, got {a}")
    return a


def statically_known_true(x):
    """Whether it holds."""
    if not isinstance(x, bool):
        raise AssertionError(f"Expected bool, got {type(x)}")
    return x


def guard_size_oblivious(expr):
    """Whether it holds."""
    return bool(expr)


def guard_or_false(a):
    """Whether it holds."""
    return bool(a)


guard_or_true = guard_or_false


def sym_eq(x, y):
    """Whether two numbers, or sequences of them, are equal."""
    if isinstance(x, (tuple, list)) and isinstance(y, (tuple, list)):
        return len(x) == len(y) and all(map(sym_eq, x, y))
    if not isinstance(x, (int, bool)) or not isinstance(y, (int, bool)):
        raise AssertionError(f"unexpected sym_eq between {type(x)} {type(y)}")
    return x == y
