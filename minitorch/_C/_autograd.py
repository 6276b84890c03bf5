"""``torch._C._autograd``: the switches of saved tensors' hooks, and the kinds of devices."""

from minitorch.autograd.engine import _get_current_graph_task_keep_graph
from minitorch.autograd.saved_variable import (
    SavedTensor,
    _pop_saved_tensors_default_hooks,
    _push_saved_tensors_default_hooks,
    _saved_tensors_hooks_disable,
    _saved_tensors_hooks_enable,
    _saved_tensors_hooks_get_disabled_error_message,
    _saved_tensors_hooks_is_enabled,
    _top_saved_tensors_default_hooks,
)
from minitorch.core.device_type import DeviceType

__all__ = [
    "DeviceType",
    "SavedTensor",
    "_get_current_graph_task_keep_graph",
    "_pop_saved_tensors_default_hooks",
    "_push_saved_tensors_default_hooks",
    "_saved_tensors_hooks_disable",
    "_saved_tensors_hooks_enable",
    "_saved_tensors_hooks_get_disabled_error_message",
    "_saved_tensors_hooks_is_enabled",
    "_top_saved_tensors_default_hooks",
]
