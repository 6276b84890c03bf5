"""``torch.ops.profiler``: operators that begin and end a label in a profile."""

from minitorch._dispatch.kernels import own_operator
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.observe.profiled_blocks import Label

_RECORD = "__torch__.torch.classes.profiler._RecordFunction"


def _begin(name, args=None):
    return Label(name) if args is None else Label(name, args)


def _begin_with_tensor(name, args=None):
    handle = _creation.empty_(1)
    handle._label = _begin(name, args)
    return handle


def _end(handle):
    label = getattr(handle, "_label", handle)
    if isinstance(label, Label):  # a mode may have returned something else
        label.end()


own_operator(
    "profiler", "_record_function_enter(str name, str? args=None) -> Tensor", _begin_with_tensor
)
begin = own_operator(
    "profiler",
    f"_record_function_enter_new(str name, str? args=None) -> {_RECORD}",
    _begin,
)
own_operator("profiler", "_record_function_exit(Tensor handle) -> ()", _end)
end = own_operator(
    "profiler", f"_record_function_exit._RecordFunction({_RECORD} record) -> ()", _end
)
