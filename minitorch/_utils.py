"""What PyTorch's files and programs look for in ``torch._utils``."""

import os

from minitorch._exception_wrapper import ExceptionWrapper, KeyErrorMessage
from minitorch._rebuild import (
    _get_obj_state,
    _rebuild_tensor,
    _rebuild_tensor_v2,
    _rebuild_tensor_v3,
    _set_obj_state,
    get_tensor_metadata,
    set_tensor_metadata,
)
from minitorch.core.dtype import dtype as _dtype
from minitorch.nn.parameter import _rebuild_parameter, _rebuild_parameter_with_state

__all__ = [
    "ExceptionWrapper",
    "KeyErrorMessage",
    "_element_size",
    "_get_obj_state",
    "_import_dotted_name",
    "_rebuild_parameter",
    "_rebuild_parameter_with_state",
    "_rebuild_tensor",
    "_rebuild_tensor_v2",
    "_rebuild_tensor_v3",
    "_set_obj_state",
    "get_tensor_metadata",
    "set_tensor_metadata",
]


def _element_size(dtype):
    """The bytes of one element of a dtype."""
    if not isinstance(dtype, _dtype):
        raise RuntimeError(f"expected torch.dtype, but got {type(dtype)}")
    return dtype.itemsize


def _import_dotted_name(name):
    """The attribute of a module, as ``"module.attribute"``; the module is imported already."""
    module, *path = name.split(".")
    result = __import__(module)
    for part in path:
        result = getattr(result, part)
    return result


def cpu_count():
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count()
