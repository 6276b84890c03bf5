"""TorchScript's names. Nothing is compiled: a scripted or traced function is the function itself.

Programs that annotate, script and trace run as Python, which is what scripting promises to keep.
What needs the compiled form, such as saving it, raises NotImplementedError.
"""

import contextlib
import warnings

from minitorch._C import ScriptFunction
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
from minitorch.namespace.lazy_modules import lazy_modules
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
    """An error inside compiled code."""


class TracerWarning(Warning):
    """That a trace may not generalize; none is ever given."""


class ScriptModule(Module):
    """A module that was compiled: a base class that adds nothing."""


RecursiveScriptModule = TopLevelTracedModule = TracedModule = ScriptModule


class Attribute:
    """A value and its type, for attributes of a `ScriptModule`."""

    def __new__(cls, value, type):
        return value


def _deprecated(name):
    warnings.warn(
        f"`torch.jit.{name}` is deprecated. Please switch to `torch.compile` or `torch.export`.",
        DeprecationWarning,
        stacklevel=3,
    )


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """The function, class or module itself."""
    _deprecated("script")
    return obj


def trace(func, example_inputs=None, *args, **kwargs):
    """The function or module itself; it is called once with the examples, as a trace would."""
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
    """The module itself; the methods named are called once."""
    _deprecated("trace_module")
    for name, example in inputs.items():
        getattr(mod, name)(*_as_tuple(example))
    return mod


def script_method(fn):
    """The method itself."""
    _deprecated("script_method")
    return fn


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    """The module itself."""
    return mod


def optimize_for_inference(mod, other_methods=None):
    """The module itself."""
    return mod


def save(m, f, _extra_files=None):
    """Raises NotImplementedError: there is no compiled form to save."""
    raise NotImplementedError("torch.jit.save: minitorch does not compile, save the state_dict")


def load(f, map_location=None, _extra_files=None, _restore_shapes=False):
    """Raises NotImplementedError: there is no compiled form to load."""
    raise NotImplementedError("torch.jit.load: minitorch does not run compiled modules")


def _get_trace_graph(f, args=(), kwargs=None, *more, **options):
    """Raises NotImplementedError: programs are not recorded as graphs of TorchScript."""
    raise NotImplementedError(
        "torch.jit._get_trace_graph: there is no TorchScript; torch.fx records graphs of programs"
    )


def last_executed_optimized_graph():
    """Raises NotImplementedError: there is no such graph."""
    raise NotImplementedError("torch.jit.last_executed_optimized_graph: nothing is compiled")


def fork(func, *args, **kwargs):
    """Call a function, now; what `wait` returns."""
    return func(*args, **kwargs)


def wait(future):
    """What `fork` made."""
    return future


def set_fusion_strategy(strategy):
    """How often to compile anew; the strategy so far."""
    return [("STATIC", 2), ("DYNAMIC", 10)]


def enable_onednn_fusion(enabled):
    """Say whether oneDNN may join operators; nothing is done."""


def onednn_fusion_enabled():
    """Whether oneDNN joins operators: no."""
    return False


@contextlib.contextmanager
def fuser(name):
    """Choose who joins operators in a block; nothing is done."""
    yield


@contextlib.contextmanager
def optimized_execution(should_optimize):
    """Say whether compiled code is made faster in a block; nothing is done."""
    yield


__getattr__ = lazy_modules(__name__, "annotations", "frontend")
