"""Internal names of TorchScript that packages import; they have no effect."""

from typing import Any, Dict, Final, List, Optional, Tuple, Union  # noqa: UP035 (names to import)

from minitorch.jit._decorators import (
    export,
    ignore,
    interface,
    is_scripting,
    script_if_tracing,
    unused,
)

__all__ = [
    "Any",
    "BroadcastingList1",
    "BroadcastingList2",
    "BroadcastingList3",
    "Dict",
    "Final",
    "List",
    "Optional",
    "Tuple",
    "Union",
    "_copy_to_script_wrapper",
    "_overload",
    "_overload_method",
    "boolean_dispatch",
    "export",
    "ignore",
    "interface",
    "is_scripting",
    "script_if_tracing",
    "unused",
]


class _BroadcastingList:
    """Annotation of a number or a list of numbers."""

    def __getitem__(self, types):
        return None


BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = _BroadcastingList()


def _overload(func):
    return func


def _overload_method(func):
    return func


def _copy_to_script_wrapper(fn):
    return fn


def boolean_dispatch(
    arg_name, arg_index, default, if_true, if_false, module_name=None, func_name=None
):
    """Return a function that calls one of two functions, depending on a boolean argument."""

    def function(*args, **kwargs):
        chosen = args[arg_index] if arg_index < len(args) else kwargs.get(arg_name, default)
        return (if_true if chosen else if_false)(*args, **kwargs)

    function.__doc__ = if_true.__doc__ or if_false.__doc__
    function.__name__ = function.__qualname__ = func_name or if_false.__name__
    function.__module__ = module_name or if_false.__module__
    return function
