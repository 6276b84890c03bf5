"""Reading and writing through indices, against PyTorch on the same input."""

import numpy as np
import pytest

from tests.probes.kernels import blas as _probe_blas
from tests.probes.kernels import indexing as probe

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

DTYPES = "u1 i1 i2 i4 i8 f2 f4 f8 c8 c16 ?".split()
rng = np.random.default_rng(0)


@pytest.fixture(params=[1, 2], autouse=True)
def threads(request):
    _probe_blas.threads(request.param)
    yield
    _probe_blas.threads(1)


def values(shape, dtype):
    """Small whole numbers, so that sums are exact in every type."""
    kind = np.dtype(dtype).kind
    x = rng.integers(0 if kind in "ub" else -4, 5, shape)
    if kind == "c":
        x = x + 1j * rng.integers(-4, 5, shape)
    return x.astype(dtype)


def indices(shape, size, wrap=False):
    return rng.integers(-size if wrap else 0, size, shape)


def t(a):
    return torch.from_numpy(np.array(a, order="C"))


def same(ours, theirs):
    theirs = theirs.numpy()
    assert ours.shape == theirs.shape
    np.testing.assert_array_equal(ours, theirs)


def layouts(a):
    a = np.asarray(a)
    yield a
    if a.ndim == 0:
        return
    yield np.asfortranarray(a)
    wide = np.zeros([2 * n for n in a.shape], a.dtype)
    view = wide[tuple(slice(None, None, 2) for _ in a.shape)]
    view[...] = a
    yield view


def fit(shape, index_shape, dim):
    """The shape of an index that may only be longer along `dim`."""
    pairs = zip(shape, index_shape, strict=True)
    return [b if d == dim else min(a, b) for d, (a, b) in enumerate(pairs)]


SHAPES = [
    ((7,), (11,)),
    ((4, 5), (3, 5)),
    ((4, 5), (6, 4)),
    ((3, 4, 5), (3, 9, 5)),
    ((60, 70), (500, 70)),
    ((70, 60), (70, 5000)),
]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_gather_reads_along_each_dimension(dtype, shapes):
    shape, index_shape = shapes
    for dim in range(len(shape)):
        fitting = fit(shape, index_shape, dim)
        for src in layouts(values(shape, dtype)):
            index = indices(fitting, shape[dim])
            out = np.empty(fitting, dtype)
            probe.gather(out, src, index, dim, shape[dim], src.strides[dim])
            same(out, t(src).gather(dim, t(index)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op", ["set", "sum", "prod", "amin", "amax"])
def test_scatter_combines_what_meets_in_one_place(dtype, op):
    if "c" in dtype and op in ("amin", "amax"):
        return
    for shape, index_shape in SHAPES:
        for dim in range(len(shape)):
            fitting = fit(shape, index_shape, dim)
            for dst in layouts(values(shape, dtype)):
                src = values(fitting, dtype)
                index = indices(fitting, shape[dim])
                if op == "set":
                    # PyTorch leaves open which of several values stays: make them equal
                    src[...] = values((1,), dtype)
                    want = t(dst).scatter(dim, t(index), t(src))
                else:
                    if op == "prod":
                        src = (src != 0).astype(dtype)
                    if dtype == "f2" and op == "sum":
                        src = np.clip(src, -1, 1)
                    want = t(dst).scatter_reduce(dim, t(index), t(src), op)
                probe.scatter(dst, src, index, dim, shape[dim], dst.strides[dim], op)
                same(dst, want)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_scatter_extremes_propagate_nan(dtype):
    for op in ("amin", "amax"):
        dst = np.array([1, np.nan, 3, 4], dtype)
        src = np.array([np.nan, 1, 2, np.nan, 5, np.nan], dtype)
        index = np.array([0, 1, 2, 2, 2, 3])
        want = t(dst).scatter_reduce(0, t(index), t(src), op)
        probe.scatter(dst, src, index, 0, 4, dst.strides[0], op)
        same(dst, want)


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_are_selected_copied_and_added_by_one_index(dtype):
    for shape, n in (((5, 3), 7), ((30, 200), 400), ((6, 4, 2), 5), ((200, 33), 900)):
        for dim in range(len(shape)):
            src = values(shape, dtype)
            index = indices(n, shape[dim])
            out_shape = [*shape[:dim], n, *shape[dim + 1 :]]
            expanded = np.broadcast_to(
                index.reshape([-1 if d == dim else 1 for d in range(len(shape))]), out_shape
            )
            out = np.empty(out_shape, dtype)
            probe.gather(out, src, expanded, dim, 0, src.strides[dim])
            same(out, t(src).index_select(dim, t(index)))
            small = (
                np.clip(values(out_shape, dtype), -1, 1)
                if dtype[0] in "fi"
                else values(out_shape, dtype)
            )
            want = t(src).index_add(dim, t(index), t(small))
            probe.scatter(src, small, expanded, dim, 0, src.strides[dim], "sum")
            same(src, want)


def test_take_and_put_wrap_negative_indices():
    src = values((4, 5), "f4")
    index = indices((3, 7), 20, wrap=True)
    out = np.empty((3, 7), "f4")
    probe.gather(out, np.lib.stride_tricks.as_strided(src, (3, 7), (0, 0)), index, -2, 20, 4)
    same(out, t(src).take(t(index)))
    add = values((3, 7), "f4")
    want = t(src).put(t(index), t(add), accumulate=True)
    probe.scatter(
        np.lib.stride_tricks.as_strided(src, (3, 7), (0, 0)), add, index, -2, 20, 4, "sum"
    )
    same(src, want)


@pytest.mark.parametrize("dtype", ["u1", "f4", "c16"])
def test_advanced_indexing_reads_and_accumulates_through_offsets(dtype):
    base = values((5, 6, 7), dtype)
    i, j = indices((4, 3), 5, wrap=True), indices((3,), 7, wrap=True)
    # x[i, :, j]: the broadcast indices come first, then what is sliced
    pair = [np.broadcast_to(a, (4, 3)) for a in (i, j)]
    where = np.empty((4, 3), "i8")
    assert probe.offsets(where, pair, (5, 7), (base.strides[0], base.strides[2])) is None
    where = np.broadcast_to(where[:, :, None], (4, 3, 6))
    view = np.lib.stride_tricks.as_strided(base, (4, 3, 6), (0, 0, base.strides[1]))
    out = np.empty((4, 3, 6), dtype)
    probe.gather(out, view, where, -1, 0, 1)
    same(out, t(base)[t(i), :, t(j)])
    add = values((4, 3, 6), dtype)
    reference = base.copy()
    np.add.at(reference, (i, slice(None), j), add)
    probe.scatter(view, add, where, -1, 0, 1, "sum")
    assert (base == reference).all()


def test_the_first_bad_index_in_order_is_reported():
    index = np.array([[0, 2], [-3, 9]])
    assert probe.check(index, 3, True) == (9, 3)
    assert probe.check(index, 3, False) == (-3, 3)
    assert probe.check(index, 2, True) == (2, 2)
    assert probe.check(index[:, :1], 3, True) is None
    assert probe.check(index.T, 3, False) == (-3, 3)
    assert probe.check(np.broadcast_to(index[1:], (4, 2)), 3, True) == (9, 3)
    assert probe.check(np.zeros((0, 3), "i8"), 0, True) is None
    assert probe.check(np.array(5), 5, True) == (5, 5)
    out = np.empty(2, "i8")
    # element by element, as PyTorch does: the second tensor's 5 comes before the first one's 2
    assert probe.offsets(out, [np.array([0, 2]), np.array([5, 0])], (2, 3), (8, 1)) == (1, 5, 3)
    with pytest.raises(IndexError, match="index 5 is out of bounds for dimension 1 with size 3"):
        torch.zeros(2, 3)[torch.tensor([0, 2]), torch.tensor([5, 0])]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("padding", [-1, 3])
@pytest.mark.parametrize("scale", [False, True])
def test_embedding_gradient_is_pytorchs(dtype, padding, scale):
    for n, cols in ((6, 3), (300, 128)):
        index, grad = indices(n, 10), values((n, cols), dtype)
        weight = np.zeros((10, cols), dtype)
        assert probe.embedding_grad(grad, index, weight, padding, scale) == 0
        want = torch.ops.aten.embedding_dense_backward(t(grad), t(index), 10, padding, scale)
        np.testing.assert_allclose(weight, want.numpy(), rtol=1e-5, atol=1e-5)


MASKED = [(), (5,), (3, 4), (2, 3, 4), (200, 700)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", MASKED, ids=str)
def test_masks_fill_select_and_scatter(dtype, shape):
    for source in layouts(values(shape, dtype)):
        for mask in layouts(rng.random(shape) < 0.5):
            mask = np.broadcast_to(mask[..., :1], shape) if shape and rng.random() < 0.3 else mask
            total = int(mask.sum())
            out = np.empty(total + 1, dtype)
            guard = out[-1:].copy()
            assert probe.mask_select(source, mask, out) == total
            same(out[:-1], t(source).masked_select(t(mask)))
            assert out[-1:].tobytes() == guard.tobytes()
            value = values((), dtype) + np.zeros((), dtype)
            want = t(source).masked_fill(t(mask), t(np.asarray(value, dtype)))
            want_scatter = t(source).masked_scatter(t(mask), t(out))
            filled = np.array(source, order="K")
            probe.mask_fill(filled, mask, np.asarray(value, dtype))
            same(filled, want)
            target = np.array(source, order="K")
            probe.mask_scatter(target, mask, out)
            same(target, want_scatter)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (7,), (3, 4), (2, 0, 3), (2, 3, 4), (30, 1200)], ids=str)
def test_nonzero_lists_positions_in_order(dtype, shape):
    for source in layouts(values(shape, dtype)):
        found = probe.find_nonzero(source)
        want = torch.nonzero(t(source))
        same(found, want)
        if len(shape) and found.shape[0] > 1 and len(shape) > 1:
            assert tuple(s // 8 for s in found.strides) == want.stride()


def test_negative_zero_is_zero_and_nan_is_not():
    for dtype in ("f2", "f4", "f8", "c8", "c16"):
        assert probe.find_nonzero(np.array([-0.0, np.nan, 0.0, np.inf], dtype)).tolist() == [
            [1],
            [3],
        ]


@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 5), (0, 3)], ids=str)
def test_roll_wraps_every_dimension(shape):
    for source in layouts(values(shape, "f4")):
        for _ in range(6):
            shifts = rng.integers(-7, 8, len(shape)).tolist()
            out = np.empty(shape, "f4")
            probe.rolled(out, source, shifts)
            same(out, t(source).roll(shifts, list(range(len(shape)))))


@pytest.mark.parametrize("shape", [(4, 4), (3, 6), (6, 3), (2, 3, 4), (0, 3)], ids=str)
@pytest.mark.parametrize("dtype", ["u1", "f4", "c16"])
def test_triangles_keep_one_side_of_the_diagonal(shape, dtype):
    for source in layouts(values(shape, dtype)):
        for diagonal in range(-5, 6):
            for upper in (False, True):
                want = (torch.triu if upper else torch.tril)(t(source), diagonal)
                out = np.empty(shape, dtype)
                probe.tri(out, source, diagonal, upper)
                same(out, want)
                in_place = source.copy()
                probe.tri(in_place, in_place, diagonal, upper)
                same(in_place, want)
