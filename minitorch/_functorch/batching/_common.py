"""The table of batching rules, and helpers that the rules share."""

from collections.abc import Callable

from minitorch._functorch.batching.fallback import COMPOSED, note, warn_of_fallback
from minitorch._tensor import Tensor
from minitorch.autograd.by_sample import LISTS, VIEW
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.levels import (
    is_hidden,
    is_older,
    refresh,
    set_batch_dim,
    wrap_tensor,
    wrapped_of,
)
from minitorch.autograd.operators import _operator, full_name_of, name_of
from minitorch.autograd.vmap_steps import unwrapped
from minitorch.core.error_pages import explained
from minitorch.core.types import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    preserve_format,
)

# row -> rule(operator, arguments, level)
rules: dict[str, Callable] = {}


def rule(*names):
    """Register a function as the batching rule of these operators."""

    def register(function):
        for name in names:
            rules[name] = function
        return function

    return register


def batch(operator, arguments, level):
    """Apply an operator to a batch; at least one of its tensors belongs to `level`."""
    if operator.form == "_out":
        refused = (
            LISTS
            if any(isinstance(a, (list, tuple)) and _of_tensors(a) for a in arguments)
            else VIEW
        )
        raise RuntimeError(refused.format(name=f"aten::{operator.name}.out"))
    if note(operator, arguments, level):
        check_has_place(operator, arguments, level)
        return for_each_sample(operator, arguments, level)
    return rules.get(operator.name, for_each_sample)(operator, arguments, level)


def _of_tensors(items):
    return any(isinstance(item, Tensor) for item in items)


_FORMATS = {
    f._code: f for f in (preserve_format, contiguous_format, channels_last, channels_last_3d)
}


def samples_like(like, result, memory_format=None):
    """Return a batch of copies of `result`, one for each sample of the batch of `like`.

    A tensor made in the shape of another one may be written to, so each sample needs a copy of its
    own. With the code of a memory format, the result has the shape of `like` and is laid out as the
    batch of `like` would be.
    """
    special = wrapped_of(like)
    if special is None:
        return result
    if memory_format is not None and special.level.alive and special.dim >= 0:
        batch = _ops.empty_like(
            special.value, dtype=result.dtype, memory_format=_FORMATS[memory_format]
        )
        batch.copy_(samples_like(special.value, result).unsqueeze(special.dim))
        return wrap_tensor(batch, special.level, special.dim)
    result = samples_like(special.value, result, memory_format)
    if not special.level.alive:
        return result
    if special.dim < 0:
        return result if is_hidden(special.level) else wrap_tensor(result, special.level)
    value = result.expand(special.level.batch_size, *result.shape).clone()
    return wrap_tensor(value, special.level, 0)


def is_batched(t, level):
    """Return whether a value is a tensor with a batch dimension at `level`."""
    return isinstance(t, Tensor) and unwrapped(t, level)[1] is not None


def in_front(t, level):
    """Return the value that a batched tensor wraps, with the batch as its first dimension."""
    value, dim = unwrapped(t, level)
    return value if dim == 0 else value.movedim(dim, 0)


def expanded(t, level):
    """Return a tensor's value with the batch first; an unbatched tensor is expanded."""
    if is_batched(t, level):
        return in_front(t, level)
    return t.expand(level.batch_size, *t.shape)


def wrapped(result, level, dim=0):
    """Wrap a result, or each of several results, with the batch in dimension `dim`."""
    if isinstance(result, (tuple, list)):
        return type(result)([wrapped(item, level, dim) for item in result])
    return result if result is None else wrap_tensor(result, level, dim)


def written(operator, arguments):
    """Return the tensor that an in-place operator has written to, after updating its shape."""
    self = _receiver(arguments)
    refresh(self)
    return self


def reshaped(operator, self, level, dims):
    """Apply an operator that reshapes in place to the batch of the sample `self`; return `self`.

    `dims` counts dimensions of the sample and has no negative numbers.
    """
    value, place = unwrapped(self, level)
    ndim = value.dim()
    operator(value, *[d + (d >= place) for d in dims])
    if value.dim() > ndim and dims[0] < place:
        place += 1  # a dimension was added in front of the batch
    set_batch_dim(self, place)
    return self


def _receiver(arguments):
    # the first tensor; polygamma, for one, takes a number before it
    return next(a for a in arguments if isinstance(a, Tensor))


# names in PyTorch's error messages for operators that have a batching rule there
_NAMES_IN_PLACE = {
    **dict.fromkeys(
        """
        sub mul div copy clamp_min_tensor clamp_max_tensor masked_fill logical_and logical_or logical_xor
        """.split(),
        "inplace arithmetic",
    ),
    **{
        name: f"{name}_"
        for name in "index_add index_put scatter_add scatter_reduce fill_diagonal".split()
    },
    **dict.fromkeys(("index_fill", "index_fill_tensor"), "index_fill_"),
    "fill_tensor": "fill_",
    "bernoulli_tensor": "inplace bernoulli",
}
# PyTorch's rules for these do not check whether the receiver is batched
_UNCHECKED = frozenset(
    "add atan2 copysign bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift gcd lcm".split()
)


def check_has_place(operator, arguments, level):
    """Raise an error if an operator without a rule writes to a tensor that all samples share.

    PyTorch compares the innermost batches alone. So a tensor that has another batch further out is an error, too.
    """
    if operator.form != "_":
        return
    receiver = _receiver(arguments)
    if not is_batched(receiver, level):
        raise in_place_error(name_of(operator), f"at level {level.number}")
    if is_older(level):
        return
    for t in arguments:
        special = wrapped_of(t) if isinstance(t, Tensor) else None
        if special is not None and special.dim >= 0 and special.level is not level:
            raise in_place_error(name_of(operator), f"at level {special.level.number}")


def check_written(operator, arguments, level):
    """Raise an error if an in-place operator writes to a tensor that all samples share."""
    if operator.form != "_" or is_batched(_receiver(arguments), level):
        return
    if is_older(level):
        check_has_place(operator, arguments, level)
    if operator.name in _UNCHECKED:
        return  # the operator raises an error for the shape
    name, where = _NAMES_IN_PLACE.get(operator.name), "in a vmap"
    value_alone = operator.name == "masked_fill" and not is_batched(arguments[1], level)
    if name is None or value_alone:
        name, where = name_of(operator), f"at level {level.number}"
    raise in_place_error(name, where)


def in_place_error(name, where):
    """Return the error for a batch that does not fit into the tensor to be written to."""
    return explained(
        RuntimeError(
            f"vmap: {name}(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args that "
            "has more elements than `self`. This happened due to `other` being vmapped over but `self` not being "
            f"vmapped over {where}. Please try to use out-of-place operators instead of {name}. If said operator is "
            "being called inside the PyTorch framework, please file a bug report instead."
        ),
        "vmap-in-place",
    )


def check_has_samples(name, level):
    """Raise an error if an operator has to be called for each sample and there are no samples."""
    if level.batch_size == 0:
        raise RuntimeError(
            f"Batching rule not implemented for {name}. The fallback path does not support vmap over dims of size 0."
        )


def for_each_sample(operator, arguments, level):
    """Call the operator for one sample after the other, and stack the results."""
    check_written(operator, arguments, level)
    if level.batch_size == 0:
        check_has_samples(_name_of(operator, arguments), level)
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


def _name_of(operator, arguments):
    if isinstance(operator, _Composed):
        return f"aten::{operator.name}"
    return full_name_of(operator, arguments)


class _Composed:
    """A Python function in place of an operator."""

    form = ""

    def __init__(self, function):
        self.function = function
        self.name = getattr(function, "__name__", "function")

    def __call__(self, *arguments):
        return self.function(*arguments)


def each_sample(function, arguments):
    """Call a function without a rule for each sample of its arguments' innermost batch."""
    specials = map(wrapped_of, arguments)
    level = max((s.level for s in specials if s is not None), key=lambda at: at.number)
    if level.kind == "vmap":
        composed = _Composed(function)
        if composed.name in COMPOSED:
            warn_of_fallback(f"aten::{composed.name}", level)
        return for_each_sample(composed, arguments, level)
    result = function(*(unwrapped(a, level)[0] if isinstance(a, Tensor) else a for a in arguments))
    return wrapped(result, level, -1)


def _stacked(parts):
    return None if parts[0] is None else _operator("stack")(list(parts), 0)


def _sample(argument, level, index):
    if isinstance(argument, list):
        return [_sample(item, level, index) for item in argument]
    if not isinstance(argument, Tensor):
        return argument
    value, dim = unwrapped(argument, level)
    return value if dim is None else value.select(dim, index)
