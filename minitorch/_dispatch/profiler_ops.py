"""``torch.ops.profiler``: labels in a profile that are entered and left by hand, and as modes see them."""

from minitorch._dispatch.kernels import kernels_of
from minitorch._dispatch.operators import OpOverloadPacket
from minitorch._dispatch.operators import custom as _packets
from minitorch._dispatch.schema import FunctionSchema
from minitorch.autograd import _profiled_blocks
from minitorch.autograd._profiled_blocks import Label
from minitorch.autograd.functions import creation as _creation

_RECORD = "__torch__.torch.classes.profiler._RecordFunction"


def _operator(text, kernel):
    schema = FunctionSchema(text, "profiler")
    name = schema.name.partition("::")[2]
    if ("profiler", name) not in _packets:
        _packets["profiler", name] = OpOverloadPacket(name, [], "profiler")
    overload = _packets["profiler", name]._add(schema)
    overload._kernels = kernels_of(overload.name())
    overload._kernels["CompositeExplicitAutograd"] = kernel
    return overload


def _begin(name, args=None):
    return Label(name) if args is None else Label(name, args)


def _begin_with_tensor(name, args=None):
    handle = _creation.empty_(1)
    handle._label = _begin(name, args)
    return handle


def _end(handle):
    label = getattr(handle, "_label", handle)
    if isinstance(label, Label):  # a mode may have given something else
        label.end()


_operator("_record_function_enter(str name, str? args=None) -> Tensor", _begin_with_tensor)
_begin_new = _operator(f"_record_function_enter_new(str name, str? args=None) -> {_RECORD}", _begin)
_operator("_record_function_exit(Tensor handle) -> ()", _end)
_end_record = _operator(f"_record_function_exit._RecordFunction({_RECORD} record) -> ()", _end)
_profiled_blocks.tell(_begin_new, _end_record)
