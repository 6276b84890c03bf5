"""The properties that tensors of classes with ``__torch_dispatch__`` read from their class."""

from minitorch._dispatch import modes
from minitorch._dispatch.argument_values import not_convertible
from minitorch._dispatch.kernels import own_operator
from minitorch._dispatch.operators import ops
from minitorch.core import types as _types

_QUESTIONS = {
    "sizes": "aten.sym_size",
    "strides": "aten.sym_stride",
    "dim": "aten.dim",
    "numel": "aten.sym_numel",
    "offset": "aten.sym_storage_offset",
    "contiguous": "aten.is_contiguous",
    "device": "prim.device",
    "layout": "prim.layout",
}
own_operator("prim", "device(Tensor a) -> Device", lambda a: a.device)
own_operator("prim", "layout(Tensor a) -> Layout", lambda a: a.layout)
_TYPES = {
    "dim": ("int", (int,)),
    "layout": ("Layout", (_types.layout,)),
    "contiguous": ("bool", (bool, type(None))),
}
_LISTS = {"sizes": "sym_size", "strides": "sym_strides"}


def property_of(t, what, memory_format=None):
    """Dispatch the query of a tensor's property to its class and return the checked answer."""
    name = _QUESTIONS[what]
    namespace, _, operator = name.partition(".")
    packet = getattr(getattr(ops, namespace), operator)
    args = (t,)
    overload = packet.default
    if memory_format not in (None, _types.contiguous_format):
        overload, args = packet.memory_format, (t, memory_format)
    answer = modes.ask(overload, args, args, {}, f"torch.ops.{name}")
    if what in _TYPES:
        expected, kinds = _TYPES[what]
        if not isinstance(answer, kinds):
            raise RuntimeError(
                f"{name.partition('.')[2]} returned invalid type {type(answer).__name__}, expected {expected}"
            )
    if what == "device" and not isinstance(answer, _types.device):
        if not isinstance(answer, (str, int)):
            raise RuntimeError("unpackString: expected bytes or unicode object")
        return _types.device(answer)
    if what in ("sizes", "strides") and answer is not None:
        if not isinstance(answer, (list, tuple)):
            raise RuntimeError(f"{_LISTS[what]} must be a list or a tuple")
        return tuple(map(_integer, answer))
    return _integer(answer) if what in ("numel", "offset") and answer is not None else answer


def _integer(answer):
    if not hasattr(answer, "__index__"):
        raise RuntimeError(not_convertible(answer))
    return answer
