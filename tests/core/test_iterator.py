"""Broadcasting, strides of results and the walks over any layout, against PyTorch."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")
pytest.register_assert_rewrite("tests.ops.pointwise_oracle")

from tests.ops.pointwise_oracle import ALL_DTYPES, check, ours  # noqa: E402
from tests.probes.ops import elementwise as _probe  # noqa: E402


@pytest.fixture(params=[1, 3])
def threads(request):
    _probe.use_threads(request.param)
    yield
    _probe.use_threads(2)


def _view(rng, shape, dtype, expand=True):
    """A tensor of this shape with strides of any kind: permuted, with gaps, expanded."""
    order = rng.permutation(len(shape))
    gaps = [int(rng.choice([1, 1, 2, 3])) for _ in shape]
    sizes = [1 if expand and rng.rand() < 0.25 else n for n in shape]
    base = torch.from_numpy(rng.randint(-9, 9, [sizes[d] * gaps[d] for d in order])).to(dtype)
    base = base.permute(*np.argsort(order).tolist()) if len(shape) > 1 else base
    view = base[tuple(slice(None, None, g) for g in gaps)] if shape else base
    if shape and expand:
        view = view.expand(*shape)
    drop = 0
    while expand and drop < view.dim() and view.shape[drop] == 1 and rng.rand() < 0.5:
        drop += 1
    return view.reshape(view.shape[drop:]) if drop and view.is_contiguous() else view


def _shape(rng):
    sizes = [0, 1, 2, 3, 4, 5, 7, 33, 70, 300]
    weights = np.array([1, 6, 6, 6, 6, 6, 6, 4, 2, 1], float)
    shape = []
    for _ in range(rng.randint(0, 6)):
        n = int(rng.choice(sizes, p=weights / weights.sum()))
        if np.prod([*shape, n]) <= 30000:
            shape.append(n)
    return shape


@pytest.mark.parametrize("seed", range(60))
def test_walks_over_any_layout(seed, threads):
    rng = np.random.RandomState(seed)
    for _ in range(4):
        shape = _shape(rng)
        dtype = [torch.float32, torch.int64, torch.uint8, torch.complex128, torch.float16][
            rng.randint(5)
        ]
        a, b = _view(rng, shape, dtype), _view(rng, shape, dtype)
        check("add", torch.add, a, b)
        check("ne", torch.ne, a, b)
        mask = _view(rng, shape, torch.bool)
        check("where", torch.where, mask, a, b)
        check("neg", torch.neg, a)
        check("cast", lambda t, code: t.to(torch.float64), a, 7)
        check("add", torch.add, a, _view(rng, shape, torch.float64))
        check("copy_", torch.Tensor.copy_, _view(rng, shape, torch.float32, expand=False), a.abs())


@pytest.mark.parametrize("seed", range(20))
def test_in_place_on_any_layout(seed, threads):
    rng = np.random.RandomState(seed)
    for _ in range(4):
        shape = _shape(rng)
        a, b = _view(rng, shape, torch.float32, expand=False), _view(rng, shape, torch.float32)
        check("mul", lambda x, y, out: x.mul_(y), a, b, out=a)
        out = _view(rng, shape, torch.float64, expand=False)
        check("sub", torch.sub, a, b, out=out)
        check("gt", torch.gt, a, b, out=out)


@pytest.mark.parametrize("rows", [4, 5, 300, 2000])
@pytest.mark.parametrize("row", [1, 2, 3, 16, 31, 32, 33, 200, 256, 257])
def test_short_rows_beside_broadcast_operands(row, rows, threads):
    rng = np.random.RandomState(row)
    for dtype in (torch.uint8, torch.float16, torch.float32, torch.float64, torch.complex128):
        x = torch.from_numpy(rng.randint(0, 9, (3, rows, row))).to(dtype)
        bias = torch.from_numpy(rng.randint(0, 9, (3, 1, row))).to(dtype)
        mean = torch.from_numpy(rng.randint(0, 9, (3, rows, 1))).to(dtype)
        check("mul", torch.mul, x, bias)
        check("mul", torch.mul, mean, x)
        check("mul", torch.mul, mean, bias)
        check("add", lambda a, b, out: a.add_(b), x, bias[0], out=x)
        check("addcmul", torch.addcmul, x, bias, mean) if dtype != torch.uint8 else None
        check("mul", torch.mul, x[:, :, ::2], bias[:, :, ::2])


def test_result_type_ranks_dimensions_before_scalars_before_numbers():
    numbers = [True, 2, 2.5, 1j]
    tensors = [torch.ones(2, dtype=d) for d in ALL_DTYPES] + [
        torch.ones((), dtype=d) for d in ALL_DTYPES
    ]
    for a in tensors:
        for b in tensors + numbers:
            expected = torch.result_type(a, b)
            mine = _probe.number(b) if not isinstance(b, torch.Tensor) else ours(b)
            assert _probe.result_type_name(ours(a), mine) == str(expected).removeprefix("torch.")
            assert _probe.result_type_name(mine, ours(a)) == str(expected).removeprefix("torch.")
