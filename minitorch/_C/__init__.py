"""Names that programs and tests reach in ``torch._C``; each stands somewhere else here."""

from minitorch._C import _autograd, _functions
from minitorch._tensor import Tensor
from minitorch.autograd.engine import (
    Engine as _ImperativeEngine,
)
from minitorch.autograd.engine import (
    _current_autograd_node,
    _current_graph_task_id,
    _will_engine_execute_node,
)
from minitorch.autograd.grad_mode import (
    _set_grad_enabled,
    is_grad_enabled,
    is_inference_mode_enabled,
    is_multithreading_enabled,
    is_view_replay_enabled,
)
from minitorch.autograd.interpose import switch_dispatch
from minitorch.autograd.python_function import _FunctionBase
from minitorch.autograd.variable import TensorBase
from minitorch.core.linalg_error import LinAlgError as _LinAlgError

_disabled_torch_dispatch_impl = Tensor.__torch_dispatch__.__func__
_EngineBase = _ImperativeEngine
_TensorMeta = type(TensorBase)


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


def _get_tracing_state():
    """What a trace of TorchScript has seen so far: there is none."""
    return None


__all__ = [
    "TensorBase",
    "_DisableTorchDispatch",
    "_EngineBase",
    "_FunctionBase",
    "_ImperativeEngine",
    "_TensorMeta",
    "_LinAlgError",
    "_autograd",
    "_current_autograd_node",
    "_current_graph_task_id",
    "_disabled_torch_dispatch_impl",
    "_functions",
    "_get_tracing_state",
    "_log_api_usage_once",
    "_set_grad_enabled",
    "_will_engine_execute_node",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "is_multithreading_enabled",
    "is_view_replay_enabled",
]
