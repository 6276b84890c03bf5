"""Random operators inside `vmap`: refused, the same for all samples, or different for each."""

from minitorch._functorch.batching._common import is_batched, rules, unwrapped, wrapped, written
from minitorch._tensor import Tensor
from minitorch.autograd.interpose import current_levels

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


def check_randomness(level):
    """The error of a random operator where `vmap` was not told what to do with it."""
    if level.randomness == "error":
        raise RuntimeError(
            "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
            "'different' randomness flags on vmap or perform the randomness operation out of vmap"
        )


def innermost_vmap():
    """The innermost level that is a vmap's, or None."""
    return next((level for level in reversed(current_levels()) if level.kind == "vmap"), None)


def without_batch(operator, arguments):
    """A random operator inside `vmap` on tensors that have no batch; None where there is nothing to do."""
    if operator.name not in RANDOM:
        return None
    level = innermost_vmap()
    if level is None:
        return None
    check_randomness(level)
    if level.randomness == "same":
        return None
    if operator.form == "_":
        raise RuntimeError(
            "vmap: Cannot ask for different inplace randomness on an unbatched tensor. This will appear like "
            "same randomness. If this is necessary for your usage, please file an issue with functorch."
        )
    self = next(a for a in arguments if isinstance(a, Tensor))
    every = wrapped(self.expand(level.batch_size, *self.shape), level)
    return operator(*(every if a is self else a for a in arguments))


def _random(operator, arguments, level):
    check_randomness(level)
    same = level.randomness == "same"
    if same and operator.form == "_":
        value, dim = unwrapped(arguments[0], level)
        sample = value.select(dim, 0) if dim is not None else value
        drawn = operator(sample.clone(), *arguments[1:])
        arguments[0].copy_(drawn)
        return arguments[0]
    if same and any(is_batched(a, level) for a in arguments):
        raise RuntimeError(
            "Vmap does not currently support same randomness with a batched tensor input. Please file an issue "
            "with functorch"
        )
    ndim = max(a.dim() for a in arguments if isinstance(a, Tensor))
    values = [_batch(a, level, ndim) for a in arguments]
    result = operator(*values)
    return written(operator, arguments) if operator.form else wrapped(result, level)


def _batch(a, level, ndim):
    if not is_batched(a, level):
        return a
    value, dim = unwrapped(a, level)
    value = value.movedim(dim, 0)
    missing = ndim + 1 - value.dim()
    return value.reshape(value.shape[0], *(1,) * missing, *value.shape[1:]) if missing > 0 else value


for _name in RANDOM:
    rules[_name] = _random
