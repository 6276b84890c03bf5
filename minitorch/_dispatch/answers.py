"""The calls that autograd makes to the dispatch: see Note [Upward calls] in autograd/upward_calls.pyx."""

from minitorch._dispatch import (
    composites,
    dispatcher,
    overloads,
    profiler_ops,
    properties,
    records,
)
from minitorch._dispatch.operators import ops
from minitorch._sparse import rules as sparse_rules
from minitorch.amp.autocast_mode import CASTS
from minitorch.autograd.math_bits import MathBits
from minitorch.autograd.meta import Meta
from minitorch.autograd.sparse_tensor import Sparse
from minitorch.autograd.upward_calls import DispatchCalls, register_dispatch_calls
from minitorch.autograd.zero_tensor import ZeroTensor
from minitorch.tensors import math_bits_rules, meta_rules, zero_rules


class _Calls(DispatchCalls):
    __slots__ = ()
    factories = records.FACTORIES
    casts = CASTS
    rules = {
        MathBits: math_bits_rules.compute,
        Meta: meta_rules.compute,
        Sparse: sparse_rules.compute,
        ZeroTensor: zero_rules.compute,
    }

    dispatch = staticmethod(dispatcher.dispatch)
    decompose = staticmethod(dispatcher.before_recording)
    kernel = staticmethod(dispatcher.kernel_before_recording)
    create = staticmethod(dispatcher.create)
    create_by_steps = staticmethod(records.steps_of)
    call_in_inference_mode = staticmethod(composites.dispatch_call)
    call_with_out = staticmethod(composites.dispatch_outputs)
    property_of = staticmethod(properties.property_of)
    name_of = staticmethod(overloads.name_of)
    full_name_of = staticmethod(overloads.full_name_of)
    begin_label = staticmethod(profiler_ops.begin)
    end_label = staticmethod(profiler_ops.end)
    record_stream = staticmethod(ops.aten.record_stream)


register_dispatch_calls(_Calls())
