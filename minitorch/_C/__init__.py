"""Names that programs and tests reach in ``torch._C``; each stands somewhere else here."""

from importlib import import_module

from minitorch._C import _autograd, _functions, _profiler
from minitorch._C._script import (
    FileCheck,
    ScriptDict,
    ScriptFunction,
    ScriptList,
    ScriptMethod,
)
from minitorch._capabilities import cpu_capability as _get_cpu_capability
from minitorch._tensor import Tensor
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
from minitorch.autograd.interpose import current_levels, switch_dispatch
from minitorch.autograd.python_function import _FunctionBase
from minitorch.autograd.torch_function import (
    DisableTorchFunction,
    DisableTorchFunctionSubclass,
    _disabled_torch_function_impl,
    _EnableTorchFunction,
    _get_function_stack_at,
    _get_torch_function_state,
    _has_torch_function,
    _has_torch_function_unary,
    _has_torch_function_variadic,
    _is_torch_function_all_disabled,
    _is_torch_function_enabled,
    _is_torch_function_mode_enabled,
    _len_torch_function_stack,
    _peek_should_skip_torch_function,
    _pop_torch_function_stack,
    _push_on_torch_function_stack,
    _set_skip_next_torch_function,
    _set_torch_function_state,
    _TorchFunctionState,
)
from minitorch.autograd.variable import TensorBase
from minitorch.core.dtype import _dtypes
from minitorch.core.linalg_error import LinAlgError as _LinAlgError

_disabled_torch_dispatch_impl = Tensor.__torch_dispatch__.__func__
_EngineBase = _ImperativeEngine
_TensorMeta = type(TensorBase)

# what is there: linear algebra and Fourier transforms are
has_lapack = has_spectral = True


class _DisableTorchDispatch:
    """As long as it lives, or inside of it, no mode and no class with ``__torch_dispatch__`` is asked."""

    def __init__(self):
        switch_dispatch(True)
        self._on = True

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._leave()

    def __del__(self):
        self._leave()

    def _leave(self):
        if self._on:
            self._on = False
            switch_dispatch(False)


def _log_api_usage_once(name):
    """Note that a part of the library is used; nothing is noted."""


def _are_functorch_transforms_active():
    """Whether a transform of `func` is being computed on this thread."""
    return bool(current_levels())


def _get_all_dtypes():
    """The element types there are."""
    return list(_dtypes().values())


def _get_privateuse1_backend_name():
    """The name of the device that a program may bring; none can be brought."""
    return "privateuseone"


def _get_tracing_state():
    """What a trace of TorchScript has seen so far: there is none."""
    return None


_OF_MODES = {
    "_len_torch_dispatch_stack": "_len_torch_dispatch_stack",
    "_get_dispatch_stack_at": "_get_dispatch_stack_at",
    "_push_on_torch_dispatch_stack": "_push_mode",
    "_pop_torch_dispatch_stack": "_pop_mode",
}


def __getattr__(name):
    if name == "_functorch":
        # the transforms stand above most of what is imported with this package
        return import_module("minitorch._C._functorch")
    if name in _OF_MODES:
        return getattr(import_module("minitorch.utils._python_dispatch"), _OF_MODES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "FileCheck",
    "ScriptDict",
    "ScriptFunction",
    "ScriptList",
    "ScriptMethod",
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "TensorBase",
    "_EnableTorchFunction",
    "_DisableTorchDispatch",
    "_EngineBase",
    "_FunctionBase",
    "_ImperativeEngine",
    "_TensorMeta",
    "_LinAlgError",
    "_are_functorch_transforms_active",
    "_autograd",
    "_current_autograd_node",
    "_current_graph_task_id",
    "_disabled_torch_dispatch_impl",
    "_functions",
    "_get_all_dtypes",
    "_get_cpu_capability",
    "_get_function_stack_at",
    "_get_privateuse1_backend_name",
    "_get_torch_function_state",
    "_get_tracing_state",
    "_is_fwd_grad_enabled",
    "_log_api_usage_once",
    "_set_fwd_grad_enabled",
    "_has_torch_function",
    "_has_torch_function_unary",
    "_has_torch_function_variadic",
    "_is_torch_function_all_disabled",
    "_is_torch_function_enabled",
    "_is_torch_function_mode_enabled",
    "_len_torch_function_stack",
    "_peek_should_skip_torch_function",
    "_pop_torch_function_stack",
    "_profiler",
    "_push_on_torch_function_stack",
    "_set_grad_enabled",
    "_set_skip_next_torch_function",
    "_set_torch_function_state",
    "_TorchFunctionState",
    "_disabled_torch_function_impl",
    "_will_engine_execute_node",
    "has_lapack",
    "has_spectral",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "is_multithreading_enabled",
    "is_view_replay_enabled",
]
