"""Dispatch of a call to ``__torch_dispatch__`` of the active modes and of tensor subclasses.

The innermost mode comes first. It is inactive while it runs, so its own calls go to the next mode
outwards. The classes of the tensors follow, subclasses before bases. A handler that returns
NotImplemented passes the call to the next one. Recording is off inside of a handler: autograd
records the call with its original arguments and its final results.
"""

import functools

from minitorch._dispatch import replacements
from minitorch._dispatch.mode_stack import (
    disabled,
    enter_once,
    exit,
    exit_once,
    exit_this,
    is_any_entered,
    leave,
    none_entered,
    pop,
    popped,
    push,
    stack,
    without,
)
from minitorch._dispatch.replacements import kernels_in_place
from minitorch._dispatch.results import outcome
from minitorch._tensor import Tensor
from minitorch.autograd import python_dispatch
from minitorch.autograd.python_dispatch import asked_classes

__all__ = [
    "answer",
    "ask",
    "disabled",
    "enter_once",
    "exit",
    "exit_once",
    "exit_this",
    "is_handled",
    "leave",
    "none_entered",
    "pop",
    "popped",
    "push",
    "stack",
    "tensors_in",
    "without",
]


def tensors_in(arguments):
    found = []
    for argument in arguments:
        if isinstance(argument, Tensor):
            found.append(argument)
        elif isinstance(argument, (list, tuple)):
            found.extend(tensors_in(argument))
    return found


def is_handled(arguments):
    """Return whether a call with these arguments dispatches to a mode or a class."""
    if python_dispatch.dispatch_is_off():
        return False
    return is_any_entered() or bool(asked_classes(arguments))


def _method(overload, cls, asked):
    """Return ``__torch_dispatch__``, or the class's rule registered for a custom operator."""
    rule = overload._kernels.dispatch_rules.get(cls) if overload._kernels is not None else None
    if rule is not None:
        return functools.partial(rule, asked)
    method = asked.__torch_dispatch__
    if not isinstance(asked, type) and isinstance(getattr(method, "__self__", None), type):
        raise RuntimeError(
            "Defining your mode's `__torch_dispatch__` as a classmethod is not supported, please "
            "make it a plain method"
        )
    return method


def ask(overload, arguments, args, kwargs, title=None):
    """Dispatch a call to the innermost mode and the classes, and return the first result.

    Raises
    ------
    TypeError
        All handlers return NotImplemented.
    """
    asked = asked_classes(arguments)
    types = tuple([type(t) for t in asked])
    declined = []
    if is_any_entered():
        with popped() as mode:
            result = _method(overload, type(mode), mode)(overload, types, args, kwargs)
        if result is not NotImplemented:
            return result
        declined.append(f"  - mode object {mode!r}")
    for t in asked:
        result = _method(overload, type(t), type(t))(overload, types, args, kwargs)
        if result is not NotImplemented:
            return result
        declined.append(f"  - tensor subclass {type(t)!r}")
    raise TypeError(
        f"Multiple dispatch failed for '{title or f'torch._ops.{overload}'}'; all __torch_dispatch__ handlers returned "
        "NotImplemented:\n\n"
        + "\n".join(declined)
        + "\n\nFor more information, try re-running with "
        "TORCH_LOGS=not_implemented"
    )


def answer(overload, arguments, args, kwargs):
    """Dispatch a call to a mode, a class or a program's kernel for the device.

    Return None if there is none of them, and otherwise the result as `outcome` returns it.
    """
    if is_any_entered() or asked_classes(arguments):
        return outcome(overload, ask(overload, arguments, args, kwargs))
    if not kernels_in_place:
        return None
    kernel = replacements.for_device(overload, tensors_in(arguments))
    return None if kernel is None else outcome(overload, kernel(*args, **kwargs))
