"""What an operator does to its arguments in one call: which share memory, and which are written to.

A schema says what may happen in any call. With the values of a call more is known: two arguments may be the same
tensor, and a normalization leaves its running statistics alone outside of training.
"""

import enum
from dataclasses import dataclass

from minitorch._tensor import Tensor
from minitorch.autograd.levels import Wrapped
from minitorch.autograd.special import special_of

# the argument that says whether running statistics are written to
_SWITCHES = ("training", "train", "use_input_stats")
_STATISTICS = ("running_mean", "running_var")


class SchemaArgType(enum.Enum):
    """Which of the two lists of a schema an argument is in."""

    input = 0
    output = 1


@dataclass(frozen=True)
class SchemaArgument:
    """The place of an argument or a result in a schema."""

    type: SchemaArgType
    index: int


class SchemaInfo:
    """A schema and the values of a call.

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
        """Tell the value of one argument; ``"input"`` is ``"self"`` where there is no such name."""
        if name == "input" and not self.has_argument("input"):
            name = "self"
        if not self.has_argument(name):
            raise RuntimeError(f"Schema has no argument named {name}")
        if value is not None:
            self._values[name] = value

    def add_argument_values(self, values):
        """Tell the values of several arguments."""
        for name, value in values.items():
            self.add_argument_value(name, value)

    def has_argument(self, name):
        """Whether there is an argument of this name."""
        return any(a.name == name for a in self.schema.arguments)

    def is_mutable(self, argument=None):
        """Whether an argument, or any, is written to."""
        if argument is None:
            return any(self._is_written(a) for a in self.schema.arguments)
        if isinstance(argument, str):
            names = [a.name for a in self.schema.arguments]
            argument = SchemaArgument(SchemaArgType.input, names.index(argument))
        found = self._at(argument)
        return any(self._is_written(a) for a in self.schema.arguments if self._share(a, found))

    def may_alias(self, lhs, rhs):
        """Whether two of them may be over the same memory; a list is over none."""
        first, second = self._at(lhs), self._at(rhs)
        return first.is_list == second.is_list and self._meet(first, second)

    def may_contain_alias(self, lhs, rhs):
        """The same, of the items of lists as well."""
        first, second = self._at(lhs), self._at(rhs)
        return self._meet(first, second) or _holds_anything(first) or _holds_anything(second)

    def _meet(self, first, second):
        """Whether two share memory, if by way of an argument."""
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
        """Whether two are of one set of the schema, or are one value in this call."""
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
    """Whether a tensor has memory to look at: one of a transform has not, nor a sparse one."""
    return not (tensor.is_sparse or isinstance(special_of(tensor), Wrapped))


def _memories(value):
    """What the storages of the tensors in a value are known by.

    A sparse tensor has those of its parts. A tensor without a storage shares it with itself alone.
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
    """Whether a tensor in the one value looks at the same storage as one in the other."""
    return not set(_memories(lhs)).isdisjoint(_memories(rhs))


def is_alias_of(lhs, rhs):
    """Whether two tensors look at the same storage; what is no tensor does not."""
    return isinstance(lhs, Tensor) and isinstance(rhs, Tensor) and overlaps(lhs, rhs)
