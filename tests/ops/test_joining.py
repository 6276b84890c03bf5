"""cat, stack, meshgrid, repeat, roll, flip, triangles against PyTorch."""

import itertools
import subprocess
import sys

import numpy as np
import pytest

from tests.ops import impl_oracle
from tests.probes.ops import indexing as probe
from tests.probes.ops import views as _probe_views

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")
impl_oracle.use(torch)


def check(name, *args, theirs=None, **kwargs):
    theirs = theirs or getattr(torch, name, None) or getattr(torch.Tensor, name)
    return impl_oracle.compare(lambda *a, **k: probe.call(name, *a, **k), theirs, *args, **kwargs)


def numbers(*shape, dtype=torch.float32):
    return torch.arange(1, 1 + int(np.prod(shape))).reshape(shape).to(dtype)


def z(*shape, dtype=torch.float32):
    return torch.zeros(shape, dtype=dtype)


def channels_last(*shape):
    return numbers(*shape).contiguous(memory_format=torch.channels_last)


X, EMPTY, SCALAR, LONGS = numbers(2, 3), z(0), torch.tensor(7.0), torch.arange(3)
C4 = channels_last(2, 3, 4, 5)
SLICED = numbers(2, 6)[:, ::2]

LISTS = [
    [], [SCALAR], [SCALAR, z(1)], [X], [X, X], [X, EMPTY], [EMPTY, X], [EMPTY], [EMPTY, EMPTY],
    [EMPTY.long(), X], [X, z(0, 3)], [X, z(2, 0)], [X, z(2, 4)], [X, z(2, 3, 1)], [X, z(2)],
    [X, LONGS.view(1, 3)], [LONGS.byte(), LONGS.char()], [X, z(1, 3).half()], [z(1, 3), z(4, 3)],
    [X > 2, X], [X, X + 1j], [LONGS, LONGS.int()], [C4, C4], [C4, z(2, 3, 4, 5)],
    [z(2, 3, 4, 5), C4],
    [C4, C4.double()], [EMPTY, C4], [C4[:1, :1]] * 2, [C4.transpose(0, 1)] * 2, [X.t(), X.t()],
    [X[:1].expand(2, 3), X], [channels_last(2, 3, 0, 5)] * 2, [channels_last(5, 1, 4, 5)] * 2,
    [numbers(2, 3, 2, 2, 2).contiguous(memory_format=torch.channels_last_3d)] * 2, [SLICED, X],
    [z(0, 3), z(0, 3)], [EMPTY, SCALAR], [SCALAR, torch.tensor(2)], [z(1, 2, 1, 1)] * 2,
    [X, X, X, X],
    [EMPTY.half(), EMPTY.int()],
]  # fmt: skip


@pytest.mark.parametrize("dim", range(-4, 5))
def test_cat_and_stack(dim):
    for tensors in LISTS:
        check("cat", tensors, dim)
        check("stack", tensors, dim)


@pytest.mark.parametrize("name", ["hstack", "vstack", "dstack", "column_stack"])
def test_stacks_by_another_name(name):
    for tensors in [*LISTS, [SCALAR, SCALAR], [z(3), z(1, 3)], [z(3), z(3, 2)], [z(2, 2), z(2)]]:
        check(name, tensors)


def test_atleast():
    for name, x in itertools.product(
        ("atleast_1d", "atleast_2d", "atleast_3d"), (SCALAR, z(3), X, X.t(), numbers(6)[::2], C4)
    ):
        check(name, x)


@pytest.mark.parametrize("name", ["cat", "stack"])
def test_out(name):
    outs = [
        lambda: z(4, 3), lambda: z(4, 3).double(), lambda: z(4, 3).long(), lambda: z(2, 2, 3),
        lambda: z(0), lambda: z(2), lambda: z(8, 3)[::2], lambda: z(1, 3).expand(4, 3),
        lambda: z(2, 2, 3).long(), lambda: z(3, 4).t(), lambda: z(2, 3, 2).permute(2, 0, 1),
    ]  # fmt: skip
    for out in outs:
        for tensors in ([X, X], [X, X + 1j], [X.long(), X.long()], [C4, C4]):
            check(name, tensors, 0, out=out())


def test_out_that_is_an_input_is_refused():
    x = numbers(4, 3)
    check("cat", [x[:2], x[2:]], 0, out=x)


def test_large_joins_in_every_layout():
    parts = [numbers(300, 70), numbers(70, 300).t(), numbers(300, 140)[:, ::2]]
    for dim in (0, 1):
        check("cat", parts, dim)
        check("stack", parts, dim)


def test_the_gradient_of_cat_is_its_parts():
    grad = numbers(4, 6)
    impl = impl_oracle.Transfer()(grad)
    parts = probe.call("cat_tensors_backward", impl, [(4, 2), (0,), (4, 4)], -1)
    expected = [grad[:, :2], z(0), grad[:, 2:]]
    assert impl_oracle.plain(parts) == impl_oracle.plain(expected)


def test_meshgrid():
    for indexing in (None, "ij", "xy", "ab"):
        for tensors in [
            (), (LONGS,), (LONGS, LONGS), (LONGS, numbers(2).long(), LONGS), (SCALAR, numbers(2)),
            (numbers(6)[::2], numbers(2)), (LONGS, numbers(3)), (EMPTY, numbers(2)),
        ]:  # fmt: skip
            check("meshgrid", *tensors, indexing=indexing)
    with pytest.raises(RuntimeError, match="Expected 0D or 1D tensor"):
        probe.call("meshgrid", *impl_oracle.Transfer()([X, X]), indexing="ij")


def test_meshgrid_warns_once_without_indexing():
    program = (
        "import warnings, numpy as np\n"
        "from tests.probes.ops import indexing as p\n"
        "from tests.probes.ops import views as v\n"
        "x = v.from_array(np.zeros(3))\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always')\n"
        "    p.call('meshgrid', x, x); p.call('meshgrid', x, x)\n"
        "assert len(seen) == 1 and 'indexing argument' in str(seen[0].message)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_repeat_and_tile():
    inputs = [SCALAR, z(3), X, X.t(), SLICED, z(3, 0), X[:1].expand(2, 3), numbers(1, 3, 1), X > 2]
    for x in inputs:
        for times in [(2,), (1, 1), (2, 3), (2, -1), (0, 2), (2, 1, 2), (1, 3, 1, 2)]:
            check("repeat", x, *times)
            check("tile", x, times)
        check("tile", x, ())
    check("repeat", numbers(200, 50), 3, 4)


def test_repeat_refuses_sizes_that_overflow():
    for times in [(2**62,), (2**62 + 1,), (2**63 - 1,)]:
        with pytest.raises(RuntimeError, match="overflow"):
            probe.call("repeat", impl_oracle.Transfer()(z(4)), *times)


def test_the_gradient_of_repeat():
    for shape, times in [
        ((2, 3), (2, 3)), ((3,), (2, 1, 4)), ((), (3,)), ((1, 3), (5, 1)), ((2, 3), (0, 1)),
        ((2, 1), (1, 7)),
        ((3, 2), (50, 1)), ((3, 2), (1, 50)), ((2, 3, 2), (2, 3, 4)),
    ]:  # fmt: skip
        x = z(*shape, dtype=torch.float64).requires_grad_()
        y = x.repeat(times)
        grad = numbers(*y.shape, dtype=torch.float64)
        (expected,) = torch.autograd.grad(y, x, grad)
        result = probe.call("repeat_backward", impl_oracle.Transfer()(grad), times, shape)
        assert impl_oracle.plain(result)[3] == impl_oracle.plain(expected)[3]


def test_repeat_interleave():
    def by(x, *args, **kwargs):
        return torch.repeat_interleave(x, *args, **kwargs)

    repeats = [
        torch.tensor([1, 2, 0]), torch.tensor([1, -2, 0]), torch.tensor([1.0, 2]),
        torch.tensor([[1, 2]]),
        torch.tensor(2), torch.tensor([1, 2], dtype=torch.int32), torch.tensor([1, 2]),
        torch.tensor([1, 2], dtype=torch.int16), torch.tensor([2]), torch.tensor([[2]]),
        torch.tensor([1, 2, 0, 1, 1, 1]),
    ]  # fmt: skip
    for r in repeats:
        check("repeat_interleave", r)
        check("repeat_interleave", r, output_size=3)
        for x in (X, X.t(), SCALAR, z(2, 0), C4):
            for dim, size in itertools.product((None, 0, 1, -1, 4, -3), (None, 3)):
                name = "repeat_interleave_self_tensor"
                check(name, x, r, dim=dim, output_size=size, theirs=by)
    for n in (2, 0, -2):
        for x in (X, X.t(), SCALAR, z(2, 0), C4):
            for dim, size in itertools.product((None, 0, 1, -1, 4, -3), (None, 6)):
                check("repeat_interleave_self_int", x, n, dim=dim, output_size=size, theirs=by)


def test_roll():
    for x in (X, X.t(), SCALAR, EMPTY, C4, SLICED, z(2, 0), channels_last(2, 3, 1, 5)):
        for shifts, dims in [
            ((1,), ()), ((1,), (0,)), ((-5,), (1,)), ((1, 1), (0, 1)), ((1, 1), ()), ((1, 1), (0,)),
            ((), ()), ((), (0,)), ((1,), (5,)), ((0,), (1,)), ((1, 0), (0, 1)), ((1, 2), (1, 1)),
            ((2**60, -(2**60)), (0, 1)), ((3,), (-1,)),
        ]:  # fmt: skip
            check("roll", x, shifts, dims)
    check("roll", numbers(300, 400), (7, -9), (0, 1))


def test_flip_and_rot90():
    for x in (X, X.t(), SCALAR, EMPTY, C4, SLICED, X[:1].expand(2, 3), X[0]):
        for dims in [(), (0,), (1,), (0, 1), (0, 0), (0, -2), (5,), (-1,)]:
            check("flip", x, dims)
        for k in range(-5, 6):
            check("rot90", x, k)
        for dims in [(1, 0), (0, 0), (0, -2), (0,), (0, 5), (3, -2), (1, -1)]:
            check("rot90", x, 1, dims)
        check("fliplr", x)
        check("flipud", x)


def test_triangles():
    inputs = [
        X, X.t(), SCALAR, z(3), numbers(4, 4), C4, SLICED, X[:1].expand(3, 3), z(0, 3), X > 2,
        numbers(2, 3, 4, 5).permute(1, 0, 3, 2), numbers(5, 5, dtype=torch.complex128),
    ]  # fmt: skip
    diagonals = (-9, -1, 0, 1, 2, 2**40, -(2**62))
    for name, x, k in itertools.product(("tril", "triu"), inputs, diagonals):
        check(name, x, k)
    for name in ("tril", "triu"):
        for out in (z(2, 3), z(3), z(2, 3).double(), z(3, 2).t(), z(0), z(2, 3).long()):
            check(name, X, 0, out=out)
        x = numbers(4, 4)
        in_place = getattr(torch.Tensor, name + "_")
        check(name, x, 1, out=x, theirs=lambda x, k, out, f=in_place: f(x, k))


def test_the_probe_shares_nothing_it_should_not():
    impl = impl_oracle.Transfer()(X)
    cases = [("flip", (0,)), ("roll", (1,), (0,)), ("tril",), ("repeat", 1, 1), ("rot90", 0)]
    for name, *args in cases:
        assert not _probe_views.shares_storage(probe.call(name, impl, *args), impl)
