"""The derivatives of view operators against PyTorch's own."""

import itertools

import numpy as np
import pytest

import minitorch
from minitorch.autograd.functions import tensor_methods
from tests.probes.ops import views as probe

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")


def gradient(view, x):
    """A fixed gradient for the view of x, and PyTorch's gradient of x."""
    x.requires_grad_()
    y = view(x)
    grad = np.arange(1.0, 1 + y.numel()).reshape(y.shape)
    (result,) = torch.autograd.grad(y, x, torch.from_numpy(grad))
    return probe.from_array(grad), result.numpy()


def same(ours, expected):
    ours = probe.to_array(ours)
    assert ours.shape == expected.shape and ours.dtype == expected.dtype
    np.testing.assert_array_equal(ours, expected)


def test_select_slice_diagonal_and_unfold():
    x = torch.zeros(4, 5, dtype=torch.float64)
    for dim, index in [(0, 1), (1, -1), (-2, 3)]:
        grad, expected = gradient(lambda x, d=dim, i=index: x.select(d, i), x)
        same(probe.call("select_backward", grad, (4, 5), dim, index), expected)
    for dim, *bounds in [(0, 1, 3, 1), (1, None, None, 2), (-1, -3, None, 2), (0, 3, 1, 1)]:
        grad, expected = gradient(lambda x, d=dim, b=bounds: torch.ops.aten.slice(x, d, *b), x)
        same(probe.call("slice_backward", grad, (4, 5), dim, *bounds), expected)
    for offset, (a, b) in itertools.product((-2, 0, 1, 9), [(0, 1), (1, 0)]):
        grad, expected = gradient(lambda x, o=offset, a=a, b=b: x.diagonal(o, a, b), x)
        same(probe.call("diagonal_backward", grad, (4, 5), offset, a, b), expected)
    for dim, size, step in [(0, 2, 1), (1, 3, 2), (1, 5, 1), (-1, 2, 2), (0, 1, 3), (1, 0, 1)]:
        grad, expected = gradient(lambda x, a=(dim, size, step): x.unfold(*a), x)
        same(probe.call("unfold_backward", grad, (4, 5), dim, size, step), expected)


def test_unfold_of_a_scalar():
    grad, expected = gradient(lambda x: x.unfold(0, 1, 1), torch.zeros((), dtype=torch.float64))
    same(probe.call("unfold_backward", grad, (), 0, 1, 1), expected)


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.zeros(3, 4, dtype=torch.float64),
        lambda: torch.zeros(4, 3, dtype=torch.float64).t(),
        lambda: torch.zeros(30, dtype=torch.float64)[5:17].view(3, 4),
        lambda: torch.zeros(30, dtype=torch.float64).as_strided((3, 4), (2, 1), 3),
        lambda: torch.zeros(30, dtype=torch.float64).as_strided((3, 4), (0, 1), 2),
        lambda: torch.zeros(30, dtype=torch.float64).as_strided((3, 1, 4), (9, 1, 2), 0),
    ],
)
@pytest.mark.parametrize(
    "arguments",
    [
        ((3, 4), (4, 1), None), ((12,), (1,), None), ((2, 3), (1, 1), None), ((2, 3), (1, 1), 1),
        ((5,), (0,), 2), ((2, 2, 2), (0, 1, 2), 0), ((), (), 3), ((0, 2), (1, 1), 0),
        ((4, 1), (2, 5), 1),
        ((2, 2), (3, 3), 0),
    ],
)  # fmt: skip
def test_as_strided(make, arguments):
    x = make()
    size, stride, offset = arguments
    needed = (x.storage_offset() if offset is None else offset) + 1
    needed += sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    if needed > x.untyped_storage().nbytes() // 8:
        pytest.skip("out of the bounds of this layout's storage")
    x = x.detach()
    geometry = tuple(x.shape), x.stride(), x.storage_offset()
    grad, expected = gradient(lambda x: x.as_strided(size, stride, offset), x)
    same(probe.call("as_strided_backward", grad, *geometry, size, stride, offset), expected)


def test_squeeze():
    x = torch.zeros(1, 3, 1, 2, dtype=torch.float64)
    grad, expected = gradient(lambda x: x.squeeze(), x)
    same(probe.call("unsqueeze_to", grad, (1, 3, 1, 2)), expected)
    for dim in (0, 1, -2):
        grad, expected = gradient(lambda x, d=dim: x.squeeze(d), x)
        same(probe.call("unsqueeze_to_dim", grad, dim, (1, 3, 1, 2)), expected)
    grad, expected = gradient(lambda x: x.squeeze((0, 1, -2)), x)
    same(probe.call("unsqueeze_to_dims", grad, (0, 1, -2), (1, 3, 1, 2)), expected)


def test_parts_without_a_gradient_count_as_zero():
    a, b = np.ones((3, 2)), np.full((3, 1), 5.0)
    ours = probe.call(
        "split_with_sizes_backward", [probe.from_array(a), None, probe.from_array(b)], (2, 1, 1),
        -1,
        (3, 4), 7,
    )  # fmt: skip
    same(ours, np.concatenate([a, np.zeros((3, 1)), b], 1))
    ours = probe.call("split_backward", [None, probe.from_array(np.ones((1, 4)))], 2, 0, (3, 4), 7)
    same(ours, np.concatenate([np.zeros((2, 4)), np.ones((1, 4))]))
    ours = probe.call("unbind_backward", [None, probe.from_array(np.ones(3)), None], 1)
    same(ours, np.stack([np.zeros(3), np.ones(3), np.zeros(3)], 1))


@pytest.mark.parametrize("dtype", ["float16", "float32", "complex64", "complex128"])
def test_overlapping_gradients_add_up_in_every_dtype(dtype):
    grad = np.arange(1, 9).reshape(4, 2).astype(dtype)
    expected = np.zeros(5, dtype)
    expected[:4] += grad[:, 0]
    expected[1:] += grad[:, 1]
    same(probe.call("unfold_backward", probe.from_array(grad), (5,), 0, 2, 1), expected)
    ours = probe.call(
        "as_strided_backward", probe.from_array(np.ones(3, dtype)), (2, 2), (1, 1), 0, (3,), (1,), 0
    )
    same(ours, np.array([[1, 0.5], [0.5, 1]], dtype))


@pytest.mark.parametrize(
    "name, args",
    [
        ("unfold_backward", ((3, 4), 0, 2, 1)),
        ("as_strided_backward", ((3, 4), (4, 1), 0, (2, 2), (4, 1), 0)),
        ("as_strided_gather", ((3, 4), (4, 1), 0, (2, 2), (4, 1), 0)),
        ("as_strided_backward", ((3, 4), (4, -1), 0, (), (), 0)),
        ("as_strided_backward", ((3, 4), (4, 1), 0, (), (), -1)),
        ("strided_copy", ((1,),)),
    ],
)
def test_a_gradient_of_another_shape_is_refused(name, args):
    function = getattr(tensor_methods, name)
    with pytest.raises(RuntimeError):
        function(minitorch.ones(5, 7), *args)
