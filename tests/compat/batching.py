"""`vmap` over the samples of PyTorch's ``op_db``, each choice of one batched tensor and of all."""

import torch

import minitorch
from tests.compat.comparison import Different, compare, leaves
from tests.compat.operators import ENTRIES, SHAPE_ONLY, function_of, seed
from tests.compat.translate import Missing, Untranslatable, copied, translated

BATCH = 2
SAMPLES = 4


def flat(sample):
    """A sample's tensors, and a function that puts others in their places."""
    arguments = (sample.input, tuple(sample.args), dict(sample.kwargs))
    tensors = []

    def take(value):
        if isinstance(value, torch.Tensor):
            tensors.append(value.detach())
            return _Place(len(tensors) - 1)
        if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
            return type(value)(take(v) for v in value)
        if isinstance(value, dict):
            return {k: take(v) for k, v in value.items()}
        return value

    taken = take(arguments)

    def put(tensors, value=taken):
        if isinstance(value, _Place):
            return tensors[value.index]
        if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
            return type(value)(put(tensors, v) for v in value)
        if isinstance(value, dict):
            return {k: put(tensors, v) for k, v in value.items()}
        return value

    return tensors, put


class _Place:
    def __init__(self, index):
        self.index = index


def batched(tensors, chosen, dim):
    """The tensors, those that are chosen as batches, and where their batches are."""
    result, in_dims = [], []
    for index, t in enumerate(tensors):
        place = None
        if index in chosen:
            place = 0 if dim == 0 else t.dim()
            other = (
                t * 0.9 if t.is_floating_point() or t.is_complex() else t.flip(0) if t.dim() else t
            )
            t = torch.stack([t, other], place)
        result.append(t)
        in_dims.append(place)
    return result, tuple(in_dims)


def choices(count):
    yield from ((k,) for k in range(min(count, 3)))
    if count > 1:
        yield tuple(range(count))


def tensors_of(result):
    return tuple(t for t in leaves(result) if isinstance(t, (torch.Tensor, minitorch.Tensor)))


def mapped(library, function, put, in_dims, tensors, convert):
    def call(*tensors):
        first, args, kwargs = put(tensors)
        return tensors_of(function(first, *convert(args), **convert(kwargs)))

    return library.vmap(call, in_dims, randomness="different")(*tensors)


def check(name):
    """What is not as in PyTorch, as (choice, what), and how many calls were compared."""
    op = ENTRIES[name]
    dtype = torch.float64 if torch.float64 in op.dtypes else min(op.dtypes, key=str, default=None)
    if name in SHAPE_ONLY or dtype is None:
        return [], 0
    try:
        function = function_of(op)
    except (Missing, Untranslatable):
        return [], 0
    found, compared = [], 0
    seed()
    for number, sample in enumerate(op.sample_inputs("cpu", dtype, requires_grad=False)):
        if number >= SAMPLES:
            break
        tensors, put = flat(sample)
        for chosen in choices(len(tensors)):
            for dim in (0, -1):
                given, in_dims = batched(tensors, chosen, dim)
                try:
                    seed()
                    expected = mapped(torch, op.op, put, in_dims, copied(given, {}), lambda x: x)
                except Exception:
                    continue  # PyTorch refuses more than we do
                compared += 1
                try:
                    seed()
                    ours = mapped(minitorch, function, put, in_dims, translated(given, {}), convert)
                    compare(ours, expected)
                except Untranslatable:
                    break
                except NotImplementedError:
                    continue
                except Different as error:
                    found.append((number, in_dims, f"Different {error}"))
                except Exception as error:
                    found.append((number, in_dims, f"{type(error).__name__} {error}"))
    return found, compared


def convert(x):
    return translated(x, {})
