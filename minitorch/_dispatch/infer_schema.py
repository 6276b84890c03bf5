"""The schema of an operator, from the annotations of a function."""

import collections.abc
import inspect
import typing

from minitorch._tensor import Tensor
from minitorch.core import types as _types
from minitorch.core.dtype import dtype as _dtype

_Number = typing.Union[int, float, bool]  # noqa: UP007  (programs write it so)


def _table():
    """Annotations, and what a schema says for them, in the order of PyTorch's list."""
    listed = [(Tensor, "Tensor"), (typing.Optional[Tensor], "Tensor?")]  # noqa: UP045
    for item, name in (
        (Tensor, "Tensor"),
        (typing.Optional[Tensor], "Tensor?"),  # noqa: UP045
        (int, "SymInt"),
        (float, "float"),
        (bool, "bool"),
        (_Number, "Scalar"),
        (str, "str"),
        (_dtype, "ScalarType"),
        (_types.device, "Device"),
    ):
        if "Tensor" not in name:
            listed += [(item, name), (typing.Optional[item], f"{name}?")]  # noqa: UP045
        if name in ("str", "ScalarType", "Device"):
            continue
        for kind in (typing.Sequence, typing.List, collections.abc.Sequence, list):  # noqa: UP006
            listed.append((kind[item], f"{name}[]"))
            if "Tensor" not in name:
                listed.append((typing.Optional[kind[item]], f"{name}[]?"))  # noqa: UP045
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
_NO_TUPLES = (
    "We do not support Tuple inputs in schema. As a workaround, please try to use List instead. For example, "
    "list[int].\n\n"
)


def _look_up(annotation, table):
    for known, name in table:
        if known == annotation:
            return name
    return None


def infer_schema(prototype_function, /, *, mutates_args, op_name=None):
    """The schema of an operator that has the annotations of a function.

    Parameters
    ----------
    prototype_function : callable
        All its parameters and its result have annotations.
    mutates_args : iterable of str, or ``"unknown"``
        The parameters that are written to; with ``"unknown"``, all that are tensors.
    op_name : str, optional
        A name to stand before.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        An annotation is missing or means nothing in a schema.

    Examples
    --------
    >>> import minitorch as torch
    >>> def f(x: torch.Tensor, n: int = 3) -> torch.Tensor: ...
    >>> torch.library.infer_schema(f, mutates_args=())
    '(Tensor x, SymInt n=3) -> Tensor'
    """
    try:
        signature = inspect.signature(prototype_function, eval_str=True)
    except NameError:
        signature = inspect.signature(prototype_function)

    def fail(what):
        raise ValueError(f"infer_schema(func): {what} Got func with signature {signature})")

    parts, seen = [], set()
    named = False
    for k, (name, parameter) in enumerate(signature.parameters.items()):
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            fail("We do not support positional-only args, varargs, or varkwargs.")
        if parameter.kind is parameter.KEYWORD_ONLY and not named:
            parts.append("*")
            named = True
        if parameter.annotation is _EMPTY:
            fail(f"Parameter {name} must have a type annotation.")
        kind = _look_up(parameter.annotation, _PARAMETERS)
        if kind is None:
            fail(
                f"Parameter {name} has unsupported type {parameter.annotation}. "
                + (_NO_TUPLES if typing.get_origin(parameter.annotation) is tuple else "")
                + f"The valid types are: {dict(_PARAMETERS).keys()}."
            )
        seen.add(name)
        if isinstance(mutates_args, str) and mutates_args != "unknown":
            raise ValueError(
                "mutates_args must either be a sequence of the names of the arguments that are mutated or the "
                "string 'unknown'. "
            )
        if mutates_args == "unknown" if isinstance(mutates_args, str) else name in mutates_args:
            if kind.startswith("Tensor"):
                kind = f"Tensor(a{k}!){kind.removeprefix('Tensor')}"
            elif not isinstance(mutates_args, str):
                fail(
                    f"Parameter {name} is in mutable_args but only Tensors or collections of Tensors can be mutated"
                )
        parts.append(f"{kind} {name}" + _default_text(parameter, name, fail))
    if not isinstance(mutates_args, str) and set(mutates_args) - seen:
        fail(
            f"{set(mutates_args) - seen} in mutates_args were not found in the custom op's signature. mutates_args "
            "should contain the names of all args that the custom op mutates, or just the string 'unknown' if you "
            "don't know."
        )
    returns = _returns(signature.return_annotation, fail)
    return f"{op_name or ''}({', '.join(parts)}) -> {returns}"


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
    return f"({', '.join(names)})"


__all__ = ["infer_schema"]
