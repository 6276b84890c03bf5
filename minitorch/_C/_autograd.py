"""``torch._C._autograd``: hooks of saved tensors, creation of views, device types."""

import enum
from importlib import import_module

from minitorch.autograd import kineto_available
from minitorch.autograd.current_task import _get_current_graph_task_keep_graph
from minitorch.autograd.inplace import _get_creation_meta as _number_of_creation
from minitorch.autograd.inplace import _set_creation_meta as _set_number_of_creation
from minitorch.autograd.inplace import _unsafe_set_version_counter as _set_version_counters
from minitorch.autograd.node import _get_sequence_nr
from minitorch.autograd.saved_tensor import SavedTensor
from minitorch.autograd.saved_tensor_hooks import (
    _pop_saved_tensors_default_hooks,
    _push_saved_tensors_default_hooks,
    _saved_tensors_hooks_disable,
    _saved_tensors_hooks_enable,
    _saved_tensors_hooks_get_disabled_error_message,
    _saved_tensors_hooks_is_enabled,
    _top_saved_tensors_default_hooks,
)
from minitorch.core.device_type import DeviceType


def __getattr__(name):
    # the profiler is imported on first access
    if name in ("_profiler_enabled", "_profiler_type"):
        from minitorch.autograd import profiler

        return getattr(profiler, name)
    if name == "_supported_activities":
        return import_module("minitorch.profiler").supported_activities
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class CreationMeta(enum.Enum):
    """How a view was created, which determines whether it may be modified in place."""

    DEFAULT = 0
    IN_CUSTOM_FUNCTION = 1
    MULTI_OUTPUT_NODE = 2
    NO_GRAD_MODE = 3
    INFERENCE_MODE = 4

    def __repr__(self):
        return f"<{self}: {self.value}>"


def _unsafe_set_version_counter(tensors, versions):
    """Set the version counters of several tensors.

    Raises
    ------
    RuntimeError
        If the numbers of tensors and versions differ, or a version is negative.
    """
    tensors, versions = tuple(tensors), tuple(versions)
    if len(tensors) != len(versions):
        raise RuntimeError(f"tensors_len={len(tensors)}, versions_len={len(versions)}")
    for version in versions:
        if version < 0:
            raise RuntimeError(f"Cannot set a version_counter to a value below 0: {version}")
    _set_version_counters(tensors, versions)


def _get_creation_meta(tensor):
    """Return how a view was created."""
    return CreationMeta(_number_of_creation(tensor))


def _set_creation_meta(tensor, meta):
    """Set how a view was created."""
    _set_number_of_creation(tensor, meta.value)


__all__ = [
    "CreationMeta",
    "DeviceType",
    "SavedTensor",
    "_get_creation_meta",
    "_get_current_graph_task_keep_graph",
    "_get_sequence_nr",
    "_pop_saved_tensors_default_hooks",
    "_push_saved_tensors_default_hooks",
    "_saved_tensors_hooks_disable",
    "_saved_tensors_hooks_enable",
    "_saved_tensors_hooks_get_disabled_error_message",
    "_saved_tensors_hooks_is_enabled",
    "_set_creation_meta",
    "_top_saved_tensors_default_hooks",
    "_unsafe_set_version_counter",
    "kineto_available",
]
