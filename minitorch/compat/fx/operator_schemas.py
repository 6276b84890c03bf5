"""Signatures of operators, normalization of arguments, and detection of mutation."""

import inspect
import numbers
import types
import typing
import warnings
from inspect import Parameter, Signature
from typing import Any, NamedTuple

from minitorch import nn
from minitorch._dispatch.operators import OpOverload, OpOverloadPacket, ops
from minitorch._tensor import Tensor
from minitorch.autograd.functions.overridable import OverridableFunction
from minitorch.core.types import device, layout
from minitorch.tensors.tensor_types import typename
from minitorch.tensors.untyped_storage import UntypedStorage

__all__ = ["ArgsKwargsPair", "check_for_mutable_operation", "create_type_hint",
           "get_signature_for_torch_op", "normalize_function", "normalize_module",
           "type_matches"]  # fmt: skip

_TYPES = {
    "Tensor": Tensor, "Device": device, "number": numbers.Number, "int": int, "float": float,
    "bool": bool, "str": str, "complex": complex, "Storage": UntypedStorage, "Layout": layout,
}  # fmt: skip
_BUILTINS = (types.BuiltinFunctionType, OverridableFunction, OpOverload, OpOverloadPacket)


class ArgsKwargsPair(NamedTuple):
    """Positional and keyword arguments.

    Parameters
    ----------
    args : tuple
    kwargs : dict
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


# ---- signatures


def _type_of(argument):
    text = argument.type
    base = _TYPES.get(text.replace("Optional[", "").replace("List[", "").rstrip("]"), Any)
    if argument.items_optional:
        base = typing.Optional[base]  # noqa: UP007, UP045
    if argument.is_list:
        base = typing.List[base]  # noqa: UP006
    return typing.Optional[base] if argument.is_optional else base  # noqa: UP007, UP045


def _signature_of(schema):
    parameters = []
    for argument in schema.arguments:
        kind = Parameter.KEYWORD_ONLY if argument.kwarg_only else Parameter.POSITIONAL_OR_KEYWORD
        default = argument.default_value if argument.has_default_value() else Parameter.empty
        name = "input" if argument.name == "self" else argument.name
        if name == "from":
            # `from` is a keyword in Python, so it and the parameters before it are positional-only
            parameters = [p.replace(kind=Parameter.POSITIONAL_ONLY) for p in parameters]
            kind, name = Parameter.POSITIONAL_ONLY, "from_"
        parameters.append(Parameter(name, kind, default=default, annotation=_type_of(argument)))
    results = [_type_of(result) for result in schema.returns]
    result = tuple(results) if len(results) > 1 else (results[0] if results else None)
    return Signature(parameters, return_annotation=result)


def _schemas_of(op):
    if isinstance(op, OpOverload):
        return [op._schema]
    if not isinstance(op, OpOverloadPacket):
        if not isinstance(op, OverridableFunction):
            return None
        op = getattr(ops.aten, op.__name__, None)
        if op is None:
            return None
    return [op._overloads[name]._schema for name in op.overloads()]


def get_signature_for_torch_op(op, return_schemas=False):
    """Return the signatures of the overloads of an operator.

    Parameters
    ----------
    op : callable
    return_schemas : bool
        Whether to return the schemas too.

    Returns
    -------
    list of Signature, or None
        None if `op` is not an operator. With `return_schemas`, a pair of the signatures and the
        schemas.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.fx.operator_schemas import get_signature_for_torch_op
    >>> [list(form.parameters) for form in get_signature_for_torch_op(torch.relu)]
    [['input'], ['input', 'out']]
    """
    schemas = _schemas_of(op)
    signatures = None if schemas is None else [_signature_of(schema) for schema in schemas]
    return (signatures, schemas) if return_schemas else signatures


def _bound(signature, args, kwargs):
    """Bind the arguments to the signature; return None if they do not fit."""
    try:
        return signature.bind(*args, **kwargs)
    except TypeError:
        return None


def check_for_mutable_operation(target, args, kwargs):
    """Raise an error if a call would mutate its arguments.

    Raises
    ------
    RuntimeError
        If exactly one overload fits and it mutates an argument.
    """
    signatures, schemas = get_signature_for_torch_op(target, return_schemas=True)
    if not signatures:
        return
    pairs = zip(signatures, schemas, strict=True)
    fitting = [schema for form, schema in pairs if _bound(form, args, kwargs) is not None]
    if len(fitting) == 1 and fitting[0].is_mutable:
        raise RuntimeError(
            f"Tried to trace mutable operation {fitting[0]}. FX only supports functional code, so "
            "operations that mutate operands in-place (e.g. via `out` arguments) are not supported"
        )


# ---- types


def create_type_hint(x):
    """Return the type of a list or tuple with items of the given types.

    Examples
    --------
    >>> from minitorch.fx.operator_schemas import create_type_hint
    >>> create_type_hint([int, bool])
    list[int]
    """
    if not isinstance(x, (list, tuple)):
        return x
    kind = list if isinstance(x, list) else lambda item: tuple[item, ...]
    make = (lambda item: list[item]) if kind is list else kind
    if not x:
        return make(Any)
    try:
        base = x[0]
        for item in x:
            if not issubclass(item, base):
                if not issubclass(base, item):
                    return make(Any)
                base = item
        return make(base)
    except TypeError:
        warnings.warn(
            f"We were not able to successfully create type hint from the type {x}", stacklevel=2
        )
        return x


def _is_tuple_of(kind, item):
    if typing.get_origin(kind) is not tuple:
        return False
    inner = typing.get_args(kind)
    return inner == ((),) or all(part is ... or issubclass(part, item) for part in inner)


def type_matches(signature_type, argument_type):
    """Return whether a parameter of the first type accepts an argument of the second.

    Examples
    --------
    >>> import typing
    >>> from minitorch.fx.operator_schemas import type_matches
    >>> type_matches(typing.Optional[int], int), type_matches(int, str)
    (True, False)
    """
    if signature_type is argument_type:
        return True
    origin = getattr(signature_type, "__origin__", signature_type)
    if origin is typing.Union and signature_type != argument_type:
        return any(type_matches(kind, argument_type) for kind in typing.get_args(signature_type))
    if getattr(signature_type, "__origin__", None) is list:
        return _list_matches(typing.get_args(signature_type)[0], signature_type, argument_type)
    if signature_type is int and typename(argument_type) == "torch.dtype":
        return True
    if signature_type is numbers.Number and argument_type in (int, float):
        return True
    both = inspect.isclass(argument_type) and inspect.isclass(signature_type)
    return both and issubclass(argument_type, signature_type)


def _list_matches(item, signature_type, argument_type):
    if argument_type is int and item is int:
        return True  # an int is broadcast to a list
    if not inspect.isclass(item):
        warnings.warn(
            f"Does not support nested parametric types, got {signature_type}. Please file a bug.",
            stacklevel=3,
        )
        return False
    if getattr(argument_type, "__origin__", None) is list:
        return issubclass(typing.get_args(argument_type)[0], item)
    return _is_tuple_of(argument_type, item)


# ---- normalized arguments


def _normalized(signature, args, kwargs, only_kwargs):
    plain = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
    if any(parameter.kind not in plain for parameter in signature.parameters.values()):
        return None
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    count = 0 if only_kwargs else len(args)
    values = list(bound.arguments.items())
    return ArgsKwargsPair(tuple(value for _, value in values[:count]), dict(values[count:]))


def _of_types(signatures, arg_types, kwarg_types):
    """Return the first signature that accepts the argument types, or None."""
    for signature in signatures:
        bound = _bound(signature, arg_types or (), kwarg_types or {})
        if bound is not None and all(
            type_matches(signature.parameters[name].annotation, kind)
            for name, kind in bound.arguments.items()
        ):
            return signature
    return None


def normalize_function(
    target, args, kwargs=None, arg_types=None, kwarg_types=None, normalize_to_only_use_kwargs=False
):
    """Return the arguments of a call in the order of the function's signature, with defaults.

    Parameters
    ----------
    target : callable
    args : tuple
    kwargs : dict, optional
    arg_types : tuple, optional
    kwarg_types : dict, optional
        Types of the arguments, needed if several overloads fit.
    normalize_to_only_use_kwargs : bool
        Whether to return all arguments as keyword arguments.

    Returns
    -------
    ArgsKwargsPair or None
        None if no overload fits.

    Raises
    ------
    RuntimeError
        If several overloads fit and no types are given.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.fx.operator_schemas import normalize_function
    >>> normalize_function(torch.relu, (1,), normalize_to_only_use_kwargs=True)
    ArgsKwargsPair(args=(), kwargs={'input': 1})
    """
    kwargs = kwargs or {}
    if not isinstance(target, _BUILTINS) or inspect.isfunction(inspect.unwrap(target)):
        signature = inspect.signature(inspect.unwrap(target))
        return _normalized(signature, args, kwargs, normalize_to_only_use_kwargs)
    signatures = get_signature_for_torch_op(target) or []
    fitting = [form for form in signatures if _bound(form, args, kwargs) is not None]
    if not fitting:
        return None
    if len(fitting) > 1:
        if arg_types is None and kwarg_types is None:
            forms = "\n".join(map(str, fitting))
            raise RuntimeError(
                f"Tried to normalize arguments to {typename(target)} but the schema match was "
                "ambiguous! Please provide argument types to the normalize_arguments() call. "
                f"Available schemas:\n{forms}"
            )
        fitting = [_of_types(signatures, arg_types, kwarg_types)]
        if fitting[0] is None:
            return None
    return _normalized(fitting[0], args, kwargs, normalize_to_only_use_kwargs)


def normalize_module(root, target, args, kwargs=None, normalize_to_only_use_kwargs=False):
    """Return the normalized arguments of a call of a `torch.nn` module; None for other modules.

    Parameters
    ----------
    root : Module
    target : str
        Dotted name of the submodule of `root`.
    args : tuple
    kwargs : dict, optional
    normalize_to_only_use_kwargs : bool

    Raises
    ------
    RuntimeError
        If `root` has no such submodule.
    """
    try:
        module = root.get_submodule(target)
    except AttributeError as error:
        raise RuntimeError(
            f"Tried to normalize node with target {target} but root did not have that target!"
        ) from error
    if getattr(nn, type(module).__name__, None) is not type(module):
        return None
    signature = inspect.signature(inspect.unwrap(module.forward))
    return _normalized(signature, args, kwargs or {}, normalize_to_only_use_kwargs)
