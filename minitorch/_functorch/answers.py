"""The calls that autograd makes to transforms: see Note [Upward calls] in autograd/upward_calls.pyx."""

from minitorch._functorch.autograd_function import custom_function_call
from minitorch._functorch.batching import _common, by_sample, outputs, randomness, schemas
from minitorch._functorch.batching.fallback import warn_of_fallback
from minitorch._functorch.compositions import COMPOSITIONS
from minitorch.autograd.operators import operators
from minitorch.autograd.upward_calls import TransformCalls, register_transform_calls
from minitorch.utils._pytree import _broadcast_to_and_flatten, tree_flatten, tree_unflatten


class _Calls(TransformCalls):
    __slots__ = ()
    without_rule = by_sample.WITHOUT_RULE

    def load(self):
        pass

    apply_function = staticmethod(custom_function_call)
    batched = staticmethod(_common.batch)
    draw_without_batch = staticmethod(randomness.without_batch)
    draw = staticmethod(randomness.drawn)
    levels_that_differ = staticmethod(randomness.levels_that_differ)
    every_sample = staticmethod(randomness.every_sample)
    for_each_sample = staticmethod(_common.each_sample)
    copies_like = staticmethod(_common.samples_like)
    call_without_rule = staticmethod(by_sample.for_batch)
    warn_without_rule = staticmethod(warn_of_fallback)
    check_out = staticmethod(outputs.check_out)
    overload_of = staticmethod(schemas.overload_of)
    flatten = staticmethod(tree_flatten)
    unflatten = staticmethod(tree_unflatten)
    broadcast_and_flatten = staticmethod(_broadcast_to_and_flatten)


register_transform_calls(_Calls())
for name, composition in COMPOSITIONS.items():
    operators[name, ""].composition = composition
