"""softmax and log_softmax against PyTorch."""

from functools import partial

import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.ops.oracle import DTYPES, FLOATS, compare, layouts, sample  # noqa: E402
from tests.probes.ops import nn as probe  # noqa: E402

aten = torch.ops.aten
SHAPES = [(), (1,), (7,), (3, 4), (2, 3, 4), (0,), (2, 0, 3), (2, 3, 4, 5), (3, 300), (300, 3)]


def check(name, *args, **kwargs):
    compare(partial(probe.call, name), getattr(aten, name), *args, case=name, **kwargs)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", ["_softmax", "_log_softmax"])
def test_every_dimension_of_every_layout(name, shape):
    for dtype in FLOATS:
        for x in layouts(sample(shape, dtype)):
            for dim in range(-max(x.dim(), 1), max(x.dim(), 1)):
                check(name, x, dim, False)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", ["_softmax_backward_data", "_log_softmax_backward_data"])
def test_derivatives(name, shape):
    for dtype in FLOATS:
        for x in layouts(sample(shape, dtype)):
            grad = sample(shape, dtype, seed=5)
            for dim in range(max(x.dim(), 1)):
                y = x.softmax(dim) if name == "_softmax_backward_data" else x.log_softmax(dim)
                limit = 1e-2 if dtype == torch.float16 else None
                check(name, grad, y, dim, dtype, tolerance=limit)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", ["_softmax", "_log_softmax"])
def test_dtypes_and_errors(name, dtype):
    x = sample((2, 3), dtype)
    check(name, x, 1, False)
    check(name, x, 2, False)
    check(name, x, -3, False)
    check(name, x, 0, True)


def test_derivative_errors():
    x = sample((2, 3))
    check("_softmax_backward_data", x, x.double(), 0, torch.float32)
    check("_softmax_backward_data", x, x[:1], 0, torch.float32)
    check("_softmax_backward_data", x, x, 2, torch.float32)
    check("_log_softmax_backward_data", x, x.double(), 0, torch.float32)


@pytest.mark.parametrize("name", ["_softmax", "_log_softmax"])
def test_infinities_and_nan(name):
    inf, nan = float("inf"), float("nan")
    x = torch.tensor([[inf, 1, 2], [-inf, -inf, -inf], [-inf, 1, 2], [nan, 1, 2], [1e30, -1e30, 0]])
    for dim in (0, 1):
        check(name, x, dim, False)
