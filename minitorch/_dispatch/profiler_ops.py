"""``torch.ops.profiler``: labels in a profile that are entered and left by hand."""

from importlib import import_module

from minitorch._dispatch.operators import custom as _packets
from minitorch.autograd.functions import creation as _creation


def _record_function_enter_new(name, args=None):
    """Begin a label; gives what `_record_function_exit` takes."""
    # most programs do without the profiler
    label = import_module("minitorch.autograd.profiler").record_function(name, args)
    label.__enter__()
    return label


def _record_function_enter(name, args=None):
    """Begin a label; gives a tensor that stands for it."""
    handle = _creation.empty_(1)
    handle._label = _record_function_enter_new(name, args)
    return handle


def _record_function_exit(handle):
    """End a label."""
    label = getattr(handle, "_label", handle)
    label.__exit__(None, None, None)


_record_function_exit._RecordFunction = _record_function_exit

for _function in (_record_function_enter, _record_function_enter_new, _record_function_exit):
    _packets["profiler", _function.__name__] = _function
