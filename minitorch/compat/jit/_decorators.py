"""Decorators and predicates of TorchScript, which have no effect without a compiler."""

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
    """Return False: code is never compiled."""
    return False


def is_tracing():
    """Return False: code is never traced by TorchScript."""
    return False


def annotate(the_type, the_value):
    """Return the value; the type is only for the compiler."""
    return the_value


def export(fn):
    """Return the function unchanged."""
    return fn


def unused(fn):
    """Return the function unchanged."""
    return fn


def ignore(drop=False, **kwargs):
    """Return the function unchanged, or a decorator that does so."""
    if callable(drop):
        return drop
    return lambda fn: fn


def _overload(func):
    """Return the function unchanged; the last definition is the one that is called."""
    return func


_overload_method = _overload


def interface(obj):
    """Return the class unchanged."""
    return obj


def script_if_tracing(fn):
    """Return the function unchanged."""
    return fn


_script_if_tracing = script_if_tracing


def isinstance(obj, target_type):
    """Return whether an object is an instance of a type, including generic types and unions.

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
