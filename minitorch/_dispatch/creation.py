"""Schemas of functions that create a tensor, such as ``zeros``, for dispatch to modes."""

from minitorch._dispatch.argument_types import takes, unpacked
from minitorch._dispatch.operators import ops
from minitorch._dispatch.overloads import in_cpp
from minitorch._tensor import Tensor
from minitorch.core.types import default_device as _default_device
from minitorch.core.types import device as _device

_OF_SIZE = {"zeros", "ones", "empty", "rand", "randn"}
_OF_BOUNDS = {"linspace", "logspace"}  # which may be tensors


def described(name, args, kwargs):
    """Return ``(overload, args, kwargs, requires_grad)`` for a call of ``torch.NAME``.

    The result is None if no overload of ``aten`` without ``out`` takes these arguments.
    """
    packet = getattr(ops.aten, name, None)
    if packet is None or kwargs.get("out") is not None:
        return None
    kwargs = {key: value for key, value in kwargs.items() if value is not None and key != "out"}
    requires_grad = bool(kwargs.pop("requires_grad", False))
    args = list(args)
    if name in _OF_SIZE and args and isinstance(args[0], int):
        args = [list(args)]
    if (
        name.startswith("new_")
        and name != "new_full"
        and len(args) > 1
        and isinstance(args[1], int)
    ):
        args = [args[0], list(args[1:])]
    args = [list(a) if isinstance(a, tuple) else a for a in args]
    for key, value in kwargs.items():
        if isinstance(value, tuple):
            kwargs[key] = list(value)
    like = bool(args) and isinstance(args[0], Tensor) and name not in _OF_BOUNDS
    device = kwargs.pop("device", None if like else _default_device())
    if device is not None and not isinstance(device, _device):
        device = _device(device)
    written_in_cpp = "layout" in kwargs or in_cpp()
    overloads = list(packet._overloads.values())
    bounds = len(args) + len(kwargs.keys() & {"start", "end"})
    if name == "arange" and bounds == 2 and "step" not in kwargs:
        overloads = [packet.start]
    for overload in overloads:
        schema = overload._schema
        if any(a.is_out for a in schema.arguments):
            continue
        known = {a.name for a in schema.arguments}
        given = kwargs
        if device is not None and "device" in known:
            given = {**kwargs, "device": device}
        if not given.keys() <= known:
            continue
        if "pin_memory" in known and not written_in_cpp:
            given = {"pin_memory": False, **given}
        try:
            values = schema.bind(args, given)
        except RuntimeError:
            continue
        if all(takes(a, values[a.name]) for a in schema.arguments):
            values = {a.name: unpacked(a, values[a.name]) for a in schema.arguments}
            return overload, *schema.call(values), requires_grad
    return None
