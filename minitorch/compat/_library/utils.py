"""Helpers for operators and their schemas."""

from minitorch._dispatch.custom_op import find_overload, is_functional
from minitorch._dispatch.operators import OpOverload
from minitorch._dispatch.schema import FunctionSchema
from minitorch._tensor import Tensor
from minitorch.library import _qualified
from minitorch.utils._pytree import tree_unflatten

__all__ = [
    "MutationChecker",
    "fill_defaults",
    "is_builtin",
    "is_functional_schema",
    "iter_tensors",
    "lookup_op",
    "mutated_args_kwargs",
    "mutates_and_returns_first_arg",
    "parse_namespace",
    "zip_schema",
]


def parse_namespace(qualname):
    """Split ``"namespace::name"`` into namespace and name.

    Raises
    ------
    ValueError
        If `qualname` has another form.
    """
    return tuple(_qualified(qualname))


def lookup_op(qualname):
    """Return the overload with this name."""
    parse_namespace(qualname)
    return find_overload(qualname)


def is_builtin(op):
    """Return whether an operator is built in rather than custom."""
    if not isinstance(op, OpOverload):
        raise AssertionError(f"op must be OpOverload, got {type(op)}")
    return op.namespace in {"aten", "prim", "prims"}


def is_functional_schema(schema, *, allow_valid_view=False):
    """Return whether an operator returns something and neither mutates nor aliases its arguments.

    Parameters
    ----------
    schema : FunctionSchema or str
    allow_valid_view : bool, default False
        Whether to allow a view of the only tensor argument as the result.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._library.utils import is_functional_schema
    >>> is_functional_schema(torch.ops.aten.sin.default._schema)
    True
    >>> is_functional_schema(torch.ops.aten.sin_.default._schema)
    False
    """
    if isinstance(schema, str):
        schema = FunctionSchema(schema, "")
    if not isinstance(schema, FunctionSchema):
        raise AssertionError(f"schema must be FunctionSchema, got {type(schema)}")
    return is_functional(schema, allow_valid_view)


def _is_tensor(argument):
    return str(argument.type) in ("Tensor", "Optional[Tensor]")


def _is_list_of_tensors(argument):
    return str(argument.type).replace("Optional[", "").rstrip("]") == "List[Tensor"


def mutates_and_returns_first_arg(op):
    """Return whether a built-in operator mutates only its first argument and returns it."""
    schema = op._schema
    if op.namespace != "aten" or len(schema.returns) != 1 or not schema.arguments:
        return False
    first, *others = schema.arguments
    returned = schema.returns[0].alias_info
    if returned is None or not first.is_write or any(a.alias_info is not None for a in others):
        return False
    return set(returned.after_set) == set(first.alias_info.after_set)


def mutated_args_kwargs(schema):
    """Return which arguments are mutated: positions of positional and names of keyword-only ones.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._library.utils import mutated_args_kwargs
    >>> mutated_args_kwargs(torch.ops.aten.add.out._schema)
    ([], ['out'])
    """
    written = [(i, a) for i, a in enumerate(schema.arguments) if a.is_write]
    places = [i for i, a in written if not a.kwarg_only]
    return places, [a.name for _, a in written if a.kwarg_only]


def fill_defaults(schema, args, kwargs):
    """Return the arguments of a call with defaults filled in."""
    values = list(args)
    values += [a.default_value for a in schema.arguments[len(args) :] if not a.kwarg_only]
    named = {a.name: kwargs.get(a.name, a.default_value) for a in schema.arguments if a.kwarg_only}
    return tuple(values), named


def zip_schema(schema, args, kwargs):
    """Yield pairs of a schema argument and its value in a call."""
    given = len(args) + len(kwargs)
    if len(schema.arguments) < given:
        raise AssertionError(
            f"schema has {len(schema.arguments)} arguments but got {len(args)} args and {len(kwargs)} kwargs"
        )
    for i, argument in enumerate(schema.arguments):
        if not argument.kwarg_only and i < len(args):
            yield argument, args[i]
        elif argument.name in kwargs:
            yield argument, kwargs[argument.name]


def iter_tensors(args, kwargs, allowed_nesting=1):
    """Yield the tensors among the arguments, including those in lists."""
    for value in (*args, *kwargs.values()):
        if isinstance(value, Tensor):
            yield value
        elif allowed_nesting > 0 and isinstance(value, (tuple, list)):
            yield from iter_tensors(value, {}, allowed_nesting - 1)


class MutationChecker:
    """Checks that a call mutates exactly the arguments that the schema declares.

    Create it before the call and call `check` after it.

    Parameters
    ----------
    op : OpOverload
    flat_args : list
    args_spec : TreeSpec
        Spec of ``(args, kwargs)``.
    """

    def __init__(self, op, flat_args, args_spec):
        self.op, self.flat_args, self.args_spec = op, flat_args, args_spec
        self.real_pre_hashes = [
            hash_tensor(a) if isinstance(a, Tensor) else None for a in flat_args
        ]

    def check(self):
        """Compare the arguments with their state before the call.

        Raises
        ------
        RuntimeError
            If the mutations differ from the schema.
        """
        written = [
            None
            if before is None
            else not before.equal(hash_tensor(after)) and not _is_nan(before, after)
            for before, after in zip(self.real_pre_hashes, self.flat_args, strict=True)
        ]
        args, kwargs = tree_unflatten(written, self.args_spec)
        for argument, was_written in zip_schema(self.op._schema, args, kwargs):
            if _is_tensor(argument):
                self._check_one(argument, was_written)
            elif _is_list_of_tensors(argument):
                self._check_one(argument, was_written is not None and any(was_written))

    def _check_one(self, argument, was_written):
        if argument.is_write != was_written:
            raise RuntimeError(
                f"{self.op._name}: for argument '{argument.name}': the operator's schema "
                f"{self.op._schema} specified that "
                f"the operator {'mutates' if argument.is_write else 'does not mutate'} "
                f"the argument, but this seems to be empirically wrong. "
                f"Please make the schema and operator behavior consistent. "
                f"You can specify that an operator mutates a Tensor by "
                f"e.g. changing its schema type from 'Tensor name' to 'Tensor(a!) name'"
                f"(use different identifiers (a, b, c, ...) for different Tensors)"
            )


def hash_tensor(t):
    """Return the mean of the elements, used to detect mutation."""
    return t.detach().float().mean()


def _is_nan(before, after):
    return bool(before.isnan().all()) and bool(hash_tensor(after).isnan().all())
