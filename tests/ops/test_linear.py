"""Products of matrices and vectors against PyTorch."""

import itertools
from functools import partial

import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.ops.oracle import DTYPES, compare, layouts, sample  # noqa: E402
from tests.probes.ops import linear as probe  # noqa: E402

NUMBERS = [d for d in DTYPES if d != torch.bool]
TOLERANCE = {torch.float16: 1e-2, torch.float32: 1e-5, torch.complex64: 1e-5}


def theirs(name):
    if name == "linear":
        return torch.nn.functional.linear
    if name.endswith("_"):
        return getattr(torch.Tensor, name)
    return getattr(torch, name)


def check(name, *args, dtype=torch.float32, **kwargs):
    compare(
        partial(probe.call, name),
        theirs(name),
        *args,
        case=name,
        tolerance=TOLERANCE.get(dtype),
        **kwargs,
    )


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    def s(*shape, seed=0):
        return sample(shape, dtype, seed)

    check("mm", s(3, 4), s(4, 5, seed=1), dtype=dtype)
    check("mv", s(3, 4), s(4, seed=1), dtype=dtype)
    check("dot", s(40), s(40, seed=1), dtype=dtype)
    check("vdot", s(4), s(4, seed=1), dtype=dtype)
    check("bmm", s(2, 3, 4), s(2, 4, 5, seed=1), dtype=dtype)
    check("outer", s(3), s(4, seed=1), dtype=dtype)
    check("addmm", s(5), s(3, 4), s(4, 5, seed=1), dtype=dtype)
    check("addmv", s(3), s(3, 4), s(4, seed=1), dtype=dtype)
    check("baddbmm", s(5), s(2, 3, 4), s(2, 4, 5, seed=1), dtype=dtype)
    if dtype != torch.bool:
        check("addbmm", s(5), s(2, 3, 4), s(2, 4, 5, seed=1), dtype=dtype)
    check("addr", s(4), s(3), s(4, seed=1), dtype=dtype)
    check("matmul", s(2, 3, 4), s(4, seed=1), dtype=dtype)


@pytest.mark.parametrize("beta, alpha", list(itertools.product([0, 1, 2, 0.5, -1.5], repeat=2)))
@pytest.mark.parametrize(
    "dtype", [torch.int64, torch.float32, torch.float64, torch.complex64], ids=str
)
def test_alpha_and_beta(dtype, beta, alpha):
    def s(*shape, seed=0):
        return sample(shape, dtype, seed)

    for name, self, a, b in (
        ("addmm", s(3, 5), s(3, 4), s(4, 5, seed=1)),
        ("addmv", s(3), s(3, 4), s(4, seed=1)),
        ("baddbmm", s(2, 3, 5), s(2, 3, 4), s(2, 4, 5, seed=1)),
        ("addbmm", s(3, 5), s(2, 3, 4), s(2, 4, 5, seed=1)),
    ):
        check(name, self, a, b, beta=beta, alpha=alpha, dtype=dtype)
        check(name + "_", self, a, b, beta=beta, alpha=alpha, dtype=dtype)


def test_beta_zero_drops_nan():
    nan = torch.full((3, 5), float("nan"))
    check("addmm", nan, sample((3, 4)), sample((4, 5)), beta=0)
    check("addmv", nan[:, 0], sample((3, 4)), sample((4,)), beta=0)
    check("baddbmm", nan, sample((2, 3, 4)), sample((2, 4, 5)), beta=0)
    check("addr", nan, sample((3,)), sample((5,)), beta=0)


@pytest.mark.parametrize(
    "name, first, second",
    [
        ("mm", (3, 4), (4, 5)),
        ("mm", (70, 80), (80, 90)),
        ("mm", (0, 4), (4, 5)),
        ("mm", (3, 0), (0, 5)),
        ("mm", (1, 4), (4, 1)),
        ("mv", (3, 4), (4,)),
        ("mv", (3, 0), (0,)),
        ("mv", (0, 3), (3,)),
        ("dot", (4,), (4,)),
        ("dot", (0,), (0,)),
        ("bmm", (2, 3, 4), (2, 4, 5)),
        ("bmm", (0, 3, 4), (0, 4, 5)),
        ("bmm", (2, 3, 0), (2, 0, 5)),
        ("outer", (3,), (0,)),
        ("outer", (3,), (4,)),
    ],
    ids=str,
)
def test_every_layout_and_empty_sizes(name, first, second):
    for a in layouts(sample(first)):
        for b in layouts(sample(second, seed=1)):
            check(name, a, b)


MATMUL = [
    (3,),
    (4,),
    (2, 3),
    (3, 4),
    (4, 3),
    (2, 3, 4),
    (2, 4, 3),
    (1, 3, 4),
    (5, 2, 3, 4),
    (5, 1, 4, 3),
    (0,),
    (2, 0),
    (0, 2, 3),
    (),
]


@pytest.mark.parametrize("first", MATMUL, ids=str)
@pytest.mark.parametrize("second", MATMUL, ids=str)
def test_matmul_of_every_pair_of_shapes(first, second):
    for a in layouts(sample(first)):
        for b in layouts(sample(second, seed=1)):
            check("matmul", a, b)


@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 5, 3), (2, 2, 5, 3), (0, 3)], ids=str)
def test_linear(shape):
    for x in layouts(sample(shape)):
        for weight in layouts(sample((4, 3), seed=1)):
            check("linear", x, weight)
            check("linear", x, weight, sample((4,), seed=2))
        check("linear", x, sample((4, 3)), sample((5,)))
        check("linear", x, sample((4, 5)), sample((4,)))
        check("linear", x, sample((4, 5)))


def test_wrong_shapes_raise_pytorchs_errors():
    a, v = sample((2, 3)), sample((3,))
    b = sample((2, 3, 4))
    for second in (sample((4, 5)), v, b):
        check("mm", a, second)
        check("mm", second, a)
        check("addmm", a, a, second)
        check("addmm", a, second, a)
    for args in ((sample((3, 4)), v), (v, v), (a, a), (a, sample((4,)))):
        check("mv", *args)
        check("addmv", sample((2,)), *args)
    for self in (sample((3,)), sample((2, 1)), sample((1,)), sample(())):
        check("addmv", self, a, v)
        check("addmm", self, a, sample((3, 4)))
        check("addmm_", self, a, sample((3, 4)))
    check("addmm", b, a, sample((3, 4)))
    for args in ((v, sample((4,))), (a, a), (v, sample((1,)))):
        check("dot", *args)
    for args in ((b, b), (b, sample((3, 4, 5))), (a, a), (b, a)):
        check("bmm", *args)
        check("baddbmm", sample((2, 3, 4)), *args)
    for args in ((a, v), (v, a), (v, sample(()))):
        check("outer", *args)
        check("addr", sample((3, 3)), *args)


def test_mixed_dtypes_raise_pytorchs_errors():
    a, v, b = sample((2, 3)), sample((3,)), sample((2, 3, 4))
    check("mm", a, sample((3, 4)).double())
    check("mv", a, v.double())
    check("dot", v, v.double())
    check("bmm", b, sample((2, 4, 5)).double())
    check("addmm", sample((2, 4)).double(), a, sample((3, 4)))
    check("addmm", sample((2, 4)), a, sample((3, 4)).double())
    check("addmm", sample((2, 4)), a.double(), sample((3, 4)))
    check("addmv", sample((2,)).double(), a, v)
    check("baddbmm", sample((5,)).double(), b, sample((2, 4, 5)))
    check("linear", a, sample((4, 3)).double())
    check("linear", a, sample((4, 3)), sample((4,)).double())
    check("outer", v, sample((4,), torch.int64))
    check("addmm", sample((2, 4)), a, sample((3, 4)), beta=1j)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64], ids=str)
def test_out(dtype):
    a, b = sample((2, 3)), sample((3, 4))
    for out in (
        torch.zeros(2, 4, dtype=dtype),
        torch.zeros(1, dtype=dtype),
        torch.zeros(4, 2, dtype=dtype).t(),
    ):
        check("mm", a, b, out=out.clone())
        check("addmm", sample((4,)), a, b, out=out.clone())
        check("matmul", a, b, out=out.clone())
    check("mv", a, sample((3,)), out=torch.zeros(2, dtype=dtype))
    check("bmm", a[None], b[None], out=torch.zeros(1, dtype=dtype))
    check("matmul", a[None], b, out=torch.zeros(1, dtype=dtype))
