"""``out=`` inside of `vmap`: an error that names the overload PyTorch would call."""

from minitorch._functorch.batching._common import is_batched
from minitorch._functorch.batching.randomness import check_randomness
from minitorch._functorch.batching.schemas import schema_for
from minitorch._tensor import Tensor
from minitorch.autograd.by_sample import LISTS, VIEW

# random functions, for which it does not matter whether the output is batched
_RANDOM = frozenset("bernoulli multinomial normal rand randint randn randperm".split())
# not in PyTorch's list, by an oversight
_NOT_RANDOM = "normal.Tensor_float_out"


def check_out(name, args, kwargs, level):
    """Raise an error for a call with ``out=`` that uses samples of the innermost level.

    Raises
    ------
    RuntimeError
        When a tensor among the arguments is batched, or random numbers are drawn.
    """
    batched = any(is_batched(t, level) for t in _tensors((*args, *kwargs.values())))
    if name not in _RANDOM and not batched:
        return
    schema = schema_for(name, args, kwargs)
    if schema is None:
        return
    full_name = f"{name}.{schema.overload_name}"
    if name in _RANDOM and full_name != _NOT_RANDOM:
        if level.randomness == "refuse":
            check_randomness(level)
        raise RuntimeError(
            "vmap: We do not support calling out variants of random operations inside of vmap. Please use non-out "
            "variants as a workaround"
        )
    if batched:
        lists = any(a.kind == "Tensor" and a.is_list for a in schema.arguments)
        raise RuntimeError((LISTS if lists else VIEW).format(name=f"aten::{full_name}"))


def _tensors(values):
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (tuple, list)):
            yield from _tensors(value)
