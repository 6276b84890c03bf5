"""Random operators inside `vmap`: an error, equal for all samples, or different for each."""

import threading

from minitorch._functorch.batching._common import (
    check_written,
    in_front,
    is_batched,
    rules,
    wrapped,
    written,
)
from minitorch._functorch.batching.pointwise import aligned
from minitorch._tensor import Tensor
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.levels import current_levels, outside_of_levels, wrapped_of
from minitorch.autograd.operators import _operator
from minitorch.autograd.vmap_steps import unwrapped
from minitorch.core.context import contextmanager
from minitorch.core.error_pages import explained
from minitorch.tensors.gradient_checks import value_outside

# these draw numbers in the shape of their first tensor
_IN_PLACE = """
    uniform normal log_normal exponential geometric cauchy random_from_to random_to random bernoulli_tensor
    bernoulli_float
"""
_FUNCTIONAL = """
    bernoulli bernoulli_p poisson _standard_gamma multinomial normal_tensor_float normal_float_tensor
    normal_tensor_tensor binomial native_dropout dropout_noise
"""
RANDOM = {*_IN_PLACE.split(), *_FUNCTIONAL.split()}

_thread = threading.local()


@contextmanager
def _further_out(level):
    """Draw numbers only for the levels further out than `level`, inside the context."""
    before = getattr(_thread, "level", None)
    try:
        _thread.level = level
        yield
    finally:
        _thread.level = before


def _vmaps():
    """Return the vmap levels that numbers are drawn for, the innermost first."""
    inside = getattr(_thread, "level", None)
    return [
        level
        for level in reversed(current_levels())
        if level.kind == "vmap" and (inside is None or level.number < inside.number)
    ]


def check_randomness(level):
    """Raise an error for a random operator if `vmap` has no setting that allows it."""
    if level.randomness == "refuse":
        raise RuntimeError(
            "vmap: We do not yet support calling random operations inside of vmap. Please perform random "
            "operations outside of vmap as a workaround"
        )
    if level.randomness == "error":
        raise explained(
            RuntimeError(
                "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
                "'different' randomness flags on vmap or perform the randomness operation out of vmap"
            ),
            "vmap-random",
        )


def levels_that_differ(out):
    """Return the levels whose samples draw different numbers, the outermost first.

    `out` is whether there is an output to write to, which is an error.
    """
    levels = _vmaps()
    if levels and out:
        raise RuntimeError(
            "vmap: We do not support calling out variants of random operations inside of vmap. Please use non-out "
            "variants as a workaround"
        )
    for level in levels:
        check_randomness(level)
    return [level for level in reversed(levels) if level.randomness == "different"]


def every_sample(t, levels):
    """Return the value of `t` for all samples of these levels, with the batches first.

    Of the other levels, the first sample is returned. Returns None if `t` is not batched at all of `levels`.
    """
    for level in _vmaps():
        t, dim = unwrapped(t, level)
        if level not in levels:
            t = t if dim is None else t.select(dim, 0)
        elif dim is None:
            return None
        else:
            t = t.movedim(dim, 0)
    return t


def drawn(draw, args):
    """Call an operator that draws random numbers inside of `vmap` and does not know its batches.

    Parameters
    ----------
    draw : callable
        Takes the arguments; it may return None.
    args : sequence
        Begins with the tensor whose shape the numbers have, or ends with the list of sizes.
    """
    levels = _vmaps()
    for level in levels:
        check_randomness(level)
    with outside_of_levels():
        return _drawn(draw, args, levels)


def _drawn(draw, args, levels):
    if not levels:
        return draw(tuple(value_outside(a) if isinstance(a, Tensor) else a for a in args))
    level, *further_out = levels
    differs = level.randomness == "different"
    first, last = args[0], args[-1]
    if isinstance(first, Tensor) and is_batched(first, level):
        every = in_front(first, level)
        args = [every if differs else every[0], *args[1:]]
    elif isinstance(first, Tensor) and differs:
        args = [first.expand(level.batch_size, *first.shape), *args[1:]]
    elif isinstance(last, list) and differs:
        args = [*args[:-1], [level.batch_size, *last]]
    elif differs:
        each = [_drawn(draw, args, further_out) for _ in range(level.batch_size)]
        return None if each[0] is None else wrapped(_operator("stack")(each, 0), level)
    result = _drawn(draw, args, further_out)
    return wrapped(result, level) if differs else result


def _is_of(argument, level):
    """Return whether an argument belongs to `level` or to a level further in."""
    special = wrapped_of(argument)
    if special is None or not special.level.alive:
        return False
    return special.level.number >= level.number


def without_batch(operator, arguments):
    """Apply a random operator inside `vmap` to unbatched tensors; return None for other calls."""
    if operator.name not in RANDOM or not _draws(operator, arguments):
        return None
    level = next(iter(_vmaps()), None)
    if level is None or any(_is_of(a, level) for a in arguments):
        return None
    check_randomness(level)
    if level.randomness == "same":
        with _further_out(level):
            return operator(*arguments)
    if operator.form == "_":
        raise RuntimeError(
            "vmap: Cannot ask for different inplace randomness on an unbatched tensor. This will appear like "
            "same randomness. If this is necessary for your usage, please file an issue with functorch."
        )
    self = next(a for a in arguments if isinstance(a, Tensor))
    every = wrapped(self.expand(level.batch_size, *self.shape), level)
    return operator(*(every if a is self else a for a in arguments))


def _random(operator, arguments, level):
    innermost = next(iter(_vmaps()), level)
    if innermost.number > level.number:
        return without_batch(operator, arguments)
    if not _draws(operator, arguments):
        return _different(operator, arguments, level)
    check_randomness(level)
    with _further_out(level):
        if level.randomness == "same":
            return _same(operator, arguments, level)
        check_written(operator, arguments, level)
        return _different(operator, arguments, level)


def _draws(operator, arguments):
    """Return whether numbers are drawn, which native_dropout does only in training."""
    return operator.name != "native_dropout" or arguments[2] is not False


def _same(operator, arguments, level):
    first, *rest = arguments
    if any(is_batched(a, level) for a in (rest if operator.form == "_" else arguments)):
        if operator.name not in ("native_dropout", "dropout_noise"):
            raise RuntimeError(
                "Vmap does not currently support same randomness with a batched tensor input. Please file an "
                "issue with functorch"
            )
    sample = in_front(first, level)[0] if is_batched(first, level) else first
    if operator.name == "dropout_noise":
        return operator(sample, *rest)
    if operator.name == "native_dropout":
        noise, mask = operator(sample.new_ones(sample.shape), *rest)
        return first * noise, mask
    return first.copy_(operator(_creation.zeros(sample.shape, dtype=sample.dtype), *rest))


def _different(operator, arguments, level):
    ndim = max(a.dim() for a in arguments if isinstance(a, Tensor))
    values = [aligned(in_front(a, level), ndim) if is_batched(a, level) else a for a in arguments]
    if operator.name == "dropout_noise" and arguments[2]:
        # one number for each channel of each image
        noise = operator(values[0].flatten(0, 1), *values[1:])
        return wrapped(noise.reshape(level.batch_size, -1, *noise.shape[1:]), level)
    if operator.name == "multinomial" and values[0].dim() == 3:
        drawn = operator(values[0].flatten(0, 1), *values[1:])
        return wrapped(drawn.reshape(level.batch_size, -1, drawn.shape[-1]), level)
    if operator.name == "dropout_noise":
        values[0] = values[0].contiguous()  # it is drawn sample by sample
    result = operator(*values)
    return written(operator, arguments) if operator.form else wrapped(result, level)


for _name in RANDOM:
    rules[_name] = _random
