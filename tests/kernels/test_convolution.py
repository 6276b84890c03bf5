"""Convolutions and their gradients against PyTorch's on the same input."""

import numpy as np
import pytest

from tests.probes.kernels import blas as _probe_blas
from tests.probes.kernels import convolution as probe

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

rng = np.random.default_rng(0)

# batch, in channels, out channels, input size, kernel, stride, padding, dilation, groups
CASES = {
    "first layer": (5, 1, 32, (1, 28, 28), (1, 3, 3), (1, 1, 1), (0, 0, 0), (1, 1, 1), 1),
    "second layer": (3, 32, 64, (1, 13, 13), (1, 3, 3), (1, 1, 1), (0, 1, 1), (1, 1, 1), 1),
    "lenet": (4, 6, 16, (1, 14, 14), (1, 5, 5), (1, 1, 1), (0, 0, 0), (1, 1, 1), 1),
    "stride": (2, 3, 10, (1, 15, 17), (1, 3, 3), (1, 2, 2), (0, 1, 1), (1, 1, 1), 1),
    "stride above kernel": (2, 4, 5, (1, 11, 12), (1, 2, 1), (1, 3, 4), (0, 0, 0), (1, 1, 1), 1),
    "large stem": (1, 3, 8, (1, 40, 40), (1, 7, 7), (1, 2, 2), (0, 3, 3), (1, 1, 1), 1),
    "dilation": (2, 4, 9, (1, 17, 19), (1, 3, 3), (1, 1, 1), (0, 2, 2), (1, 2, 3), 1),
    "dilation and stride": (2, 4, 9, (1, 17, 19), (1, 3, 3), (1, 2, 3), (0, 4, 1), (1, 3, 2), 1),
    "pointwise": (3, 16, 24, (1, 9, 9), (1, 1, 1), (1, 1, 1), (0, 0, 0), (1, 1, 1), 1),
    "pointwise stride": (3, 16, 24, (1, 9, 9), (1, 1, 1), (1, 2, 2), (0, 0, 0), (1, 1, 1), 1),
    "padded pointwise": (2, 3, 4, (1, 5, 5), (1, 1, 1), (1, 1, 1), (0, 2, 1), (1, 1, 1), 1),
    "groups": (2, 12, 18, (1, 8, 9), (1, 3, 3), (1, 1, 1), (0, 1, 1), (1, 1, 1), 3),
    "depthwise": (2, 20, 20, (1, 14, 14), (1, 3, 3), (1, 1, 1), (0, 1, 1), (1, 1, 1), 20),
    "depthwise stride": (2, 8, 16, (1, 15, 14), (1, 5, 5), (1, 2, 2), (0, 2, 2), (1, 1, 1), 8),
    "sentence": (2, 1, 10, (1, 40, 50), (1, 3, 50), (1, 1, 1), (0, 0, 0), (1, 1, 1), 1),
    "one dimension": (3, 5, 7, (1, 1, 60), (1, 1, 5), (1, 1, 2), (0, 0, 3), (1, 1, 2), 1),
    "three dimensions": (2, 4, 6, (5, 7, 8), (3, 2, 3), (1, 1, 1), (1, 0, 1), (1, 1, 1), 1),
    "three dimensions, all": (2, 4, 6, (9, 9, 10), (3, 2, 3), (2, 1, 2), (1, 1, 0), (1, 2, 1), 2),
    "deep": (2, 200, 33, (1, 6, 6), (1, 3, 3), (1, 1, 1), (0, 1, 1), (1, 1, 1), 1),
    "one position": (3, 7, 9, (1, 4, 4), (1, 4, 4), (1, 1, 1), (0, 0, 0), (1, 1, 1), 1),
    "padding above kernel": (2, 3, 4, (1, 5, 5), (1, 2, 2), (1, 1, 1), (0, 3, 3), (1, 1, 1), 1),
    "one large image": (1, 3, 16, (1, 150, 151), (1, 3, 3), (1, 1, 1), (0, 1, 1), (1, 1, 1), 1),
    "empty batch": (0, 3, 4, (1, 5, 5), (1, 3, 3), (1, 1, 1), (0, 1, 1), (1, 1, 1), 1),
}


@pytest.fixture(
    params=[(1, -1), (2, -1), (1, 0), (1, 1)], ids=["1", "2", "SSE2", "AVX2"], autouse=True
)
def threads_and_tiles(request):
    """One and two threads, and the tiles of lesser processors."""
    threads, level = request.param
    _probe_blas.threads(threads)
    probe.use_tiles(level)
    yield
    _probe_blas.threads(1)
    probe.use_tiles(-1)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_convolution_and_its_gradients_are_pytorchs(case, dtype):
    n, c, o, size, kernel, stride, padding, dilation, groups = case
    x, w = (
        torch.from_numpy(rng.standard_normal(s).astype(dtype)).requires_grad_()
        for s in ((n, c, *size), (o, c // groups, *kernel))
    )
    b = torch.from_numpy(rng.standard_normal(o).astype(dtype)).requires_grad_()
    want = torch.nn.functional.conv3d(x, w, b, stride, padding, dilation, groups)
    grad = torch.from_numpy(rng.standard_normal(want.shape).astype(dtype))
    grads = torch.autograd.grad(want, (x, w, b), grad)
    rest = (stride, padding, dilation, groups)
    tolerance = dict(rtol=1e-4, atol=2e-3) if dtype == "f4" else dict(rtol=1e-10, atol=1e-10)
    x, w, b, grad = (t.detach().numpy() for t in (x, w, b, grad))

    out = np.full(want.shape, np.nan, dtype)
    assert probe.run("forward", x, w, b, out, *rest) == 0
    np.testing.assert_allclose(out, want.detach().numpy(), **tolerance)
    assert probe.run("forward", x, w, None, out, *rest) == 0
    np.testing.assert_allclose(out + b[:, None, None, None], want.detach().numpy(), **tolerance)
    for name, want in zip(("input", "weight", "bias"), grads, strict=True):
        got = {"input": x, "weight": w, "bias": b}
        got[name] = np.full(want.shape, np.nan, dtype)
        bias = got["bias"] if name == "bias" else None
        assert probe.run(name, got["input"], got["weight"], bias, grad, *rest) == 0
        np.testing.assert_allclose(got[name], want.numpy(), **tolerance)


@pytest.mark.parametrize("output_padding", [0, 1])
def test_a_transposed_convolution_is_the_gradient_for_the_input_with_a_bias(output_padding):
    x = torch.randn(2, 6, 1, 7, 8, dtype=torch.float64)
    w = torch.randn(6, 4, 1, 3, 3, dtype=torch.float64)
    b = torch.randn(8, dtype=torch.float64)
    args = (1, 2, 3), (0, 1, 0), (0, output_padding, output_padding), 2, (1, 1, 2)
    want = torch.nn.functional.conv_transpose3d(x, w, b, *args)
    out = np.empty(want.shape)
    status = probe.run("input", out, w.numpy(), b.numpy(), x.numpy(), args[0], args[1], args[4], 2)
    assert status == 0
    np.testing.assert_allclose(out, want.numpy(), rtol=1e-10, atol=1e-10)


def test_other_dtypes_are_refused():
    x, w, y = (
        np.ones((1, 1, 1, 2, 2), "f2"),
        np.ones((1, 1, 1, 1, 1), "f2"),
        np.ones((1, 1, 1, 2, 2), "f2"),
    )
    ones, zeros = (1, 1, 1), (0, 0, 0)
    for name in ("forward", "input", "weight"):
        assert probe.run(name, x, w, None, y, ones, zeros, ones, 1) == -2
