"""TorchScript's interface without compilation: functions are returned unchanged.

Programs that use annotations, scripting and tracing run as plain Python with the same results.
Functions that need the compiled form, such as `save`, raise NotImplementedError.
"""

import contextlib
import warnings

from minitorch._C import ScriptFunction
from minitorch.core.lazy import lazy_attributes
from minitorch.jit._decorators import (
    Final,
    _overload,  # noqa: F401 (a name to import)
    _overload_method,  # noqa: F401
    _script_if_tracing,  # noqa: F401
    annotate,
    export,
    ignore,
    interface,
    is_scripting,
    is_tracing,
    isinstance,
    script_if_tracing,
    unused,
)
from minitorch.nn.modules.module import Module

__all__ = [
    "Attribute",
    "Error",
    "Final",
    "ScriptFunction",
    "ScriptModule",
    "TracerWarning",
    "annotate",
    "enable_onednn_fusion",
    "export",
    "fork",
    "freeze",
    "fuser",
    "ignore",
    "interface",
    "is_scripting",
    "is_tracing",
    "isinstance",
    "last_executed_optimized_graph",
    "load",
    "onednn_fusion_enabled",
    "optimize_for_inference",
    "optimized_execution",
    "save",
    "script",
    "script_if_tracing",
    "script_method",
    "set_fusion_strategy",
    "trace",
    "trace_module",
    "unused",
    "wait",
]


class Error(RuntimeError):
    """Error raised by compiled code; never raised here."""


class TracerWarning(Warning):
    """Warning that a trace may not generalize; never issued here."""


class ScriptModule(Module):
    """Base class of compiled modules, which adds nothing to `Module`.

    Parameters
    ----------
    *args, **kwargs
        Not accepted.

    Raises
    ------
    TypeError
        For any argument.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Twice(torch.jit.ScriptModule):
    ...     def forward(self, x):
    ...         return 2 * x
    >>> Twice()(torch.ones(2))
    tensor([2., 2.])
    """


RecursiveScriptModule = TopLevelTracedModule = TracedModule = ScriptModule


class Attribute:
    """Annotated attribute of a `ScriptModule`; the constructor returns the plain value."""

    def __new__(cls, value, type):
        return value


def _deprecated(name):
    warnings.warn(
        f"`torch.jit.{name}` is deprecated. Please switch to `torch.compile` or `torch.export`.",
        DeprecationWarning,
        stacklevel=3,
    )


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """Return the function, class or module unchanged."""
    _deprecated("script")
    return obj


def trace(func, example_inputs=None, *args, **kwargs):
    """Call the function or module once with the example inputs and return it unchanged."""
    _deprecated("trace")
    inputs = kwargs.get("example_kwarg_inputs")
    if inputs is not None:
        func(**inputs)
    elif example_inputs is not None:
        func(*_as_tuple(example_inputs))
    return func


def _as_tuple(example):
    return tuple(example) if isinstance(example, (tuple, list)) else (example,)


def trace_module(mod, inputs, *args, **kwargs):
    """Call the named methods once with their example inputs and return the module unchanged."""
    _deprecated("trace_module")
    for name, example in inputs.items():
        getattr(mod, name)(*_as_tuple(example))
    return mod


def script_method(fn):
    """Return the method unchanged."""
    _deprecated("script_method")
    return fn


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    """Return the module unchanged."""
    return mod


def optimize_for_inference(mod, other_methods=None):
    """Return the module unchanged."""
    return mod


def save(m, f, _extra_files=None):
    """Raise NotImplementedError: there is no compiled form to save."""
    raise NotImplementedError("torch.jit.save: minitorch does not compile, save the state_dict")


def load(f, map_location=None, _extra_files=None, _restore_shapes=False):
    """Raise NotImplementedError: there is no compiled form to load."""
    raise NotImplementedError("torch.jit.load: minitorch does not run compiled modules")


def _get_trace_graph(f, args=(), kwargs=None, *more, **options):
    """Raise NotImplementedError: there are no TorchScript graphs."""
    raise NotImplementedError(
        "torch.jit._get_trace_graph: there is no TorchScript; torch.fx records graphs of programs"
    )


def last_executed_optimized_graph():
    """Raise NotImplementedError: there is no such graph."""
    raise NotImplementedError("torch.jit.last_executed_optimized_graph: nothing is compiled")


def fork(func, *args, **kwargs):
    """Call a function immediately and return its result."""
    return func(*args, **kwargs)


def wait(future):
    """Return the result of `fork`."""
    return future


def set_fusion_strategy(strategy):
    """Return the default fusion strategy; setting it has no effect."""
    return [("STATIC", 2), ("DYNAMIC", 10)]


def enable_onednn_fusion(enabled):
    """Enable or disable oneDNN fusion; no effect."""


def onednn_fusion_enabled():
    """Return False: there is no oneDNN fusion."""
    return False


@contextlib.contextmanager
def fuser(name):
    """Select a fuser inside the block; no effect."""
    yield


@contextlib.contextmanager
def optimized_execution(should_optimize):
    """Switch optimization inside the block; no effect."""
    yield


__getattr__ = lazy_attributes(__name__, "annotations", "frontend")
