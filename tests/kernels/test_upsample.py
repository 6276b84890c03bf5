"""Resampling and its gradient against PyTorch's `interpolate` on the same input."""

import numpy as np
import pytest

from tests.probes.kernels import blas as _probe_blas
from tests.probes.kernels import upsample as probe

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

rng = np.random.default_rng(0)

# input size, output size (or scale factors)
SIZES = [
    ((5, 7), (10, 14)),
    ((5, 7), (11, 4)),
    ((6, 6), (3, 3)),
    ((3, 4), (3, 9)),
    ((1, 5), (4, 1)),
    ((8, 9), (1.7, 0.6)),
    ((7, 10), (2.3, 3.1)),
    ((9,), (20,)),
    ((9,), (2.5,)),
    ((3, 4, 5), (7, 2, 9)),
    ((40, 50), (90, 130)),
]
NAMES = {1: "linear", 2: "bilinear", 3: "trilinear"}


@pytest.fixture(params=[1, 2], autouse=True)
def threads(request):
    _probe_blas.threads(request.param)
    yield
    _probe_blas.threads(1)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("mode", ["nearest", "nearest-exact", "linear", "cubic"])
@pytest.mark.parametrize("align", [False, True])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_resampling_and_its_gradient_are_pytorchs(sizes, mode, align, dtype):
    size, target = sizes
    if mode == "cubic" and len(size) != 2 or mode.startswith("nearest") and align:
        return
    name = {"linear": NAMES[len(size)], "cubic": "bicubic"}.get(mode, mode)
    scaled = isinstance(target[0], float)
    x = rng.standard_normal((6, *size)).astype(dtype)
    t = torch.from_numpy(x)[:, None].requires_grad_()
    want = torch.nn.functional.interpolate(
        t,
        size=None if scaled else target,
        scale_factor=target if scaled else None,
        mode=name,
        align_corners=None if mode.startswith("nearest") else align,
    )
    front = (1,) * (3 - len(size))
    in_size, out_size = front + size, front + tuple(want.shape[2:])
    factors = (0,) * (3 - len(size)) + target if scaled else (0, 0, 0)
    out = np.full((6, *out_size), np.nan, dtype)
    assert probe.run(False, mode, x, out, in_size, out_size, factors, align) == 0
    tolerance = dict(rtol=1e-4, atol=1e-5) if dtype == "f4" else dict(rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(out.reshape(want.shape), want.detach().numpy(), **tolerance)

    grad = rng.standard_normal(want.shape).astype(dtype)
    (want,) = torch.autograd.grad(want, t, torch.from_numpy(grad))
    got = np.full(x.shape, np.nan, dtype)
    assert probe.run(True, mode, grad[:, 0], got, in_size, out_size, factors, align) == 0
    np.testing.assert_allclose(got, want[:, 0].numpy(), **tolerance)


@pytest.mark.parametrize("dtype", ["u1", "i2", "i8", "c16"])
def test_nearest_moves_elements_of_any_dtype(dtype):
    x = rng.integers(0, 100, (2, 1, 3, 4)).astype(dtype)
    out = np.empty((2, 1, 6, 8), dtype)
    assert probe.run(False, "nearest", x, out, (1, 3, 4), (1, 6, 8)) == 0
    assert (out == x.repeat(2, 2).repeat(2, 3)).all()


def test_a_mean_of_other_dtypes_is_refused():
    x = np.zeros((1, 1, 2, 2), "i4")
    assert probe.run(False, "linear", x, x.copy(), (1, 2, 2), (1, 2, 2)) == -2
    assert probe.run(True, "nearest", x, x.copy(), (1, 2, 2), (1, 2, 2)) == -2
