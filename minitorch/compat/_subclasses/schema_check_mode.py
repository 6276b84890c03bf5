"""A mode that checks the mutation and aliasing of each operator against its schema."""

from itertools import combinations, zip_longest
from typing import NamedTuple

from minitorch._dispatch.operators import ops
from minitorch._dispatch.schema_info import (
    SchemaArgType,
    SchemaArgument,
    SchemaInfo,
    overlaps,
)
from minitorch._tensor import Tensor
from minitorch.composed.comparisons import allclose
from minitorch.core.types import sparse_csr
from minitorch.utils._python_dispatch import TorchDispatchMode
from minitorch.utils._pytree import tree_leaves, tree_map

__all__ = ["Aliasing", "Mutation", "SchemaCheckMode"]

# their schemas deliberately do not declare the aliasing
_UNSAFE = ("aten::_unsafe_view", "aten::unsafe_split")


class Mutation(NamedTuple):
    """An argument that an operator has mutated."""

    op_name: str
    arg_name: str


class Aliasing(NamedTuple):
    """An argument that an operator's result shares memory with."""

    op_name: str
    arg_name: str
    output_number: str


class SchemaCheckMode(TorchDispatchMode):
    """Mode that checks that operators mutate and alias only what their schemas declare.

    Attributes
    ----------
    ops : list of str
        The operators called so far.
    mutated, aliasing : list
        The mutations and aliases found so far, which their schemas allow.

    Raises
    ------
    RuntimeError
        If an operator mutates or aliases an argument and its schema does not declare it.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._subclasses.schema_check_mode import SchemaCheckMode
    >>> x = torch.zeros(2)
    >>> with SchemaCheckMode() as mode:
    ...     _ = x.add_(1)
    >>> mode.mutated
    [Mutation(op_name='aten::add_', arg_name='input')]
    """

    def __init__(self):
        super().__init__()
        self.ops = []
        self.mutated = []
        self.aliasing = []

    def reset_cache(self):
        """Clear the recorded operators, mutations and aliases."""
        for found in (self.ops, self.mutated, self.aliasing):
            found.clear()

    def display_ops(self):
        """Print the operators called so far."""
        print(*self.ops, sep=",")

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        schema = func._schema
        self.ops.append(schema.name)
        given = schema.bind(args, kwargs or {})
        before = {name: [_Seen(t) for t in tree_leaves(value)] for name, value in given.items()}
        result = func(*args, **(kwargs or {}))
        info = SchemaInfo(schema)
        info.add_argument_values(given)
        results = [
            tree_map(_plain, r) for r in (result if isinstance(result, tuple) else (result,))
        ]
        for index, argument in enumerate(schema.arguments):
            value = given[argument.name]
            if value is None:
                continue
            place = SchemaArgument(SchemaArgType.input, index)
            name = "input" if argument.name == "self" else argument.name
            after = tree_map(_plain, value)
            self._check_results(func, info, place, name, after, results)
            leaves = zip_longest(before[argument.name], tree_leaves(after))
            if any(seen.has_changed(t) for seen, t in leaves):
                if not info.is_mutable(place):
                    raise RuntimeError(f"Argument {name} is not defined as mutable but was mutated")
                self.mutated.append(Mutation(schema.name, name))
        self._check_pairs(info, schema, results)
        return result

    def _check_results(self, func, info, place, name, value, results):
        """Check that the schema allows the results to alias or be an argument."""
        for number, result in enumerate(results):
            if overlaps(result, value) and func._schema.name not in _UNSAFE:
                if not info.may_contain_alias(SchemaArgument(SchemaArgType.output, number), place):
                    raise RuntimeError(
                        f"Argument {name} is not defined to alias output but was aliasing"
                    )
                self.aliasing.append(Aliasing(func._schema.name, name, f"output_{number}"))
            if value is result and isinstance(value, Tensor) and not info.is_mutable(place):
                if func not in (ops.aten.lift.default, ops.aten.lift_fresh.default):
                    raise RuntimeError(
                        "Dispatcher operators below autograd are not allowed to directly return inputs.\n"
                        f"However, we found that `outputs[{number}] is {name}"
                    )

    def _check_pairs(self, info, schema, results):
        for i, j in combinations(range(len(schema.returns)), 2):
            places = (SchemaArgument(SchemaArgType.output, k) for k in (i, j))
            if overlaps(results[i], results[j]) and not info.may_contain_alias(*places):
                raise RuntimeError(f"Outputs {i} and {j} alias unexpectedly")


def _plain(value):
    """Return the tensor wrapped by a tensor subclass, or `value` itself."""
    is_wrapper = isinstance(value, Tensor) and type(value) is not Tensor
    return getattr(value, "elem", value) if is_wrapper else value


class _Seen:
    """Snapshot of a leaf of an argument before the call."""

    def __init__(self, value):
        plain = _plain(value)
        self.copy = self.memory = None
        # skip subclasses, and layouts without strides and storage
        if type(plain) is Tensor and plain.layout is not sparse_csr:
            self.copy = plain.detach().clone()
            self.memory = plain.stride(), plain.untyped_storage()._cdata

    def has_changed(self, after):
        if self.copy is None or type(after) is not Tensor:
            return False
        return not (
            self.copy.size() == after.size()
            and allclose(self.copy, after, equal_nan=True)
            and self.memory == (after.stride(), after.untyped_storage()._cdata)
        )
