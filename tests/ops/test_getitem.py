"""x[...] and x[...] = value against PyTorch: results, strides, steps, errors."""

import itertools
import subprocess
import sys

import numpy as np
import pytest

from tests.ops import impl_oracle
from tests.probes.ops import indexing as probe
from tests.probes.ops import sequence as _probe_sequence
from tests.probes.ops import views as _probe_views

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")
impl_oracle.use(torch)


class Number:
    def __index__(self):
        return 1


class Iterable:
    def __iter__(self):
        return iter([0, 1])


def convert(index, transfer):
    """The same index with our tensors in it."""
    if isinstance(index, torch.Tensor):
        return _probe_sequence.Tensor(transfer(index))
    if type(index) in (list, tuple):
        return type(index)(convert(entry, transfer) for entry in index)
    if isinstance(index, slice):
        return slice(*(convert(e, transfer) for e in (index.start, index.stop, index.step)))
    return index


def check(x, index):
    transfer = impl_oracle.Transfer()
    ours = impl_oracle.outcome(probe.getitem, transfer(x), convert(index, transfer))
    expected = impl_oracle.outcome(lambda: x[index])
    if expected[-1] == "[]":  # the strides of nothing are not compared
        ours, expected = (ours[0], *ours[2:]), (expected[0], *expected[2:])
    assert ours == expected, f"{impl_oracle.show(x)}[{index}]\n{ours}\n{expected}"


def numbers(*shape):
    return torch.arange(float(np.prod(shape))).reshape(shape)


def longs(*values):
    return torch.tensor(values, dtype=torch.int64)


M, X, SCALAR = numbers(2, 3), numbers(2, 3, 4), torch.tensor(7.0)
ALL, NO, YES = slice(None), torch.tensor(False), torch.tensor(True)
I01, I012 = longs(0, 1), longs(0, 1, 2)
MASK2, MASK3 = torch.tensor([True, False]), torch.tensor([True, False, True])
GRID = torch.tensor([[0, 1], [1, 0]])

PLAIN = [
    0, 1, -1, 2, -3, 5, True, False, None, ..., ALL, (), (0,), (0, 0), (0, 0, 0), (0, 5), (-1, -1),
    (True, 0), (0, True), (True, True), (True, False), (None, True), (..., 0), (..., ...),
    (0, ..., 0), (0, 0, ...), (None, None), (None, 0, None), (ALL, 0), (ALL, None, 0), (0, ALL),
    (ALL, ALL, ALL), (ALL, ALL, ALL, ALL), (None, ..., None), (slice(0, 1), ..., None),
    slice(None, None, 2), slice(None, None, -1), slice(None, None, 0), slice(1, 0),
    slice(0, 10**30), slice(-(10**30), None), slice(-1, None), slice(0, -1), slice(1, 2),
    slice(0.5, 1), slice("a", None), slice(Number(), None), (ALL, slice(1, None, 2)),
    10**30, 2**63, 2**63 - 1, -(2**63), 1.5, "a", b"a", {}, object(), Number(), Iterable(),
    np.int64(1), np.int8(-1), np.float64(1), np.bool_(True), (0, "a"), (0, 1.5), (..., "a"),
    (slice(0, 1), {}), (0, Number()), (0, np.int64(2)), (0, 10**30), (None,) * 5,
]  # fmt: skip
SEQUENCES = [
    [0, 1], [0, 5], [0, -3], [1, -1], [[0, 1], [1, 0]], [True, False], [True, False, True], [],
    ([], []), ([0, 1], [1, 2]), ([0, 1], [1]), ([0, 1], [1, 2, 0]), [0.5], ["a"], [None], [ALL],
    [0, ALL], [0, None], ([[0], [1]], 0), [[0, 1]], [[0, 1], ALL], [..., 0], range(2),
    (range(2), 0),
    ((0, 1),), ((0, 1), (1, 2)), [(0, 1), (1, 2)], [[0, 1], (1, 0)], [0] * 40, [[0]] * 40, [[]],
    ([],), [2**63], [1, 2**70], [1.0, 2.5], [1j], [True, 1], bytearray(b"\x00\x01"),
    [np.int64(0), 1],
    [[[True, False, True], [False, True, False]]], ([[True, False, True], [False, True, False]],),
    np.array([0, 1]), np.array([True, False]), np.array(1), np.array(1.0), np.array(["a"]),
    np.array([[0, 1], [1, 0]]), (np.array([[0, 1], [1, 0]]), 0), (np.array([0, 1]), [1, 0]),
    [np.array([0, 1]), np.array([1, 0])], torch.Size([0, 1]), (0, [0, 1]), (0, [0, 7]),
]  # fmt: skip
TENSORS = [
    I01, longs(0, 5), longs(0, -3), longs(-1, -2), longs(), (I01, I01), (I01, I012),
    (ALL, longs(0, 5)),
    (ALL, longs(0, -4)), (I01[:, None], I012), I01.int(), I01.short(), I01.byte(), I01.float(),
    I01 * 1j, torch.tensor(1), (torch.tensor(1), torch.tensor(1)), torch.tensor(1).int(),
    torch.tensor(1).byte(), torch.tensor(0).byte(), torch.tensor(1.0), YES, NO, (YES, 0),
    torch.tensor(5), MASK2, MASK3, (ALL, MASK2), (ALL, MASK3), M > 2, (M > 2, 0), (M > 2, I012),
    (M > 2, slice(None, 2)), (M > 2, None), (None, M > 2), (ALL, M > 2), M[:, :2] > 0,
    (MASK2, ALL, I01),
    (MASK2, longs(0)), (I01, ALL, I01), (ALL, I01, I01), (0, ALL, I01), (ALL, 0, I01),
    (I01, ALL, 0),
    (I01, 0), (None, I01), (I01, None, I01), (I01, None), (..., I01), (I01, ..., I01),
    (ALL, None, I01),
    (True, I01), (I01, True), (I01, True, I01), (ALL, True, I01), (I01, False, ALL), (YES, I01),
    (YES, ALL, I01), (YES, YES), (I01, I01, I01), (I01, I01, I01, I01), (ALL, ALL, ALL, I01),
    (slice(1, 0), longs(0)), (ALL, longs()), torch.zeros(0, 3).long(), X > 5, X > 99, GRID,
    (ALL, GRID),
    GRID.t(), (ALL, GRID.t()), (ALL, GRID.t(), I01), (GRID, ALL, GRID), (ALL, ALL, GRID.t()),
    (ALL, I01.view(1, 2)), (I01, [1, 0]), ([1, 0], I01), (I01, 1.5), (I01, "a"), (MASK2, MASK3),
    (MASK2, MASK2), (MASK2 | True, MASK3 | True), (I01, MASK3), (0, MASK2), (0, M > 1), (MASK3, 0),
    torch.tensor([[True, False, True]]), torch.tensor([[True], [True]]),
    [torch.tensor(0), torch.tensor(1)], [I01, I01], slice(torch.tensor(0), torch.tensor(1)),
    slice(torch.tensor([0]), None), slice(torch.tensor(0.0), None), (longs(1, 0).flip(0), ALL),
    (longs(0, 0, 1, 1)[::2], ...), (I01[:1].expand(2), I01), (X > 5, 0), (ALL, MASK3, longs(1)),
]  # fmt: skip


def tensors():
    yield from (SCALAR, M, X, M.t(), X.transpose(0, 2), X.transpose(0, 1), numbers(3, 5)[:2, 1:4])
    yield from (torch.zeros(0, 3), torch.zeros(3, 0), numbers(1, 3).expand(2, 3))
    yield numbers(2, 3, 4, 5).contiguous(memory_format=torch.channels_last)
    yield from (X.expand(5, 2, 3, 4), numbers(3, 1, 2), numbers(2, 3).half(), M > 2)
    yield numbers(2, 1, 1, 2)


@pytest.mark.parametrize("x", list(tensors()), ids=impl_oracle.show)
def test_views(x):
    for index in PLAIN:
        check(x, index)


@pytest.mark.parametrize("x", list(tensors()), ids=impl_oracle.show)
def test_sequences(x):
    for index in SEQUENCES:
        check(x, index)


@pytest.mark.parametrize("x", list(tensors()), ids=impl_oracle.show)
def test_tensors(x):
    for index in TENSORS:
        check(x, index)


def test_random_combinations():
    generator = np.random.default_rng(0)
    x = numbers(3, 4, 2, 3).permute(2, 0, 3, 1)
    entries = [0, ALL, None, ..., slice(None, None, 2), True, longs(0, 1), longs(1)[:, None], GRID,
               MASK2, torch.tensor(1), [0, 1]]  # fmt: skip
    for _ in range(1500):
        chosen = generator.integers(0, len(entries), generator.integers(1, 6))
        index = tuple(entries[k] for k in chosen)
        if sum(entry is ... for entry in index) < 2:
            check(x, index)


def test_a_second_ellipsis_that_leads_beyond_the_last_dimension():
    for last in (0, ALL, None, I01):
        index = (..., ..., last)
        impl = impl_oracle.Transfer()
        with pytest.raises(IndexError):
            probe.getitem(impl(X), convert(index, impl))


def test_the_view_part_replayed_is_the_view():
    for x, index in itertools.product((M, X, SCALAR), PLAIN + SEQUENCES + TENSORS):
        transfer = impl_oracle.Transfer()
        impl = transfer(x)
        try:
            steps, view, indices = probe.parse(impl, convert(index, transfer))
        except Exception:
            continue
        replayed = impl
        for name, *args in steps:
            replayed = _probe_views.call(name, replayed, *args)
        assert _probe_views.geometry(replayed) == _probe_views.geometry(view)
        assert _probe_views.shares_storage(replayed, impl)
        assert indices is None or any(i is not None for i in indices)


def test_steps_are_only_taken_where_something_changes():
    impl = impl_oracle.Transfer()(X)
    assert probe.parse(impl, (ALL, slice(0, 99), ...))[0] == []
    assert probe.parse(impl, (0, ALL, slice(1, None), None))[0] == [
        ("select", 0, 0), ("slice", 1, 1, sys.maxsize, 1), ("unsqueeze", 2)
    ]  # fmt: skip
    assert probe.parse(impl, -1)[0] == [("select", 0, -1)]


def set_both(x, index, value):
    transfer = impl_oracle.Transfer()
    impl, our_value = transfer(x), transfer(value)

    def assign(target, entry, v):
        target[entry] = v
        return target

    def our_assign(target, entry, v):
        probe.setitem(target, entry, v)
        return target

    ours = impl_oracle.outcome(our_assign, impl, convert(index, transfer), our_value)
    expected = impl_oracle.outcome(assign, x, index, value)
    message = f"{impl_oracle.show(x)}[{index}] = {impl_oracle.show(value)}\n{ours}\n{expected}"
    assert ours == expected, message
    if isinstance(expected[0], type):
        return
    base = x if x._base is None else x._base
    assert impl_oracle.plain(transfer(base)) == impl_oracle.plain(base), message


def test_assignment():
    def bases():
        yield from (numbers(2, 3), numbers(2, 3).t(), numbers(5, 3)[::2], numbers(2, 3, 4))

    shapes = [
        (),
        (1,),
        (2,),
        (3,),
        (2, 3),
        (1, 3),
        (1, 1, 2),
        (2, 2),
        (3, 2),
        (2, 1),
        (4,),
        (1, 1),
        (0,),
    ]
    indices = [
        0, ALL, ..., (0, 1), (ALL, slice(1, None)), None, True, False, I01, longs(0, 5),
        longs(0, 0),
        (I01, I01), (ALL, I01), MASK2, (ALL, MASK2), M > 2, M > 99, (I01, ALL, I01), (0, I01),
        ([0, 1],),
        longs(), (MASK2, longs(0)), (longs(1, 1, 0),), GRID, (..., longs(1)), 7, (0, 0, 0, 0), "a",
        (GRID, I01), YES, (I01, None), torch.tensor(1),
    ]  # fmt: skip
    for index, shape in itertools.product(indices, shapes):
        for x in bases():
            set_both(x, index, -1 - numbers(*shape))


def test_index_and_index_put_themselves():
    aten = torch.ops.aten

    def run(name, *args):
        theirs = getattr(aten, name)
        impl_oracle.compare(lambda *a: probe.call(name, *a), theirs, *args)

    one = longs(0)
    for indices in ([], [one] * 3, [None, one, one], [None, one], [longs(0, 1)]):
        run("index", M.clone(), indices)
    cases = [
        ([longs(0)], longs(1)), ([longs(0)], torch.zeros(4)), ([longs(0)], torch.zeros(2, 3)),
        ([longs(0)], torch.zeros(1, 1, 3)), ([longs(0, 5)], torch.zeros(3)), ([M > 2], longs(3)[0]),
        ([longs(0, 0)], torch.ones(3)), ([longs(0, 0)], torch.ones(2, 3)), ([M > 2], torch.ones(3)),
        ([M > 2], torch.ones(2)), ([M > 2], SCALAR), ([None, longs(0)], SCALAR), ([MASK2], SCALAR),
        ([longs(0)] * 3, SCALAR), ([longs(0).float()], SCALAR), ([I01, I012], SCALAR),
        ([torch.tensor([True])], SCALAR), ([MASK2, longs(0, 0)], SCALAR),
        ([longs(0, -1, 0)], SCALAR),
    ]  # fmt: skip
    for (indices, values), accumulate in itertools.product(cases, (False, True)):
        for x in (M.clone(), numbers(3, 2).t(), numbers(4, 3)[::2], numbers(1, 3).expand(2, 3)):
            run("index_put", x, indices, values, accumulate)
            if x.stride(0):
                run("index_put_", x, indices, values, accumulate)
    for dtype in (torch.float16, torch.int32, torch.bool, torch.complex64, torch.uint8):
        run("index_put", M.to(dtype), [longs(0, 1, 0)], torch.ones(3, 3).to(dtype), True)
    x = M.clone()
    run("index_put_", x, [I01], x)


def test_the_gradient_of_index_is_added_up():
    x = torch.zeros(3, 4, dtype=torch.float64, requires_grad=True)
    for index in [longs(0, 0, 2), (ALL, longs(1, 1)), (longs(0, 0), longs(1, 1)), x > -1, MASK3]:
        y = x[index]
        grad = numbers(*y.shape).double()
        (expected,) = torch.autograd.grad(y, x, grad)
        transfer = impl_oracle.Transfer()
        indices = list(index) if isinstance(index, tuple) else [index]
        indices = [None if i is ALL else transfer(i) for i in indices]
        result = probe.call("index_backward", transfer(grad), (3, 4), indices)
        assert impl_oracle.plain(result) == impl_oracle.plain(expected)


def test_large_gathers_and_scatters():
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(300, 400, generator=generator)
    i = torch.randint(-300, 300, (500,), generator=generator)
    j = torch.randint(0, 400, (300, 1), generator=generator)
    for index in (i, (ALL, j), (i, slice(0, 400, 3)), (i[:300, None], j), x > 0, x[:, 0] > 0):
        check(x, index)
    values = torch.randint(0, 9, (500, 400), generator=generator).float()
    aten = torch.ops.aten.index_put
    impl_oracle.compare(lambda *a: probe.call("index_put", *a), aten, x.round(), [i], values, True)


def test_warnings_come_each_time():
    program = (
        "import warnings, numpy as np\n"
        "from tests.probes.ops import indexing as p\n"
        "from tests.probes.ops import views as v\n"
        "x = v.from_array(np.zeros((2, 2)))\n"
        "byte = v.from_array(np.ones(2, np.uint8))\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always')\n"
        "    for _ in range(2):\n"
        "        p.getitem(x, [[0, 1], [1, 0]])\n"
        "        p.call('index', x, [byte])\n"
        "assert len(seen) == 4, seen\n"
        "assert 'non-tuple sequence' in str(seen[0].message)\n"
        "assert 'torch.uint8 is now deprecated' in str(seen[1].message)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
