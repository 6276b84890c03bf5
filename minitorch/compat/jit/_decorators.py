"""What marks functions for TorchScript: marks that nobody reads, and questions whose answer is no."""

import builtins
from typing import Final, Union, get_args, get_origin

__all__ = [
    "Final",
    "annotate",
    "export",
    "ignore",
    "interface",
    "is_scripting",
    "is_tracing",
    "isinstance",
    "script_if_tracing",
    "unused",
]


def is_scripting():
    """Whether this runs compiled: no."""
    return False


def is_tracing():
    """Whether this is being traced: no."""
    return False


def annotate(the_type, the_value):
    """The value; its type is for the compiler."""
    return the_value


def export(fn):
    """The function itself."""
    return fn


def unused(fn):
    """The function itself."""
    return fn


def ignore(drop=False, **kwargs):
    """The function itself, with or without arguments to the decorator."""
    if callable(drop):
        return drop
    return lambda fn: fn


def _overload(func):
    """The function itself, which states a signature only: the one defined last is called."""
    return func


_overload_method = _overload


def interface(obj):
    """The class itself."""
    return obj


def script_if_tracing(fn):
    """The function itself."""
    return fn


_script_if_tracing = script_if_tracing


def isinstance(obj, target_type):
    """Whether an object is of a type, looking into lists, tuples, dictionaries and unions.

    Examples
    --------
    >>> from minitorch import jit
    >>> jit.isinstance([1, 2], list[int]), jit.isinstance([1, "2"], list[int])
    (True, False)
    """
    if builtins.isinstance(target_type, tuple):
        return any(isinstance(obj, target) for target in target_type)
    origin, inside = get_origin(target_type), get_args(target_type)
    if origin is None:
        return builtins.isinstance(obj, target_type)
    if origin is Union or not builtins.isinstance(origin, type) or origin.__name__ == "UnionType":
        return any(isinstance(obj, target or type(None)) for target in inside)
    if not builtins.isinstance(obj, origin):
        return False
    if origin is dict:
        key, value = inside
        return all(isinstance(k, key) and isinstance(v, value) for k, v in obj.items())
    if origin is tuple and Ellipsis not in inside:
        return len(obj) == len(inside) and all(map(isinstance, obj, inside))
    return all(isinstance(item, inside[0]) for item in obj)
