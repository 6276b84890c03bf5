"""Pooling and its gradients against PyTorch's on the same input."""

import numpy as np
import pytest

from tests.probes.kernels import blas as _probe_blas
from tests.probes.kernels import pooling as probe

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")
F = torch.nn.functional

rng = np.random.default_rng(0)

# planes, input size, kernel, stride, padding, dilation (of max), ceil_mode
CASES = {
    "two by two": (6, (1, 8, 10), (1, 2, 2), (1, 2, 2), (0, 0, 0), (1, 1, 1), False),
    "two by two, odd": (6, (1, 7, 9), (1, 2, 2), (1, 2, 2), (0, 0, 0), (1, 1, 1), False),
    "ceil": (6, (1, 7, 9), (1, 2, 2), (1, 2, 2), (0, 0, 0), (1, 1, 1), True),
    "ceil and padding": (4, (1, 9, 7), (1, 3, 3), (1, 2, 3), (0, 1, 1), (1, 1, 1), True),
    "overlap": (4, (1, 15, 33), (1, 3, 3), (1, 1, 1), (0, 1, 1), (1, 1, 1), False),
    "resnet": (8, (1, 30, 30), (1, 3, 3), (1, 2, 2), (0, 1, 1), (1, 1, 1), False),
    "dilation": (4, (1, 12, 14), (1, 2, 3), (1, 2, 1), (0, 1, 1), (1, 3, 2), False),
    "one dimension": (5, (1, 1, 700), (1, 1, 4), (1, 1, 3), (0, 0, 2), (1, 1, 1), False),
    "three dimensions": (3, (5, 6, 7), (2, 3, 2), (2, 1, 2), (1, 1, 0), (1, 1, 1), False),
    "many planes": (3000, (1, 6, 6), (1, 2, 2), (1, 2, 2), (0, 0, 0), (1, 1, 1), False),
    "no planes": (0, (1, 6, 6), (1, 2, 2), (1, 2, 2), (0, 0, 0), (1, 1, 1), False),
}
FLOATS = ["f2", "f4", "f8"]


@pytest.fixture(params=[1, 2], autouse=True)
def threads(request):
    _probe_blas.threads(request.param)
    yield
    _probe_blas.threads(1)


def values(shape, dtype):
    """Few different values, so that there are equals; exact in every type."""
    return rng.integers(-20 if dtype[0] != "u" else 0, 20, shape).astype(dtype)


@pytest.mark.parametrize("dtype", [*FLOATS, "i8", "i4", "u1"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_max_pool_finds_the_same_elements(case, dtype):
    planes, size, kernel, stride, padding, dilation, ceil = case
    x = values((planes, *size), dtype)
    if dtype in FLOATS:
        x[rng.random(x.shape) < 0.05] = np.nan
        x[rng.random(x.shape) < 0.3] = -np.inf
    t = torch.from_numpy(x)[:, None].requires_grad_(dtype in FLOATS)
    want, where = F.max_pool3d(t, kernel, stride, padding, dilation, ceil, return_indices=True)
    out, indices = np.empty(want.shape, dtype), np.empty(want.shape, "i8")
    rest = size, want.shape[2:], kernel, stride, padding, dilation
    assert probe.run("max", x, out, indices, *rest) == 0
    np.testing.assert_array_equal(out, want.detach().numpy())
    np.testing.assert_array_equal(indices, where.numpy())
    if dtype in FLOATS:
        grad = values(want.shape, dtype)
        (want,) = torch.autograd.grad(want, t, torch.from_numpy(grad))
        got = np.full(x.shape, np.nan, dtype)
        assert probe.run("max_backward", grad, got, indices, *rest) == 0
        np.testing.assert_array_equal(got, want[:, 0].numpy())


@pytest.mark.parametrize("dtype", [*FLOATS, "i8"])
@pytest.mark.parametrize("include", [True, False])
@pytest.mark.parametrize("override", [None, 3])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_avg_pool_divides_as_pytorch(case, dtype, include, override):
    planes, size, kernel, stride, padding, _, ceil = case
    x = values((planes, *size), dtype)
    t = torch.from_numpy(x)[:, None].requires_grad_(dtype in FLOATS)
    if dtype in ("f2", "i8") and size[0] == 1:
        flat = kernel[1:], stride[1:], padding[1:]
        want = F.avg_pool2d(t[:, :, 0], *flat, ceil, include, override)[:, :, None]
    elif dtype == "f2":
        return  # PyTorch has no three-dimensional average of float16
    else:
        want = F.avg_pool3d(t, kernel, stride, padding, ceil, include, override)
    out = np.empty(want.shape, dtype)
    rest = size, want.shape[2:], kernel, stride, padding, (1, 1, 1), include, override or 0
    assert probe.run("avg", x, out, None, *rest) == 0
    tolerance = dict(rtol={"f2": 2e-3, "f4": 1e-6, "f8": 1e-14, "i8": 0}[dtype])
    np.testing.assert_allclose(out, want.detach().numpy(), **tolerance)
    if dtype in FLOATS:
        grad = values(want.shape, dtype)
        (want,) = torch.autograd.grad(want, t, torch.from_numpy(grad))
        got = np.full(x.shape, np.nan, dtype)
        assert probe.run("avg_backward", grad, got, None, *rest) == 0
        np.testing.assert_allclose(
            got, want[:, 0].numpy(), atol=0.05 if dtype == "f2" else 1e-5, **tolerance
        )


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "sizes",
    [
        ((1, 8, 8), (1, 4, 4)),
        ((1, 7, 10), (1, 3, 4)),
        ((1, 5, 5), (1, 1, 1)),
        ((1, 3, 4), (1, 7, 5)),
        ((5, 6, 7), (2, 4, 3)),
    ],
    ids=str,
)
def test_adaptive_pools_share_out_the_input(sizes, dtype):
    if dtype == "f2" and sizes[0][0] > 1:
        return
    size, out_size = sizes
    x = values((6, *size), dtype)
    t = torch.from_numpy(x)[:, None].requires_grad_()
    squeeze = size[0] == 1
    source = t[:, :, 0] if squeeze else t
    target = out_size[1:] if squeeze else out_size
    pool = F.adaptive_max_pool2d if squeeze else F.adaptive_max_pool3d
    want, where = pool(source, target, return_indices=True)
    out, indices = np.empty((6, *out_size), dtype), np.empty((6, *out_size), "i8")
    assert probe.run("adaptive_max", x, out, indices, size, out_size) == 0
    np.testing.assert_array_equal(out.reshape(want.shape), want.detach().numpy())
    np.testing.assert_array_equal(indices.reshape(want.shape), where.numpy())
    grad = values((6, *out_size), dtype)
    (want,) = torch.autograd.grad(want, t, torch.from_numpy(grad).reshape(want.shape))
    got = np.empty(x.shape, dtype)
    assert probe.run("max_backward", grad, got, indices, size, out_size) == 0
    np.testing.assert_array_equal(got, want[:, 0].numpy())

    want = (F.adaptive_avg_pool2d if squeeze else F.adaptive_avg_pool3d)(source, target)
    assert probe.run("adaptive_avg", x, out, None, size, out_size) == 0
    tolerance = dict(rtol={"f2": 2e-3, "f4": 1e-6, "f8": 1e-14}[dtype])
    np.testing.assert_allclose(out.reshape(want.shape), want.detach().numpy(), **tolerance)
    (want,) = torch.autograd.grad(want, t, torch.from_numpy(grad).reshape(want.shape))
    assert probe.run("adaptive_avg_backward", grad, got, None, size, out_size) == 0
    np.testing.assert_allclose(
        got, want[:, 0].numpy(), atol=0.05 if dtype == "f2" else 1e-5, **tolerance
    )


def test_indices_outside_the_plane_write_nothing():
    got = np.empty((1, 1, 2, 2), "f4")
    where = np.array([[[[-1, 4]]]])
    assert (
        probe.run("max_backward", np.ones((1, 1, 1, 2), "f4"), got, where, (1, 2, 2), (1, 1, 2))
        == 0
    )
    assert (got == 0).all()


def test_dtypes_without_an_order_or_a_mean_are_refused():
    for name, dtype in (
        ("max", "?"),
        ("max", "c8"),
        ("avg", "i4"),
        ("adaptive_avg", "i8"),
        ("adaptive_max", "i8"),
    ):
        x = np.ones((1, 1, 2, 2), dtype)
        assert (
            probe.run(name, x, x.copy(), np.empty((1, 1, 2, 2), "i8"), (1, 2, 2), (1, 2, 2)) == -1
        )
