"""`infer_schema`: the schema of an operator from the annotations of a function."""

import collections.abc
import functools
import inspect
import operator
import types
import typing

from minitorch._dispatch.operators import Tag, tag_list
from minitorch._tensor import Tensor
from minitorch.core import types as _types
from minitorch.core.dtype import dtype as _dtype

_Number = int | float | bool


def _table():
    """Return pairs of an annotation and its type in a schema, in the order of PyTorch's list."""
    listed = [(Tensor, "Tensor"), (typing.Optional[Tensor], "Tensor?")]  # noqa: UP045
    for item, name, lists, optional_lists in (
        (Tensor, "Tensor", True, False),
        (typing.Optional[Tensor], "Tensor?", True, False),  # noqa: UP045
        (int, "SymInt", True, True),
        (float, "float", True, True),
        (bool, "bool", True, True),
        (str, "str", False, False),
        (_Number, "Scalar", True, False),
        (_dtype, "ScalarType", False, False),
        (_types.device, "Device", False, False),
    ):
        if "Tensor" not in name:
            listed += [(item, name), (typing.Optional[item], f"{name}?")]  # noqa: UP045
        kinds = (typing.Sequence, typing.List, collections.abc.Sequence, list)  # noqa: UP006
        if lists:
            listed += [(kind[item], f"{name}[]") for kind in kinds]
        if optional_lists:
            listed += [(typing.Optional[kind[item]], f"{name}[]?") for kind in kinds]  # noqa: UP045
    return listed


_PARAMETERS = _table()
_RETURNS = [
    (Tensor, "Tensor"),
    (typing.List[Tensor], "Tensor[]"),  # noqa: UP006
    (list[Tensor], "Tensor[]"),
    (int, "SymInt"),
    (float, "float"),
    (bool, "bool"),
    (_Number, "Scalar"),
]
_EMPTY = inspect.Parameter.empty


def _look_up(annotation, table):
    for known, name in table:
        if known == annotation:
            return name
    return None


def _suggested(annotation):
    """Return the end of the advice to replace a tuple by a list."""
    items = [item for item in typing.get_args(annotation) if item is not Ellipsis]
    wanted = list[functools.reduce(operator.or_, items)] if items else list
    return f"For example, {wanted}.\n\n" if _look_up(wanted, _PARAMETERS) else "\n\n"


def _evaluated(annotation, names, fail):
    """Return an annotation with the strings in it evaluated, at any depth."""
    if isinstance(annotation, str):
        title = f"Unsupported type annotation {annotation}. It is not a type."
        try:
            return eval(annotation, names)
        except NameError as error:
            fail(
                f"{title} ({error}). If you are using 'from __future__ import annotations', note that annotations "
                "are evaluated lazily as strings; make sure all types referenced in annotations are importable at "
                "module scope, not only inside a local function."
            )
        except Exception as error:  # noqa: BLE001 (whatever reading it raises)
            fail(f"{title} ({type(error).__name__}: {error})")
    origin = typing.get_origin(annotation)
    items = typing.get_args(annotation)
    if origin is None or not any(
        isinstance(item, str) or typing.get_origin(item) for item in items
    ):
        return annotation
    found = tuple(_evaluated(item, names, fail) for item in items)
    return annotation if found == items else types.GenericAlias(origin, found)


def infer_schema(prototype_function, /, *, mutates_args, op_name=None, tags=()):
    """Return the schema of an operator that has the annotations of a function.

    Parameters
    ----------
    prototype_function : callable
        Function with annotations of all parameters and of the result.
    mutates_args : iterable of str, or ``"unknown"``
        The parameters that the function writes to; ``"unknown"`` means all tensors.
    op_name : str, optional
        Prefix of the schema.
    tags : Tag or sequence of Tag, optional
        ``Tag.inplace``: returns the first parameter. ``Tag.out``: returns the written parameters.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        An annotation is missing, has no type in a schema, or does not fit the tags.

    Examples
    --------
    >>> import minitorch as torch
    >>> def f(x: torch.Tensor, n: int = 3) -> torch.Tensor: ...
    >>> torch.library.infer_schema(f, mutates_args=())
    '(Tensor x, SymInt n=3) -> Tensor'
    """
    names = prototype_function.__globals__
    signature = inspect.signature(prototype_function)
    tags = tag_list(tags)
    if Tag.inplace in tags and Tag.out in tags:
        raise AssertionError("torch.Tag.inplace and torch.Tag.out are mutually exclusive")
    if not isinstance(mutates_args, str):
        mutates_args = tuple(mutates_args)

    def fail(what):
        raise ValueError(f"infer_schema(func): {what} Got func with signature {signature})")

    parts, kinds, by_name = [], {}, False
    written = {}  # parameter -> its alias set, which marks the result too
    for k, (name, parameter) in enumerate(signature.parameters.items()):
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            fail("We do not support positional-only args, varargs, or varkwargs.")
        if parameter.kind is parameter.KEYWORD_ONLY and not by_name:
            parts.append("*")
            by_name = True
        if parameter.annotation is _EMPTY:
            fail(f"Parameter {name} must have a type annotation.")
        kind = _kind(name, parameter.annotation, names, fail)
        kinds[name] = kind
        if _is_written(name, kind, mutates_args, fail):
            kind = f"Tensor(a{k}!){kind.removeprefix('Tensor')}"
            written[name] = f"a{k}"
            if Tag.out in tags and not by_name:
                fail("torch.Tag.out requires mutable arguments to be keyword-only.")
            if Tag.out in tags and kinds[name] != "Tensor":
                fail("torch.Tag.out only supports mutable keyword-only Tensor arguments.")
        parts.append(f"{kind} {name}" + _default_text(parameter, name, fail))
    unknown = set() if isinstance(mutates_args, str) else set(mutates_args) - kinds.keys()
    if unknown:
        fail(
            f"{unknown} in mutates_args were not found in the custom op's signature. mutates_args should contain "
            "the names of all args that the custom op mutates, or just the string 'unknown' if you don't know."
        )
    if Tag.inplace in tags:
        _check_first(signature, kinds, mutates_args, fail)
    if Tag.out in tags and not written:
        fail("torch.Tag.out requires at least one mutable keyword-only Tensor argument.")
    annotation = _evaluated(signature.return_annotation, names, fail)
    if Tag.out in tags:
        returns = _written_returns(annotation, written, fail)
    else:
        returns = _returns(annotation, fail)
    if Tag.inplace in tags:
        if returns != "Tensor":
            fail("torch.Tag.inplace requires the return annotation to be torch.Tensor.")
        (mark,) = written.values()
        returns = f"Tensor({mark}!)"
    return f"{op_name or ''}({', '.join(parts)}) -> {returns}"


def _kind(name, written, names, fail):
    """Return the schema's type for the annotation of a parameter."""
    annotation = _evaluated(written, names, fail)
    kind = _look_up(annotation, _PARAMETERS)
    if kind is None:
        advice = ""
        if typing.get_origin(annotation) is tuple:
            advice = (
                "We do not support Tuple inputs in schema. As a workaround, please try to use List instead. "
                + _suggested(annotation)
            )
        fail(
            f"Parameter {name} has unsupported type {written}. {advice}The valid types are: "
            f"{dict(_PARAMETERS).keys()}."
        )
    return kind


def _is_written(name, kind, mutates_args, fail):
    if isinstance(mutates_args, str):
        if mutates_args != "unknown":
            raise ValueError(
                "mutates_args must either be a sequence of the names of the arguments that are mutated or the "
                "string 'unknown'. "
            )
        return kind.startswith("Tensor")
    if name in mutates_args and not kind.startswith("Tensor"):
        fail(
            f"Parameter {name} is in mutable_args but only Tensors or collections of Tensors can be mutated"
        )
    return name in mutates_args


def _check_first(signature, kinds, mutates_args, fail):
    """Raise ValueError unless the operator is in place on its first parameter only."""
    by_place = [p.name for p in signature.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    if not by_place:
        fail("torch.Tag.inplace requires a positional Tensor argument.")
    if kinds[by_place[0]] != "Tensor":
        fail("torch.Tag.inplace requires the first positional argument to be a Tensor.")
    if isinstance(mutates_args, str) or set(mutates_args) != {by_place[0]}:
        fail(
            "torch.Tag.inplace requires mutates_args to contain exactly the first positional argument, got "
            f"{mutates_args}."
        )


def _written_returns(annotation, written, fail):
    """Return the results of a ``Tag.out`` function, in the order of its parameters."""
    if len(written) == 1:
        fits = annotation is Tensor
    else:
        fits = typing.get_origin(annotation) is tuple and typing.get_args(annotation) == (
            Tensor,
        ) * len(written)
    if not fits:
        fail(
            "torch.Tag.out requires the return annotation to match the mutable keyword-only Tensor arguments "
            f"{tuple(written)}."
        )
    returns = [f"Tensor({mark}!)" for mark in written.values()]
    return returns[0] if len(returns) == 1 else f"({', '.join(returns)})"


def _default_text(parameter, name, fail):
    default = parameter.default
    if default is _EMPTY:
        return ""
    if default is None or isinstance(default, (bool, int, float)):
        return f"={default}"
    if isinstance(default, str):
        return f'="{default}"'
    if isinstance(default, _dtype):
        return f"={str(default).partition('.')[2]}"
    if isinstance(default, _types.device):
        return f'="{default}"'
    return fail(
        f"Parameter {name} has an unsupported default value type {type(default)}. Please file an issue on GitHub "
        "so we can prioritize this."
    )


def _returns(annotation, fail):
    if annotation is inspect.Signature.empty:
        fail("No return type annotation was provided. Please add one.")
    if annotation is None:
        return "()"
    if typing.get_origin(annotation) is tuple:
        kinds = typing.get_args(annotation)
    else:
        kinds = (annotation,)
    names = [_look_up(kind, _RETURNS) for kind in kinds]
    if None in names:
        fail(f"Return has unsupported type {annotation}. The valid types are: {dict(_RETURNS)}.")
    if typing.get_origin(annotation) is not tuple:
        return names[0]
    one = f"({names[0]})" if len(names) == 1 else ", ".join(names)  # (()) is a tuple of one
    return f"({one})"


__all__ = ["infer_schema"]
