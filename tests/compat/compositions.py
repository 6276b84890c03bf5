"""Transforms inside of transforms over the samples of PyTorch's ``op_db``: values, errors, and who is warned."""

import itertools
import re
import warnings

import numpy as np
import torch

import minitorch
from tests.compat.batching import convert, flat, tensors_of
from tests.compat.comparison import Different, compare
from tests.compat.operators import ENTRIES, SHAPE_ONLY, function_of, seed
from tests.compat.translate import Missing, Untranslatable, copied, translated

BATCH = 2
# the outermost transform first
COMPOSITIONS = ("vmap vjp", "vmap jvp", "vjp vmap", "jvp vmap", "vjp vmap vmap")
WITHOUT_RULE = re.compile(r"batching rule for (\w+::\w+)")  # without the overload


def differentiable(tensors):
    return tuple(t for t in tensors if t.is_floating_point() or t.is_complex())


def vectors_like(library, tensors, number):
    """Cotangents or tangents, the same under both libraries."""
    rng = np.random.RandomState(number)
    made = []
    for t in tensors:
        values = rng.standard_normal((2, *t.shape))
        values = values[0] + 1j * values[1] if t.is_complex() else values[0]
        made.append(library.from_numpy(np.asarray(values)).to(t.dtype))
    return tuple(made)


def _vjp(library, f, dims):
    def pulled(*primals):
        result, pull = library.func.vjp(f, *primals)
        return *result, *pull(vectors_like(library, result, 1))

    return pulled


def _jvp(library, f, dims):
    def pushed(*primals):
        result, tangents = library.func.jvp(f, primals, vectors_like(library, primals, 2))
        return *result, *tangents

    return pushed


def _vmap(library, f, dims):
    return library.vmap(f, dims, randomness="different")


TRANSFORMS = {"vjp": _vjp, "jvp": _jvp, "vmap": _vmap}


class Case:
    """A sample as a function of its tensors that require grad."""

    def __init__(self, op, ours, sample):
        given = (sample.input, *sample.args, *sample.kwargs.values())
        wanted = [t.requires_grad for t in tensors_of(given)]
        self.functions = {torch: op.op, minitorch: ours}
        self.tensors, self.put = flat(sample)
        self.places = [k for k, needed in enumerate(wanted) if needed]
        process = sample.output_process_fn_grad
        self.process = None if "SampleInput.__init__" in process.__qualname__ else process

    def function(self, library):
        translate = convert if library is minitorch else lambda x: x
        tensors = self._given(library, self.tensors)

        def call(*primals):
            every = list(tensors)
            for place, primal in zip(self.places, primals, strict=True):
                every[place] = primal
            seed()
            first, args, kwargs = self.put(every)
            result = self.functions[library](first, *translate(args), **translate(kwargs))
            if self.process is not None:
                result = translate(self.process)(result)
            return differentiable(tensors_of(result))

        return call

    def outcome(self, library, composition, dims):
        """The tensors or the error, and the operators that `vmap` warns of."""
        f, primals = self.function(library), [self.tensors[place] for place in self.places]
        for kind in reversed(composition.split()):
            f = TRANSFORMS[kind](library, f, dims)
            if kind == "vmap":
                primals = [batch(t, dim) for t, dim in zip(primals, dims, strict=True)]
        with warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore"):
            warnings.simplefilter("always")
            try:
                result = f(*self._given(library, primals))
            except Untranslatable:
                raise
            except Exception as error:
                result = error
        told = {match[1] for w in caught if (match := WITHOUT_RULE.search(str(w.message)))}
        return result, told

    @staticmethod
    def _given(library, tensors):
        return translated(tensors, {}) if library is minitorch else copied(tensors, {})


def batch(t, dim):
    """A batch of the tensor and of a smaller one."""
    return t.detach() if dim is None else torch.stack([t.detach(), t.detach() * 0.9], dim)


def choices(count, number):
    """Where the batches are: all in front or all behind, and one tensor alone."""
    yield ((0,) * count, (-1,) * count)[number % 2]
    if count > 1:
        yield tuple(0 if k == number % count else None for k in range(count))


def check(name, number):
    """What is not as in PyTorch, as (composition, dims, what), and how many calls were compared."""
    op = ENTRIES[name]
    if name in SHAPE_ONLY or torch.float64 not in op.dtypes or not op.supports_autograd:
        return [], 0
    try:
        ours = function_of(op)
    except (Missing, Untranslatable):
        return [], 0
    seed()
    np.random.seed(0)
    samples = op.sample_inputs("cpu", torch.float64, requires_grad=True)
    sample = list(itertools.islice(samples, number % 3 + 1))[-1]
    found, compared = [], 0
    try:
        case = Case(op, ours, sample)
        if not case.places:
            return [], 0
        for composition in COMPOSITIONS:
            for dims in choices(len(case.places), number):
                what = difference(case, composition, dims)
                compared += what is not None
                if what:
                    found.append((composition, dims, what))
    except Untranslatable:
        pass
    return found, compared


def difference(case, composition, dims):
    """How ours differs; empty where it does not, None where PyTorch refuses."""
    expected, told = case.outcome(torch, composition, dims)
    if isinstance(expected, Exception):
        _leave_levels()
        return None
    result, ours_told = case.outcome(minitorch, composition, dims)
    if isinstance(result, Exception):
        return f"{type(result).__name__} {result}"
    try:
        compare(result, expected, 10)
    except Different as error:
        return f"Different {error}"
    return f"warns of {ours_told - told}" if ours_told - told else ""


def _leave_levels():
    """PyTorch does not leave all of them after an error."""
    functorch = torch._C._functorch
    while functorch.peek_interpreter_stack() is not None:
        functorch.pop_dynamic_layer_stack()
