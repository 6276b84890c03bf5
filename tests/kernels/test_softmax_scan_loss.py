"""Softmax, running reductions and nll_loss kernels against PyTorch."""

import numpy as np
import pytest

from tests.probes.kernels import rows as probe

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

F = torch.nn.functional
SHAPES = [
    (1,),
    (7,),
    (100,),
    (5000,),
    (3, 4),
    (300, 5),
    (5, 300),
    (130, 10),
    (2, 3, 4),
    (13, 17, 19),
    (3, 600, 2),
    (3, 0),
    (0, 3),
    (2, 90_000),
    (200, 70, 9),
]
TOLERANCE = {"f2": 3e-3, "f4": 3e-6, "f8": 1e-13}
rng = np.random.default_rng(0)


def floats(shape, dtype, scale=3):
    return (rng.standard_normal(shape) * scale).astype(dtype)


def assert_close(got, want, tolerance):
    np.testing.assert_allclose(got.astype(float), np.asarray(want, float), tolerance, tolerance)


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_softmax_and_its_derivative_along_every_axis(name, dtype):
    for shape in SHAPES:
        for axis in range(len(shape)):
            x = floats(shape, dtype)
            grad = floats(shape, dtype, 1)
            leaf = torch.from_numpy(x).double().requires_grad_()
            want = getattr(torch, name)(leaf, axis)
            scale = 4 if name == "log_softmax" else 1
            assert_close(
                probe.softmax_array(name, x, axis), want.detach(), scale * TOLERANCE[dtype]
            )
            output = want.detach().numpy().astype(dtype)
            # the derivative as a formula of the rounded output, which is what the kernel is given
            y, g = torch.from_numpy(output).double(), torch.from_numpy(grad).double()
            if name == "softmax":
                want = (g - (g * y).sum(axis, keepdim=True)) * y
            else:
                want = g - y.exp() * g.sum(axis, keepdim=True)
            got = probe.softmax_array(name, grad, axis, output)
            size = 1 + (want.abs().max().item() if want.numel() else 0)
            assert_close(got, want, 10 * size * TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_softmax_of_infinities_and_nan(dtype):
    inf, nan = np.inf, np.nan
    for row in (
        [-inf, 1, 2],
        [-inf, -inf],
        [inf, 1],
        [nan, 1],
        [1e30, -1e30],
        [-200, 0],
        [inf, -inf],
    ):
        for repeat in (1, 60):
            x = np.array(row * repeat, dtype)
            for a, axis in [(x[None], 1), (np.repeat(x[:, None], 20, 1), 0)]:
                for name in ("softmax", "log_softmax"):
                    want = getattr(torch, name)(torch.from_numpy(a), axis)
                    assert_close(probe.softmax_array(name, a, axis), want, 2e-6)


def test_softmax_refuses_integers():
    with pytest.raises(TypeError, match="no loop"):
        probe.softmax_array("softmax", np.arange(3), 0)


def scan_input(shape, dtype, special):
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    if dtype.kind != "f":
        return rng.integers(0, 2 if dtype.kind == "b" else 5, shape).astype(dtype)
    x = rng.standard_normal(shape)
    x = np.where(rng.random(shape) < 0.3, np.round(x), x)
    if special:
        for value in (np.nan, np.inf, -np.inf):
            x = np.where(rng.random(shape) < 0.1, value, x)
    return x.astype(dtype)


SCAN_SHAPES = [
    (1,),
    (7,),
    (1000,),
    (3, 4),
    (300, 5),
    (5, 300),
    (40, 700),
    (2, 3, 4),
    (3, 0),
    (0, 3),
    (4, 600, 2),
]


@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "u1", "i2", "i4", "i8", "c8", "c16"])
def test_cumsum_and_cumprod_along_every_axis(name, dtype):
    for shape in SCAN_SHAPES:
        for axis in range(len(shape)):
            x = scan_input(shape, dtype, False)
            if name == "cumprod" and x.dtype.kind in "fc":
                x /= np.maximum(np.abs(x), 1e-2).astype(x.dtype)
            t = torch.from_numpy(x)
            want = getattr(torch, name)(t, axis, dtype=t.dtype).numpy()
            got = probe.scan_array(name, x, axis)
            if x.dtype.kind in "fc":
                tolerance = {"f2": 4e-3, "f4": 1e-5, "f8": 1e-11, "c8": 1e-4, "c16": 1e-11}[dtype]
                np.testing.assert_allclose(got, want, tolerance, tolerance)
            else:
                np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", ["cummax", "cummin"])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "u1", "i4", "i8", "?"])
@pytest.mark.parametrize("special", [False, True])
def test_cummax_and_cummin_take_the_last_of_equal_elements(name, dtype, special):
    for shape in SCAN_SHAPES:
        for axis in range(len(shape)):
            x = scan_input(shape, dtype, special)
            want = getattr(torch, name)(torch.from_numpy(x), axis)
            got = probe.scan_array(name, x, axis)
            np.testing.assert_array_equal(got[0], want[0].numpy())
            np.testing.assert_array_equal(got[1], want[1].numpy())


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("special", [False, True])
def test_logcumsumexp_along_every_axis(dtype, special):
    for shape in SCAN_SHAPES:
        for axis in range(len(shape)):
            x = scan_input(shape, dtype, special)
            want = torch.logcumsumexp(torch.from_numpy(x).double(), axis)
            assert_close(probe.scan_array("logcumsumexp", x, axis), want, TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_nll_loss_and_its_derivative(dtype, weighted, reduction):
    number = ["none", "mean", "sum"].index(reduction)
    for n, c, s in [(1, 1, 1), (5, 3, 1), (64, 10, 1), (3, 4, 25), (0, 3, 1)]:
        x = floats((n, c, s), dtype)
        target = rng.integers(0, c, (n, s))
        target[rng.random((n, s)) < 0.2] = -100
        weight = rng.random(c).astype(dtype) if weighted else None
        leaf = torch.from_numpy(x).double().requires_grad_()
        want = F.nll_loss(
            leaf,
            torch.from_numpy(target),
            ignore_index=-100,
            reduction=reduction,
            weight=None if weight is None else torch.from_numpy(weight).double(),
        )
        loss, total = probe.nll_loss_array(x, target, weight, number, -100)
        assert_close(loss, want.detach(), TOLERANCE[dtype])
        grad = floats(want.shape, dtype)
        want.backward(torch.from_numpy(np.asarray(grad)).double())
        got = probe.nll_loss_backward_array(
            np.asarray(grad), x.shape, target, weight, number, -100, total
        )
        assert_close(got, leaf.grad, TOLERANCE[dtype])


def test_nll_loss_names_the_target_that_is_no_class():
    x = np.zeros((2, 3, 1), np.float32)
    with pytest.raises(IndexError, match="3"):
        probe.nll_loss_array(x, np.array([[0], [3]]), None, 1, -100)
    with pytest.raises(IndexError, match="-1"):
        probe.nll_loss_backward_array(
            np.float32([1]), x.shape, np.array([[0], [-1]]), None, 1, -100, np.ones(1, np.float32)
        )
