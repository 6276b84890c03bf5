"""Names that programs and tests reach in ``torch._C``; each stands somewhere else here."""

from importlib import import_module

from minitorch._C import _autograd, _functions
from minitorch.autograd.engine import (
    Engine as _ImperativeEngine,
)
from minitorch.autograd.engine import (
    _current_autograd_node,
    _current_graph_task_id,
    _will_engine_execute_node,
)
from minitorch.autograd.forward_grad import _is_fwd_grad_enabled, _set_fwd_grad_enabled
from minitorch.autograd.grad_mode import (
    _set_grad_enabled,
    is_grad_enabled,
    is_inference_mode_enabled,
    is_multithreading_enabled,
    is_view_replay_enabled,
)
from minitorch.autograd.python_function import _FunctionBase
from minitorch.autograd.variable import TensorBase
from minitorch.core.linalg_error import LinAlgError as _LinAlgError

_EngineBase = _ImperativeEngine
_TensorMeta = type(TensorBase)


def _log_api_usage_once(name):
    """Note that a part of the library is used; nothing is noted."""


def _are_functorch_transforms_active():
    """Whether a transform of `func` is being computed: none is, for none works on operators."""
    return False


def _get_tracing_state():
    """What a trace of TorchScript has seen so far: there is none."""
    return None


def __getattr__(name):
    if name in ("_functorch", "_are_functorch_transforms_active"):
        # the transforms stand above most of what is imported with this package
        module = import_module("minitorch._C._functorch")
        return module if name == "_functorch" else getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "TensorBase",
    "_EngineBase",
    "_FunctionBase",
    "_ImperativeEngine",
    "_TensorMeta",
    "_LinAlgError",
    "_are_functorch_transforms_active",
    "_autograd",
    "_current_autograd_node",
    "_current_graph_task_id",
    "_functions",
    "_get_tracing_state",
    "_is_fwd_grad_enabled",
    "_log_api_usage_once",
    "_set_fwd_grad_enabled",
    "_set_grad_enabled",
    "_will_engine_execute_node",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "is_multithreading_enabled",
    "is_view_replay_enabled",
]
