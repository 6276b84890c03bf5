"""Copies, conversions, fills, new tensors and numbers in and out of them, against PyTorch."""

import itertools

import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")
pytest.register_assert_rewrite("tests.ops.pointwise_oracle")

import minitorch  # noqa: E402
from tests.ops.pointwise_oracle import ALL_DTYPES, assert_equal, check, ours, outcome, samples  # noqa: E402
from tests.probes.ops import elementwise as _probe  # noqa: E402

CODES = dict(zip(ALL_DTYPES, (11, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10), strict=True))
FORMATS = {
    0: torch.contiguous_format,
    1: torch.preserve_format,
    2: torch.channels_last,
    3: torch.channels_last_3d,
}


def _layouts(dtype):
    x = samples(dtype, 2, 3, 4, 5)
    return [
        x,
        x.to(memory_format=torch.channels_last),
        x.transpose(0, 2),
        x[:, :, ::2],
        x[:, :1].expand(2, 3, 4, 5),
        x[0, 0, 0, 0],
        x[:, :0],
        x[:1, :, :1],
        x.permute(3, 1, 0, 2)[1:],
    ]


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_conversion_keeps_values_and_strides(dtype):
    for target in ALL_DTYPES:
        for x in _layouts(dtype):
            check("cast", lambda t, code, target=target: t.to(target), x, CODES[target])


@pytest.mark.parametrize("memory_format", FORMATS)
def test_clone_and_contiguous_in_every_memory_format(memory_format):
    for dtype in (torch.float32, torch.bool, torch.complex128, torch.float16):
        for x in _layouts(dtype) + [samples(dtype, 1, 2, 3, 2, 2).transpose(1, 4)]:
            check("clone", lambda t, f: t.clone(memory_format=FORMATS[f]), x, memory_format)
            check(
                "contiguous", lambda t, f: t.contiguous(memory_format=FORMATS[f]), x, memory_format
            )


def test_contiguous_returns_what_is_contiguous_already():
    x = ours(samples(torch.float32, 3, 4))
    assert _probe.call("contiguous", x) is x
    assert _probe.call("cast", x, CODES[torch.float32]) is x


@pytest.mark.parametrize("source", ALL_DTYPES, ids=str)
@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_copy_converts_and_broadcasts(dtype, source):
    for x, y in zip(_layouts(dtype), reversed(_layouts(source)), strict=True):
        if x.numel() and 0 in x.stride() and x.dim():
            continue
        check("copy_", torch.Tensor.copy_, x.clone(), y)
    x = samples(dtype, 3, 4)
    check("copy_", torch.Tensor.copy_, x, samples(source, 4, seed=1))
    check("copy_", torch.Tensor.copy_, x.t(), samples(source, 3, seed=1))
    check("copy_", torch.Tensor.copy_, x[:, ::2], samples(source, 3, 1, seed=1))
    check("copy_", torch.Tensor.copy_, x, samples(source, 2, seed=1))
    check("copy_", torch.Tensor.copy_, x, samples(source, 1, 3, 4, seed=1))
    check("copy_", torch.Tensor.copy_, x, samples(source, 2, 3, 4, seed=1))
    check("copy_", torch.Tensor.copy_, x[:1].expand(3, 4), samples(source, 4, seed=1))


def test_copy_within_one_storage():
    x = torch.arange(12.0).reshape(3, 4)
    check("copy_", torch.Tensor.copy_, x, x)
    square = torch.arange(9.0).reshape(3, 3)
    made = {}
    with pytest.raises(RuntimeError, match="refer to a single memory location"):
        _probe.call("copy_", ours(square, made), ours(square.t(), made))


VALUES = [0, 1, -1, -255, -256, 255, 256, 2**31, 2**63 - 1, True, 2.75, -0.5, 3e5, 1e39, 1e300]
VALUES += [float("inf"), float("nan"), -float("inf"), 1 + 0j, 2j, 1e39 + 1j]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_fill_checks_the_range(value):
    for dtype in ALL_DTYPES:
        check("fill_", torch.Tensor.fill_, torch.zeros(2, 3, dtype=dtype), value)
        check("fill_", torch.Tensor.fill_, torch.zeros(4, 3, dtype=dtype)[::2, 1:], value)
        check("fill_", torch.Tensor.fill_, torch.zeros(1, dtype=dtype).expand(3), value)
        check(
            "full",
            lambda s, v, d, dtype=dtype: torch.full(s, v, dtype=dtype),
            (2,),
            value,
            CODES[dtype],
        )
    check("full", torch.full, (2, 0, 3), value)


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_numbers_come_back_as_python_numbers(dtype):
    for x in _layouts(dtype):
        assert _probe.call("tolist", ours(x)) == x.tolist()
    x = samples(dtype, 1, 1)
    result = _probe.call("item", ours(x))
    assert result == x.item() and type(result) is type(x.item())
    mine, _ = outcome(_probe.call, "item", ours(samples(dtype, 2)))
    theirs, _ = outcome(torch.Tensor.item, samples(dtype, 2))
    assert (type(mine), str(mine)) == (type(theirs), str(theirs))


@pytest.mark.parametrize("dtype", [None, *ALL_DTYPES], ids=str)
def test_constant_tensors(dtype):
    code = CODES.get(dtype, 16)
    for size in ((), (3,), (2, 0), (2, 3)):
        check("zeros", lambda s, c: torch.zeros(s, dtype=dtype), size, code)
        check("ones", lambda s, c: torch.ones(s, dtype=dtype), size, code)
    for x in _layouts(torch.float32):
        check("zeros_like", lambda t, c: torch.zeros_like(t, dtype=dtype), x, code)
        check(
            "ones_like",
            lambda t, c, f: torch.ones_like(t, dtype=dtype, memory_format=FORMATS[f]),
            x,
            code,
            0,
        )
        check("full_like", lambda t, v, c: torch.full_like(t, v, dtype=dtype), x, 3, code)
    if dtype is not None:
        check("eye", lambda n, m, c: torch.eye(n, m, dtype=dtype), 3, 5, code)
        check("eye", lambda n, m, c: torch.eye(n, m, dtype=dtype), 4, 2, code)


RANGES = [
    (0, 5, 1),
    (1, 10, 3),
    (10, 1, -3),
    (0, 0, 1),
    (0, 1, 0.1),
    (0.0, 5, 1),
    (1.5, -2, -0.25),
    (0, 5, 0),
    (5, 0, 1),
    (0, 5, -1),
    (0, float("inf"), 1),
    (float("nan"), 2, 1),
    (0, 2.5, 1),
    (2**53, 2**53 + 3, 1),
    (0.5, 3.5, 1),
]


@pytest.mark.parametrize("bounds", RANGES, ids=str)
@pytest.mark.parametrize("dtype", [None, *ALL_DTYPES], ids=str)
def test_arange(bounds, dtype):
    check(
        "arange",
        lambda a, b, s, c: torch.arange(a, b, s, dtype=dtype),
        *bounds,
        CODES.get(dtype, 16),
    )


@pytest.mark.parametrize(
    "bounds",
    [(0, 1, 11), (-3, 10, 5), (3, 10, 1), (1, 2, 0), (0.5, -7, 8), (0, 1j, 4), (1, 2, -1)],
    ids=str,
)
@pytest.mark.parametrize("dtype", [None, *(d for d in ALL_DTYPES if d != torch.bool)], ids=str)
def test_linspace_and_logspace(bounds, dtype):
    if any(isinstance(b, complex) for b in bounds) and dtype is not None and not dtype.is_complex:
        pytest.skip("a complex bound asks for a complex type")
    code = CODES.get(dtype, 16)
    check("linspace", lambda a, b, n, c: torch.linspace(a, b, n, dtype=dtype), *bounds, code)
    if dtype is None or dtype.is_floating_point:
        check(
            "logspace",
            lambda a, b, n, base, c: torch.logspace(a, b, n, base, dtype=dtype),
            *bounds,
            2.0,
            code,
        )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_linspace_rounds_once(dtype):
    for steps in (7, 28, 33, 50, 100, 1001):
        for start, end in ((-1.0, 1.0), (0.0, 0.3), (-3.14159, 3.14159)):
            mine = minitorch.linspace(start, end, steps, dtype=getattr(minitorch, str(dtype)[6:]))
            theirs = torch.linspace(start, end, steps, dtype=dtype)
            assert mine.tolist() == theirs.tolist()


def test_triangle_indices():
    for row, col, offset in itertools.product((0, 1, 3, 4), (0, 2, 4), (-5, -1, 0, 2, 6)):
        check("tril_indices", torch.tril_indices, row, col, offset)
        check("triu_indices", torch.triu_indices, row, col, offset)
    check("tril_indices", torch.tril_indices, -1, 2, 0)


def test_zero_fills_every_layout():
    for x in _layouts(torch.float64):
        if 0 not in x.stride() or not x.dim():
            y = ours(x)
            _probe.call("zero_", y)
            assert_equal(y, torch.zeros_like(x), strides=False)
