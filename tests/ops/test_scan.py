"""Running sums, products and extremes against PyTorch."""

from functools import partial

import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.ops.oracle import DTYPES, compare, layouts, sample  # noqa: E402
from tests.probes.ops import reduction as probe  # noqa: E402

NAMES = ["cumsum", "cumprod", "logcumsumexp", "cummax", "cummin"]
SHAPES = [(), (1,), (7,), (3, 4), (2, 3, 4), (0,), (2, 0, 3), (40, 33)]


def check(name, *args, **kwargs):
    tolerance = 1e-5 if args[0].dtype in (torch.float32, torch.complex64) else None
    if args[0].dtype == torch.float16:
        tolerance = 1e-2
    compare(
        partial(probe.call, name),
        getattr(torch, name),
        *args,
        case=name,
        tolerance=tolerance,
        **kwargs,
    )


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_every_dimension_of_every_layout(name, shape):
    for x in layouts(sample(shape)):
        for dim in range(-max(x.dim(), 1), max(x.dim(), 1)):
            check(name, x, dim)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_every_dtype_gives_pytorchs_result_or_error(name, dtype):
    x = sample((3, 5), dtype)
    check(name, x, 1)
    check(name, x, 2)


@pytest.mark.parametrize("wanted", DTYPES, ids=str)
@pytest.mark.parametrize("dtype", [torch.bool, torch.int32, torch.float32], ids=str)
@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_a_dtype_argument_says_what_is_computed_in(name, dtype, wanted):
    check(name, sample((3, 5), dtype), 1, dtype=wanted)


@pytest.mark.parametrize("dtype", [torch.int64, torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_out_is_checked_and_written(name, dtype):
    x = sample((2, 3))
    for out in (
        torch.zeros(2, 3, dtype=dtype),
        torch.zeros(1, dtype=dtype),
        torch.zeros(3, 2, dtype=dtype).t(),
    ):
        if name in ("cummax", "cummin"):
            check(name, x, 1, out=(out, torch.zeros(2, 3, dtype=torch.int64)))
        else:
            check(name, x, 1, out=out)


@pytest.mark.parametrize("name", ["cummax", "cummin", "logcumsumexp", "cumsum"])
def test_ties_nan_and_infinities(name):
    inf, nan = float("inf"), float("nan")
    for values in (
        [2.0, 5.0, 5.0, 2.0],
        [1.0, nan, 3.0, nan],
        [inf, 1.0, -inf, 2.0],
        [-inf, -inf, 1.0],
    ):
        check(name, torch.tensor(values), 0)
