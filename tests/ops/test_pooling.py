"""Pooling and its derivatives against PyTorch."""

from functools import partial

import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.ops.oracle import DTYPES, compare, sample  # noqa: E402
from tests.probes.ops import vision as probe  # noqa: E402

aten = torch.ops.aten
FLOATS = [torch.float16, torch.float32, torch.float64]
TOLERANCE = {torch.float16: 2e-2, torch.float32: 1e-5}


def check(name, *args, dtype=torch.float32, **kwargs):
    compare(
        partial(probe.call, name),
        getattr(aten, name),
        *args,
        case=name,
        tolerance=TOLERANCE.get(dtype),
        **kwargs,
    )


def images(shape, dims, dtype=torch.float32, seed=0):
    """The image in several memory formats."""
    x = sample(shape, dtype, seed)
    yield x
    if len(shape) == 2 + dims:
        last = torch.channels_last if len(shape) == 4 else torch.channels_last_3d
        yield x.to(memory_format=last)
    yield x.transpose(-1, -2).contiguous().transpose(-1, -2)


MAX = [
    ((2, 4, 7, 8), [2], [], [0], [1], False),
    ((2, 4, 7, 8), [2, 3], [1, 2], [1, 1], [1, 1], True),
    ((2, 4, 7, 8), [3], [2], [1], [2], False),
    ((4, 7, 8), [3], [2], [1], [1], True),
    ((2, 3, 5, 5), [2], [2], [1], [1], True),
    ((0, 4, 7, 8), [2], [], [0], [1], False),
    ((2, 4, 5, 6, 7), [2], [], [0], [1], False),
    ((4, 5, 6, 7), [2, 3, 2], [1, 2, 2], [1, 1, 0], [1, 1, 2], True),
]


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("shape, kernel, stride, padding, dilation, ceil", MAX, ids=str)
def test_max_pool(shape, kernel, stride, padding, dilation, ceil, dtype):
    dims = 3 if len(shape) == 5 or len(kernel) == 3 else 2
    name = f"max_pool{dims}d_with_indices"
    for x in images(shape, dims, dtype):
        args = kernel, stride, padding, dilation, ceil
        check(name, x, *args, dtype=dtype)
        y, indices = getattr(aten, name)(x, *args)
        check(name + "_backward", sample(y.shape, dtype, 2), x, *args, indices, dtype=dtype)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(
    "name", ["max_pool2d_with_indices", "avg_pool2d", "adaptive_max_pool2d", "_adaptive_avg_pool2d"]
)
def test_every_dtype_gives_pytorchs_result_or_error(name, dtype):
    check(name, sample((2, 4, 6, 7), dtype), [2, 2], dtype=dtype)


def test_max_pool_takes_the_first_of_equals_and_any_nan():
    x = torch.zeros(1, 1, 4, 4)
    check("max_pool2d_with_indices", x, [2])
    x[0, 0, 1, 1] = x[0, 0, 2, 3] = float("nan")
    check("max_pool2d_with_indices", x, [2])
    check("max_pool2d_with_indices", x, [3], [1], [1])
    check("max_pool2d_with_indices", torch.full((1, 1, 4, 4), -float("inf")), [2])


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("include", [True, False])
@pytest.mark.parametrize("divisor", [None, 3, -2])
@pytest.mark.parametrize("shape, kernel, stride, padding, dilation, ceil", MAX, ids=str)
def test_avg_pool(shape, kernel, stride, padding, dilation, ceil, divisor, include, dtype):
    dims = 3 if len(shape) == 5 or len(kernel) == 3 else 2
    name = f"avg_pool{dims}d"
    for x in images(shape, dims, dtype):
        args = kernel, stride, padding, ceil, include, divisor
        check(name, x, *args, dtype=dtype)
        if dims == 3 and dtype == torch.float16:
            return  # neither has it
        y = getattr(aten, name)(x, *args)
        check(name + "_backward", sample(y.shape, dtype, 2), x, *args, dtype=dtype)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize(
    "shape, size",
    [
        ((2, 4, 7, 8), [3, 4]),
        ((2, 4, 7, 8), [1, 1]),
        ((2, 4, 7, 8), [9, 10]),
        ((4, 7, 8), [3, 8]),
        ((2, 4, 7, 8), [0, 2]),
        ((0, 4, 7, 8), [3, 4]),
        ((2, 4, 5, 6, 7), [2, 3, 4]),
        ((4, 5, 6, 7), [2, 3, 9]),
    ],
    ids=str,
)
def test_adaptive_pooling(shape, size, dtype):
    dims = len(size)
    for x in images(shape, dims, dtype):
        name = f"_adaptive_avg_pool{dims}d"
        check(name, x, size, dtype=dtype)
        grad = sample((*shape[:-dims], *size), dtype, 2)
        if grad.numel() or not x.numel():
            check(name + "_backward", grad, x, dtype=dtype)
        name = f"adaptive_max_pool{dims}d"
        check(name, x, size, dtype=dtype)
        if grad.numel():
            indices = getattr(aten, name)(x, size)[1]
            check(name + "_backward", grad, x, indices, dtype=dtype)


def test_errors_of_windows():
    x = sample((2, 4, 7, 8))
    for args in (
        (x[0, 0], [2]),
        (x[:, :0], [2]),
        (x[:, :, :0], [2]),
        (x, [9]),
        (x, [2], [], [2]),
        (x, [2], [], [-1]),
        (x, [0]),
        (x, [2], [0]),
        (x, [2, 2, 2]),
        (x, [2], [1, 1, 1]),
        (x, [2], [1], [0, 0, 0]),
        (x, []),
        (x, [2], [-1]),
        (x, [-1], [1]),
    ):
        check("max_pool2d_with_indices", *args)
        check("avg_pool2d", *args)
    check("max_pool2d_with_indices", x, [2], [1], [0], [0])
    check("max_pool2d_with_indices", x, [2], [1], [0], [1, 1, 1])
    check("avg_pool2d", x, [2], [], [0], False, True, 0)


def test_errors_of_gradients():
    x, g = sample((2, 4, 7, 8)), sample((2, 4, 3, 4))
    indices = aten.max_pool2d_with_indices(x, [2])[1]
    for grad in (sample((2, 4, 3, 5)), g.double(), g[0]):
        check("max_pool2d_with_indices_backward", grad, x, [2], [], [0], [1], False, indices)
        check("avg_pool2d_backward", grad, x, [2], [], [0], False, True, None)
    check("max_pool2d_with_indices_backward", g, x, [2], [], [0], [1], False, indices.int())
    for grad in (g.double(), g[0]):
        check("_adaptive_avg_pool2d_backward", grad, x)


def test_errors_of_adaptive_pooling():
    x = sample((2, 4, 7, 8))
    for args in ((x[0, 0], [3, 4]), (x, [3]), (x[:, :, :0], [3, 4])):
        check("_adaptive_avg_pool2d", *args)
        check("adaptive_max_pool2d", *args)
    check("adaptive_max_pool2d", x, [-1, 2])
