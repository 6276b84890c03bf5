"""The names of ``torch._utils`` that PyTorch's files and programs use."""

import importlib.util
import os
import sys
from collections import defaultdict

from minitorch._tensor_str import printoptions
from minitorch.core.dtype import dtype as _dtype
from minitorch.core.types import device as _device
from minitorch.namespace.exception_wrapper import ExceptionWrapper, KeyErrorMessage
from minitorch.nn.parameter import _rebuild_parameter, _rebuild_parameter_with_state
from minitorch.overrides import resolve_name
from minitorch.tensors.rebuilding import (
    _get_obj_state,
    _rebuild_meta_tensor_no_storage,
    _rebuild_sparse_tensor,
    _rebuild_tensor,
    _rebuild_tensor_v2,
    _rebuild_tensor_v3,
    _rebuild_wrapper_subclass,
    _set_obj_state,
    get_tensor_metadata,
    set_tensor_metadata,
)

__all__ = [
    "ExceptionWrapper",
    "KeyErrorMessage",
    "_element_size",
    "_get_obj_state",
    "_import_dotted_name",
    "_rebuild_meta_tensor_no_storage",
    "_rebuild_parameter",
    "_rebuild_parameter_with_state",
    "_rebuild_sparse_tensor",
    "_rebuild_tensor",
    "_rebuild_tensor_v2",
    "_rebuild_wrapper_subclass",
    "_rebuild_tensor_v3",
    "_set_obj_state",
    "get_tensor_metadata",
    "set_tensor_metadata",
]


def _element_size(dtype):
    """Return the number of bytes of one element of a dtype."""
    if not isinstance(dtype, _dtype):
        raise RuntimeError(f"expected torch.dtype, but got {type(dtype)}")
    return dtype.itemsize


def _import_dotted_name(name):
    """Return the object named ``"module.attribute"``; submodules must be imported already."""
    module, *path = name.split(".")
    result = __import__(module)
    for part in path:
        result = getattr(result, part)
    return result


def try_import(module_name):
    """Return a module, importing it if necessary, or None if it does not exist."""
    if sys.modules.get(module_name) is not None:
        return sys.modules[module_name]
    if importlib.util.find_spec(module_name) is None:
        return None
    return importlib.import_module(module_name)


def cpu_count():
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count()


def _get_device_index(device, optional=False, allow_cpu=False):
    """Return the index of a device; -1 for a device without an index, such as the CPU."""
    if isinstance(device, int):
        return device
    device = _device(device)
    if device.type == "cpu" and not allow_cpu:
        raise ValueError(f"Expected a non cpu device, but got: {device}")
    return -1 if device.index is None else device.index


def _get_all_device_indices():
    return []


def _is_privateuse1_backend_available():
    """Return False: there are no backends for custom devices."""
    return False


def _get_device_module(device_type):
    """Return the module of a device type.

    Raises
    ------
    RuntimeError
        If there is no such module.
    """
    from importlib import import_module

    module = getattr(import_module("minitorch"), device_type, None)
    if module is None:
        raise RuntimeError(
            f"Device '{device_type}' does not have a corresponding module registered as 'torch.{device_type}'."
        )
    return module


def _get_available_device_type():
    return None


def _flatten_dense_tensors(tensors):
    """Concatenate the elements of all tensors into one vector."""
    from minitorch.autograd.functions import tensor_methods as _ops

    return _ops.cat([tensor.reshape(-1) for tensor in tensors])


def _unflatten_dense_tensors(flat, tensors):
    """Split a vector into tensors with the shapes of `tensors`."""
    parts, start = [], 0
    for tensor in tensors:
        parts.append(flat.narrow(0, start, tensor.numel()).view_as(tensor))
        start += tensor.numel()
    return tuple(parts)


def _take_tensors(tensors, size_limit):
    """Yield groups of tensors of one type with at most `size_limit` bytes each."""
    groups = defaultdict(lambda: [[], 0])
    for tensor in tensors:
        group = groups[tensor.type()]
        size = tensor.numel() * tensor.element_size()
        if group[0] and group[1] + size > size_limit:
            yield group[0]
            group = groups[tensor.type()] = [[], 0]
        group[0].append(tensor)
        group[1] += size
    for group, _ in groups.values():
        if group:
            yield group


class _ClassPropertyDescriptor:
    """A property of a class, implemented as a descriptor."""

    def __init__(self, fget):
        self.fget = fget

    def __get__(self, instance, owner=None):
        return self.fget.__get__(instance, type(instance) if owner is None else owner)()


def classproperty(func):
    """Make a method a property of its class."""
    if not isinstance(func, (classmethod, staticmethod)):
        func = classmethod(func)
    return _ClassPropertyDescriptor(func)


def render_call(fn, args, kwargs):
    """Format a call as text, with the elements of tensors left out.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch._utils.render_call(torch.sum, [torch.ones(100)], {"dim": 0})
    'torch.sum(tensor([...], size=(100,)), dim=0)'
    """
    with printoptions(threshold=0, edgeitems=0):
        given = [repr(value) for value in args]
        given += [f"{name}={value!r}" for name, value in kwargs.items()]
    return f"{resolve_name(fn) or fn}({', '.join(given)})"


def is_compiling():
    """Return False: no compiler traces the program."""
    return False
