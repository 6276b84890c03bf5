"""The table of rules, and what they have in common."""

from collections.abc import Callable

from minitorch._tensor import Tensor
from minitorch._vmap_internals import unwrapped
from minitorch.autograd.functions.creation import _register_samples
from minitorch.autograd.interpose import Wrapped, _operator, refresh, special_of, wrap_tensor

# row -> rule(operator, arguments, level)
rules: dict[str, Callable] = {}


def rule(*names):
    """Make a function the batching rule of these rows."""

    def register(function):
        for name in names:
            rules[name] = function
        return function

    return register


def batch(operator, arguments, level):
    """Apply an operator to a batch; at least one of its tensors is of `level`."""
    if operator.form == "_out":
        raise RuntimeError(
            f"Batching rule not implemented for aten::{operator.name}.out; the fallback path doesn't work on out= "
            "or view ops."
        )
    return rules.get(operator.name, for_each_sample)(operator, arguments, level)


def samples_like(like, result):
    """A batch of copies of `result`, for each sample that `like` stands for.

    A tensor that is made in the shape of another one is written to, so each sample has its own.
    """
    special = special_of(like)
    if not isinstance(special, Wrapped):
        return result
    result = samples_like(special.value, result)
    if special.dim < 0 or not special.level.alive:
        return result
    value = result.expand(special.level.batch_size, *result.shape).clone()
    return wrap_tensor(value, special.level, 0)


_register_samples(samples_like)


def is_batched(t, level):
    """Whether a value is a tensor with a batch dimension of `level`."""
    return isinstance(t, Tensor) and unwrapped(t, level)[1] is not None


def in_front(t, level):
    """What a batched tensor wraps, with the batch as its first dimension."""
    value, dim = unwrapped(t, level)
    return value if dim == 0 else value.movedim(dim, 0)


def expanded(t, level):
    """The same, of a tensor that may have no batch: then every sample is the tensor."""
    if is_batched(t, level):
        return in_front(t, level)
    return t.expand(level.batch_size, *t.shape)


def wrapped(result, level, dim=0):
    """Wrap a result, or each of several, with the batch in dimension `dim`."""
    if isinstance(result, (tuple, list)):
        return type(result)([wrapped(item, level, dim) for item in result])
    return result if result is None else wrap_tensor(result, level, dim)


def written(operator, arguments):
    """The tensor that an operator in place has written to, its shape brought up to date."""
    self = arguments[0]
    refresh(self)
    return self


# what PyTorch calls them where it complains
_NAMES_IN_PLACE = {
    **dict.fromkeys(("add", "sub", "mul", "div", "copy"), "inplace arithmetic"),
    "fill_tensor": "fill_",
    "bernoulli_tensor": "inplace bernoulli",
}


def check_written(operator, arguments, level):
    """The error of a write in place to a tensor that is the same for all samples."""
    if operator.form == "_" and not is_batched(arguments[0], level):
        name = _NAMES_IN_PLACE.get(operator.name, f"{operator.name}_")
        raise RuntimeError(
            f"vmap: {name}(self, *extra_args) is not possible because there exists a Tensor `other` "
            "in extra_args that has more elements than `self`. This happened due to `other` being vmapped over "
            "but `self` not being vmapped over in a vmap. Please try to use out-of-place operators instead of "
            f"{name}. If said operator is being called inside the PyTorch framework, please file a "
            "bug report instead."
        )


def for_each_sample(operator, arguments, level):
    """Call the operator for one sample after the other, and stack what comes."""
    check_written(operator, arguments, level)
    if level.batch_size == 0:
        raise RuntimeError(
            f"Batching rule not implemented for aten::{operator.name}. The fallback path does not support vmap "
            "over dims of size 0."
        )
    samples = [
        operator(*(_sample(a, level, index) for a in arguments))
        for index in range(level.batch_size)
    ]
    if operator.form == "_":
        return written(operator, arguments)
    if isinstance(samples[0], (tuple, list)):
        parts = [wrapped(_stacked(part), level) for part in zip(*samples, strict=True)]
        return tuple(parts) if isinstance(samples[0], tuple) else parts
    if isinstance(samples[0], Tensor):
        return wrapped(_stacked(samples), level)
    return samples[0] if all(sample == samples[0] for sample in samples) else samples


def _stacked(parts):
    return None if parts[0] is None else _operator("stack")(list(parts), 0)


def _sample(argument, level, index):
    if isinstance(argument, list):
        return [_sample(item, level, index) for item in argument]
    if not isinstance(argument, Tensor):
        return argument
    value, dim = unwrapped(argument, level)
    return value if dim is None else value.select(dim, index)
