"""`utils.data` in one process: the same batches as PyTorch, from the same seed."""

import collections
import itertools
import random
import warnings

import numpy
import pytest

import minitorch
from tests.both import compare

Point = collections.namedtuple("Point", "x y")


def plain(value):
    """What both libraries should agree on: types of containers, dtypes, numbers."""
    if hasattr(value, "tolist") and hasattr(value, "dtype"):
        return (str(value.dtype), value.tolist())
    if isinstance(value, dict):
        return (type(value).__name__, {key: plain(part) for key, part in value.items()})
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, [plain(part) for part in value])
    return (type(value).__name__, str(value))


def result(function):
    """What a function returns and warns of, or what it raises."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = plain(function())
        except Exception as error:
            value = (type(error), str(error))
    return value, [(w.category, str(w.message)) for w in caught]


def assert_same(function):
    """`function`, of a library, has the same result in both."""
    torch = pytest.importorskip(
        "torch", reason="needs the compat extra: pip install -e '.[compat]'"
    )
    results = []
    for lib in (torch, minitorch):
        lib.manual_seed(7)
        random.seed(7)
        numpy.random.seed(7)
        results.append(result(lambda lib=lib: [function(lib, lib.utils.data), lib.rand(2)]))
    assert results[0] == results[1]


class Noisy:
    """Samples with random parts."""

    def __init__(self, lib, count=10):
        self.lib, self.count = lib, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return self.lib.tensor([float(index)]), {"r": self.lib.rand(2), "p": random.random()}


def countdown(data, count, length=None):
    class Countdown(data.IterableDataset):
        def __iter__(self):
            return iter(range(count))

        def __repr__(self):
            return "Countdown()"

        if length is not None:

            def __len__(self):
                return length

    return Countdown()


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"batch_size": 3},
        {"batch_size": 3, "drop_last": True},
        {"batch_size": 3, "shuffle": True},
        {"batch_size": None},
        {"batch_size": None, "shuffle": True},
        {"sampler": [3, 1, 4]},
        {"batch_sampler": [[0, 1], [2]]},
        {"collate_fn": len, "batch_size": 4},
        {"pin_memory": True},
        {"num_workers": -1},
        {"timeout": -1},
        {"prefetch_factor": 2},
        {"num_workers": 1, "prefetch_factor": -1},
        {"persistent_workers": True},
        {"sampler": [1], "shuffle": True},
        {"batch_sampler": [[1]], "batch_size": 2},
        {"batch_size": None, "drop_last": True},
        {"batch_size": 0},
        {"drop_last": 3},
        {"multiprocessing_context": "fork"},
        {"num_workers": 1, "multiprocessing_context": "nothing"},
        {"num_workers": 1, "multiprocessing_context": 3},
    ],
    ids=str,
)
def test_two_passes_give_pytorchs_batches(arguments):
    def passes(lib, data):
        loader = data.DataLoader(Noisy(lib), **arguments)
        return [list(loader), len(loader), list(loader)]

    assert_same(passes)


def test_a_generator_of_its_own():
    def passes(lib, data):
        generator = lib.Generator().manual_seed(3)
        loader = data.DataLoader(range(9), batch_size=2, shuffle=True, generator=generator)
        return [list(loader), list(loader), lib.rand(1, generator=generator)]

    assert_same(passes)


@pytest.mark.parametrize("batch_size", [1, 3, None])
@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("length", [None, 7, 5])
def test_iterable_datasets(batch_size, drop_last, length):
    def passes(lib, data):
        dataset = countdown(data, 7, length)
        loader = data.DataLoader(dataset, batch_size=batch_size, drop_last=drop_last)
        return [None if length is None else len(loader), list(loader)]

    assert_same(passes)


@pytest.mark.parametrize(
    "arguments", [{"shuffle": True}, {"sampler": [1]}, {"batch_sampler": [[1]]}], ids=str
)
def test_iterable_datasets_have_no_order(arguments):
    assert_same(lambda lib, data: data.DataLoader(countdown(data, 3), **arguments))


@pytest.mark.parametrize(
    "name, arguments",
    [
        ("SequentialSampler", (range(3),)),
        ("RandomSampler", (range(5),)),
        ("RandomSampler", (range(5), True, 70)),
        ("RandomSampler", (range(5), False, 13)),
        ("RandomSampler", ([],)),
        ("RandomSampler", (range(3), 1)),
        ("RandomSampler", (range(3), True, 0)),
        ("SubsetRandomSampler", ([4, 2, 7],)),
        ("WeightedRandomSampler", ([0.1, 0.9, 0.4, 0.7], 5)),
        ("WeightedRandomSampler", ([0.1, 0.9, 0.4, 0.7], 3, False)),
        ("WeightedRandomSampler", ([[1.0]], 1)),
        ("WeightedRandomSampler", ([1.0], 0)),
        ("WeightedRandomSampler", ([1.0], 1, 2)),
        ("BatchSampler", (range(5), 2, True)),
        ("BatchSampler", (range(5), 2, False)),
        ("BatchSampler", (range(3), True, True)),
        ("BatchSampler", (range(3), 1, 3)),
        ("DistributedSampler", (range(7), 3, 1)),
        ("DistributedSampler", (range(7), 3, 1, False, 0, True)),
        ("DistributedSampler", (range(2), 5, 4)),
        ("DistributedSampler", (range(2), 2, 2)),
    ],
)
def test_samplers(name, arguments):
    def sampled(lib, data):
        sampler = getattr(data, name)(*arguments)
        return [list(sampler), len(sampler), list(sampler)]

    assert_same(sampled)


def test_a_sampler_without_end_costs_nothing_before_it_is_asked():
    def first(lib, data):
        sampler = data.RandomSampler(range(9), replacement=True, num_samples=10**15)
        return [len(sampler), *itertools.islice(sampler, 40)]

    assert_same(first)


@pytest.mark.parametrize(
    "lengths",
    [
        [3, 1],
        [0.5, 0.5],
        [0.5, 0.4],
        [0.3, 0.3, 0.4],
        [1],
        [0, 4],
        [0.99, 0.01],
        [1.5, -0.5],
        [1.0],
    ],
    ids=str,
)
def test_random_split(lengths):
    def split(lib, data):
        generator = lib.Generator().manual_seed(42)
        return [
            [list(part) for part in parts]
            for parts in (
                data.random_split(range(4), lengths),
                data.random_split(range(4), lengths, generator),
            )
        ]

    assert_same(split)


BATCHES = [
    lambda t: [1, 2],
    lambda t: [1.0, 2.0],
    lambda t: [True, False],
    lambda t: ["a", "b"],
    lambda t: [b"a"],
    lambda t: [numpy.arange(2)] * 2,
    lambda t: [numpy.float32(1)] * 2,
    lambda t: [numpy.array(["a"])],
    lambda t: [{"a": 1}, {"a": 2}],
    lambda t: [collections.OrderedDict(a=1)] * 2,
    lambda t: [collections.defaultdict(int, a=1)],
    lambda t: [Point(1, 2.0), Point(3, 4.0)],
    lambda t: [(1, "a"), (2, "b")],
    lambda t: [[1, 2], [3, 4]],
    lambda t: [[1], [2, 3]],
    lambda t: [range(2), range(2)],
    lambda t: [t.ones(2), t.zeros(2)],
    lambda t: [t.ones(1, requires_grad=True)] * 2,
    lambda t: [None],
    lambda t: [{1, 2}],
]


@pytest.mark.parametrize("index", range(len(BATCHES)))
def test_collate_and_convert(index):
    assert_same(lambda lib, data: data.default_collate(BATCHES[index](lib)))
    assert_same(lambda lib, data: data.default_convert(BATCHES[index](lib)))


def test_a_collate_function_for_a_type():
    def collated(lib, data):
        functions = {tuple: lambda batch, *, collate_fn_map: len(batch)}
        return data._utils.collate.collate([(1, 2), (3, 4)], collate_fn_map=functions)

    assert_same(collated)


@pytest.mark.parametrize(
    "function",
    [
        lambda lib, data: data.Dataset()[0],
        lambda lib, data: list(data.Sampler()),
        lambda lib, data: data.IterableDataset(),
        lambda lib, data: data.TensorDataset(lib.ones(2), lib.ones(3)),
        lambda lib, data: data.TensorDataset(lib.arange(4), lib.ones(4))[1:3],
        lambda lib, data: data.ConcatDataset([]),
        lambda lib, data: data.ConcatDataset([countdown(data, 2)]),
        lambda lib, data: data.ConcatDataset([range(3)])[-4],
        lambda lib, data: [data.ConcatDataset([[1, 2], [3]])[k] for k in (-1, 0, 2)],
        lambda lib, data: data.ConcatDataset([[1, 2], [3]]).cummulative_sizes,
        lambda lib, data: list(countdown(data, 2) + countdown(data, 3)),
        lambda lib, data: len(countdown(data, 2, 2) + countdown(data, 3, 3)),
        lambda lib, data: list(data.ChainDataset([range(2)])),
        lambda lib, data: data.StackDataset(),
        lambda lib, data: data.StackDataset([1], [2, 3]),
        lambda lib, data: data.StackDataset([1], a=[2]),
        lambda lib, data: data.StackDataset([1, 2], [3, 4]).__getitems__([1, 0]),
        lambda lib, data: data.StackDataset(a=[1], b=data.Subset([3, 4], [1])).__getitems__([0]),
        lambda lib, data: data.Subset(lib.arange(5), [3, 1])[[0, 1]],
        lambda lib, data: (data.TensorDataset(lib.ones(1)) + [1])[1],
        lambda lib, data: type("Half", (data.Subset,), {"__getitem__": None})([1], [0]),
        lambda lib, data: setattr(data.DataLoader([1]), "batch_size", 3),
        lambda lib, data: data.DataLoader([], shuffle=True),
        lambda lib, data: list(data.DataLoader([])),
        lambda lib, data: iter(data.DataLoader([1])).__getstate__(),
        lambda lib, data: data.DataLoader(range(3), num_workers=500).num_workers,
    ],
)
def test_datasets_and_mistakes(function):
    assert_same(function)


def test_modules_that_programs_import_from():
    from minitorch.utils.data._utils.collate import default_collate
    from minitorch.utils.data.dataloader import DataLoader, default_convert
    from minitorch.utils.data.dataset import Dataset, random_split
    from minitorch.utils.data.distributed import DistributedSampler
    from minitorch.utils.data.sampler import Sampler

    for value in (
        default_collate, DataLoader, default_convert, Dataset, random_split, DistributedSampler, Sampler
    ):  # fmt: skip
        assert getattr(minitorch.utils.data, value.__name__) is value


def test_batches_of_sparse_tensors_are_refused_as_by_pytorch():
    compare(lambda torch: torch.utils.data.default_collate([torch.ones(1).to_sparse()] * 2))


def test_a_subclass_of_the_loader_takes_back_that_its_samplers_are_fixed():
    def program(torch):
        class Loader(torch.utils.data.DataLoader):
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                self._DataLoader__initialized = False
                self.batch_sampler = [[2, 0], [1]]
                self._DataLoader__initialized = True

        loader = Loader(torch.arange(3), batch_size=2)
        with pytest.raises(ValueError, match="should not be set after Loader is initialized"):
            loader.batch_sampler = None
        return [batch.tolist() for batch in loader]

    compare(program)
