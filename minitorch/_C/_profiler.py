"""``torch._C._profiler``: cheap capture of Python tracebacks, and the profiler's settings."""

import sys
from importlib import import_module

from minitorch.autograd.observe.profiler_config import (
    ActiveProfilerType,
    ProfilerConfig,
    ProfilerState,
    RecordScope,
    _ExperimentalConfig,
)
from minitorch.namespace.absent import Absent

__all__ = [
    "ActiveProfilerType",
    "CapturedTraceback",
    "ProfilerConfig",
    "ProfilerState",
    "RecordScope",
    "_ExperimentalConfig",
    "gather_traceback",
    "symbolize_tracebacks",
]


def __getattr__(name):
    # the profiler is imported on first access
    if name == "_RecordFunctionFast":
        from minitorch.autograd.profiler import ProfiledBlock

        return ProfiledBlock
    if name == "ProfilerActivity":
        return import_module("minitorch.profiler").ProfilerActivity
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class CapturedTraceback:
    """The frames of a call, innermost first."""

    def __init__(self, frame):
        self._places = []
        while frame is not None:
            self._places.append((frame.f_code, frame.f_lineno))
            frame = frame.f_back


def gather_traceback(python, script, cpp):
    """Capture the current Python frames; frames of TorchScript and C++ are not captured."""
    return CapturedTraceback(sys._getframe(1) if python else None)


def symbolize_tracebacks(to_symbolize):
    """Return a list of dicts with ``name``, ``filename`` and ``line`` for each traceback."""
    return [
        [
            {"name": code.co_name, "filename": code.co_filename, "line": line}
            for code, line in captured._places
        ]
        for captured in to_symbolize
    ]


class _ProfilerEvent(Absent):
    """An event of PyTorch's own event collector."""


class _TensorMetadata(Absent):
    """The collector's description of a tensor."""


# the collector's extra fields, by kind of event
_KINDS = "Allocation Backend Kineto OutOfMemory PyCCall PyCall TorchOp Vulkan"
globals().update(
    {
        f"_ExtraFields_{kind}": type(f"_ExtraFields_{kind}", (Absent,), {"__module__": __name__})
        for kind in _KINDS.split()
    }
)
