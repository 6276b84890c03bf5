"""Aliasing and mutation of an operator's arguments in one call.

A schema describes every call. The values of one call give more information: two arguments may be
the same tensor, and a normalization does not update its running statistics outside of training.
"""

import enum
from dataclasses import dataclass

from minitorch._tensor import Tensor
from minitorch.autograd.levels import wrapped_of

# names of the argument that enables updates of the running statistics
_SWITCHES = ("training", "train", "use_input_stats")
_STATISTICS = ("running_mean", "running_var")


class SchemaArgType(enum.Enum):
    """List of a schema that contains an argument: its inputs or its outputs."""

    input = 0
    output = 1


@dataclass(frozen=True)
class SchemaArgument:
    """Position of an argument or a result in a schema."""

    type: SchemaArgType
    index: int


class SchemaInfo:
    """Schema with the argument values of a call.

    Parameters
    ----------
    schema : FunctionSchema

    Examples
    --------
    >>> import minitorch as torch
    >>> info = torch._C._SchemaInfo(torch.ops.aten.add_.Tensor._schema)
    >>> x = torch.ones(2)
    >>> info.is_mutable("other")
    False
    >>> info.add_argument_values({"self": x, "other": x})
    >>> info.is_mutable("other")
    True
    """

    def __init__(self, schema):
        self.schema = schema
        self._values = {}

    def add_argument_value(self, name, value):
        """Set the value of one argument; ``"input"`` means ``"self"`` if there is no such name."""
        if name == "input" and not self.has_argument("input"):
            name = "self"
        if not self.has_argument(name):
            raise RuntimeError(f"Schema has no argument named {name}")
        if value is not None:
            self._values[name] = value

    def add_argument_values(self, values):
        """Set the values of several arguments."""
        for name, value in values.items():
            self.add_argument_value(name, value)

    def has_argument(self, name):
        """Return whether there is an argument of this name."""
        return any(a.name == name for a in self.schema.arguments)

    def is_mutable(self, argument=None):
        """Return whether the operator writes to an argument, by default to any of them."""
        if argument is None:
            return any(self._is_written(a) for a in self.schema.arguments)
        if isinstance(argument, str):
            names = [a.name for a in self.schema.arguments]
            argument = SchemaArgument(SchemaArgType.input, names.index(argument))
        found = self._at(argument)
        return any(self._is_written(a) for a in self.schema.arguments if self._share(a, found))

    def may_alias(self, lhs, rhs):
        """Return whether two arguments or results may alias; a list and a tensor never do."""
        first, second = self._at(lhs), self._at(rhs)
        return first.is_list == second.is_list and self._meet(first, second)

    def may_contain_alias(self, lhs, rhs):
        """Return whether two arguments or results, or items of lists among them, may alias."""
        first, second = self._at(lhs), self._at(rhs)
        return self._meet(first, second) or _holds_anything(first) or _holds_anything(second)

    def _meet(self, first, second):
        """Return whether two share memory directly or through an argument."""
        return self._share(first, second) or any(
            self._share(a, first) and self._share(a, second) for a in self.schema.arguments
        )

    def _at(self, argument):
        is_input = argument.type is SchemaArgType.input
        return (self.schema.arguments if is_input else self.schema.returns)[argument.index]

    def _is_written(self, argument):
        if argument.name in _STATISTICS:
            switch = next((name for name in _SWITCHES if self.has_argument(name)), None)
            if switch is not None:
                return bool(self._values.get(switch, True))
        return argument.is_write

    def _share(self, a, b):
        """Return whether two have a common alias set or overlapping values in this call."""
        if a is b:
            return True
        sets = [x.alias_info.before_set if x.alias_info is not None else set() for x in (a, b)]
        if sets[0] & sets[1]:
            return True
        values = [self._values.get(x.name) for x in (a, b)]
        return all(v is not None for v in values) and overlaps(*values)


def _holds_anything(argument):
    return argument.alias_info is not None and "*" in (
        argument.alias_info.before_set | argument.alias_info.after_set
    )


def has_storage(tensor):
    """Return whether a tensor has a storage; tensors of transforms and sparse tensors have none."""
    return not (tensor.is_sparse or wrapped_of(tensor) is not None)


def _memories(value):
    """Yield an identifier of the storage of each tensor in a nested value.

    A sparse tensor yields those of its indices and values, a tensor without a storage its id.
    """
    if isinstance(value, Tensor):
        if value.is_sparse:
            yield from _memories([value._indices(), value._values()])
        else:
            yield value.untyped_storage()._cdata if has_storage(value) else id(value)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _memories(item)
    elif isinstance(value, dict):
        yield from _memories(list(value.values()))


def overlaps(lhs, rhs):
    """Return whether a tensor in `lhs` has the same storage as a tensor in `rhs`."""
    return not set(_memories(lhs)).isdisjoint(_memories(rhs))


def is_alias_of(lhs, rhs):
    """Return whether both arguments are tensors with the same storage."""
    return isinstance(lhs, Tensor) and isinstance(rhs, Tensor) and overlaps(lhs, rhs)
