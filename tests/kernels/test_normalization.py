"""The normalization kernels and their derivatives against PyTorch's autograd in float64."""

import numpy as np
import pytest

from tests.probes.kernels import norm as probe

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

F = torch.nn.functional
TOLERANCE = {"f4": 2e-5, "f8": 1e-11}
rng = np.random.default_rng(0)


def floats(shape, dtype, mean=0.0):
    return (rng.standard_normal(shape) * 2 + mean).astype(dtype)


def leaf(a):
    return None if a is None else torch.from_numpy(a).double().requires_grad_()


def parameters(n, dtype, affine):
    return (floats(n, dtype, 1), floats(n, dtype)) if affine else (None, None)


def assert_close(got, want, tolerance):
    want = want.detach().numpy()
    np.testing.assert_allclose(
        got.reshape(want.shape), want, tolerance, tolerance * (1 + np.abs(want).max(initial=0))
    )


def gradients(out, leaves, grad):
    return torch.autograd.grad(
        out, [t for t in leaves if t is not None], torch.from_numpy(grad).double()
    )


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("affine", [False, True])
@pytest.mark.parametrize("shape", [(3, 5), (32, 64), (512, 768), (2000, 10), (4, 5000), (70, 33)])
def test_layer_norm(shape, dtype, affine):
    x, grad = floats(shape, dtype, 5), floats(shape, dtype)
    gamma, beta = parameters(shape[1], dtype, affine)
    leaves = leaf(x), leaf(gamma), leaf(beta)
    want = F.layer_norm(leaves[0], shape[1:], leaves[1], leaves[2], 1e-5)
    out, mean, rstd = probe.layer_norm(x, gamma, beta, 1e-5)
    assert_close(out, want, TOLERANCE[dtype])
    got = probe.layer_norm_backward(grad, x, mean, rstd, gamma)
    for a, b in zip(got, gradients(want, leaves, grad), strict=False):
        assert_close(a, b, TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("affine", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (32, 64), (2000, 10), (4, 5000)])
def test_rms_norm(shape, dtype, affine):
    x, grad = floats(shape, dtype, 1), floats(shape, dtype)
    gamma, _ = parameters(shape[1], dtype, affine)
    leaves = leaf(x), leaf(gamma)
    want = F.rms_norm(leaves[0], shape[1:], leaves[1], 1e-5)
    out, rstd = probe.rms_norm(x, gamma, 1e-5)
    assert_close(out, want, TOLERANCE[dtype])
    got = probe.rms_norm_backward(grad, x, rstd, gamma)
    for a, b in zip(got, gradients(want, leaves, grad), strict=False):
        assert_close(a, b, TOLERANCE[dtype])


BATCHES = [
    (3, 2, 1),
    (32, 64, 1),
    (1024, 100, 1),
    (32, 64, 196),
    (3, 7, 5),
    (2, 3, 1000),
    (100, 16, 49),
]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("affine", [False, True])
@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("shape", BATCHES)
def test_batch_norm_with_its_running_statistics(shape, dtype, affine, training):
    x, grad = floats(shape, dtype, 5), floats(shape, dtype)
    gamma, beta = parameters(shape[1], dtype, affine)
    running = [floats(shape[1], dtype), np.abs(floats(shape[1], dtype)) + np.dtype(dtype).type(0.5)]
    wanted = [torch.from_numpy(r).double() for r in running]
    leaves = leaf(x), leaf(gamma), leaf(beta)
    want = F.batch_norm(leaves[0], *wanted, leaves[1], leaves[2], training, 0.1, 1e-5)
    out, mean, invstd = probe.batch_norm(x, gamma, beta, *running, training, 0.1, 1e-5)
    assert_close(out, want, TOLERANCE[dtype])
    for a, b in zip(running, wanted, strict=False):
        assert_close(a, b, TOLERANCE[dtype])
    got = probe.batch_norm_backward(
        grad,
        x,
        gamma,
        mean if training else running[0],
        invstd if training else None,
        running[1],
        training,
        1e-5,
    )
    for a, b in zip(got, gradients(want, leaves, grad), strict=False):
        assert_close(a, b, 2 * TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("affine", [False, True])
@pytest.mark.parametrize(
    "shape,groups",
    [((3, 8, 1), 2), ((3, 8, 5), 8), ((3, 8, 5), 1), ((32, 64, 196), 32), ((100, 16, 49), 4)],
)
def test_group_norm(shape, groups, dtype, affine):
    x, grad = floats(shape, dtype, 5), floats(shape, dtype)
    gamma, beta = parameters(shape[1], dtype, affine)
    leaves = leaf(x), leaf(gamma), leaf(beta)
    want = F.group_norm(leaves[0], groups, leaves[1], leaves[2], 1e-5)
    out, mean, rstd = probe.group_norm(x, gamma, beta, groups, 1e-5)
    assert_close(out, want, TOLERANCE[dtype])
    got = probe.group_norm_backward(grad, x, mean, rstd, gamma, groups)
    for a, b in zip(got, gradients(want, leaves, grad), strict=False):
        assert_close(a, b, 2 * TOLERANCE[dtype])


def test_normalization_refuses_other_dtypes():
    x = np.ones((2, 3), np.float16)
    with pytest.raises(TypeError, match="no loop"):
        probe.layer_norm(x, None, None, 1e-5)
