"""Sorting, selecting, distinct values and bins against PyTorch."""

from functools import partial

import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

import minitorch  # noqa: E402
from tests.ops.oracle import DTYPES, compare, layouts, outcome, sample, to_impl  # noqa: E402
from tests.probes.ops import sorting as probe  # noqa: E402

aten = torch.ops.aten
SHAPES = [(), (1,), (7,), (3, 4), (2, 3, 4), (0,), (2, 0, 3), (3, 300)]
THEIRS = {
    "sort": lambda x, dim=-1, descending=False: torch.sort(
        x, dim=dim, descending=descending, stable=True
    ),
    "argsort": lambda x, dim=-1, descending=False: torch.argsort(
        x, dim=dim, descending=descending, stable=True
    ),
    "median_dim": torch.median,
    "nanmedian_dim": torch.nanmedian,
    "_unique2": aten._unique2,
    "unique_dim": aten.unique_dim,
    "unique_consecutive": lambda x, inverse=False, counts=False, dim=None: aten.unique_consecutive(
        x, inverse, counts, dim
    ),
}


def check(name, *args, **kwargs):
    theirs = THEIRS.get(name) or getattr(torch, name)
    compare(partial(probe.call, name), theirs, *args, case=name, **kwargs)


def distinct(shape, dtype=torch.float32, seed=0):
    """Values without ties: where there are some, PyTorch does not say which index it gives."""
    n = torch.Size(shape).numel()
    values = torch.randperm(n, generator=torch.Generator().manual_seed(seed)) - n // 2
    return (values.reshape(shape) * (0.5 if dtype.is_floating_point else 1)).to(dtype)


def dims(x):
    return range(-max(x.dim(), 1), max(x.dim(), 1))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", ["sort", "argsort"])
def test_sort_along_every_dimension_of_every_layout(name, shape):
    for x in layouts(sample(shape, torch.int64)):
        for dim in dims(x):
            for descending in (False, True):
                check(name, x, dim, descending)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(
    "name, args",
    [
        ("sort", ()),
        ("topk", (2,)),
        ("kthvalue", (2,)),
        ("median", ()),
        ("median_dim", (1,)),
        ("_unique2", ()),
        ("unique_consecutive", ()),
        ("msort", ()),
    ],
    ids=str,
)
def test_every_dtype_gives_pytorchs_result_or_error(name, args, dtype):
    x = (
        sample((3, 5), dtype)
        if dtype in (torch.bool, torch.uint8) or dtype.is_complex
        else distinct((3, 5), dtype)
    )
    if dtype == torch.uint8 and name in ("topk", "kthvalue", "median_dim"):
        x = torch.tensor([[3, 1, 200, 7, 9]], dtype=dtype)
    check(name, x, *args)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_topk_and_kthvalue(shape):
    for x in layouts(distinct(shape)):
        for dim in dims(x):
            n = x.shape[dim] if x.dim() else 1
            for k in {0, 1, n // 2, n, n + 1}:
                for largest in (True, False):
                    check("topk", x, k, dim, largest)
                for keepdim in (False, True):
                    check("kthvalue", x, k, dim, keepdim)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_median_and_mode(shape):
    for x in layouts(distinct(shape)):
        check("median", x)
        check("nanmedian", x)
        for dim in dims(x):
            for keepdim in (False, True):
                check("median_dim", x, dim, keepdim)
                check("nanmedian_dim", x, dim, keepdim)
                check("mode", x, dim, keepdim)
    x = sample(shape, torch.int64)
    if x.numel():
        for dim in dims(x):
            # PyTorch's index is the last one only in short rows
            compare(lambda *a: probe.call("mode", *a)[0], lambda *a: torch.mode(*a)[0], x, dim)


def test_unsorted_topk_gives_the_same_set():
    x = distinct((4, 50))
    values, indices = probe.call("topk", to_impl(x), 7, 1, True, False)
    compare(lambda x: probe.call("sort", values, 1, True)[0], lambda x: x.topk(7)[0], x)


def test_nan_is_the_largest():
    nan = float("nan")
    for x in (
        torch.tensor([1.0, nan, 3.0, -1.0]),
        torch.tensor([nan, 2.0, 1.0]),
        torch.tensor([2.0, 1.0, nan]),
    ):
        for descending in (False, True):
            check("sort", x, -1, descending)
            check("topk", x, 2, -1, descending)
        check("median_dim", x, 0)
        check("nanmedian_dim", x, 0)
        check("median", x)
        check("nanmedian", x)


def test_errors():
    x = sample((2, 3))
    for name, args in (
        ("sort", ()),
        ("topk", (1,)),
        ("kthvalue", (1,)),
        ("median_dim", ()),
        ("mode", ()),
    ):
        check(name, x, *args, 2)
        check(name, x, *args, -3)
        check(name, x[:0], *args, 0)
    check("topk", x, 4)
    check("topk", x, -1)
    check("kthvalue", x, 0)
    check("kthvalue", x, 4)


@pytest.mark.parametrize("shape", [(), (1,), (30,), (5, 6), (0,), (2, 0)], ids=str)
@pytest.mark.parametrize("inverse", [True, False])
@pytest.mark.parametrize("counts", [True, False])
def test_unique(shape, inverse, counts):
    for dtype in (torch.int64, torch.float32, torch.bool, torch.uint8):
        for x in layouts(sample(shape, dtype)):
            check("_unique2", x, True, inverse, counts)
            check("unique_consecutive", x, inverse, counts)
            if x.dim() and not (dtype == torch.bool and x.numel() == 0):
                for dim in range(x.dim()):
                    # PyTorch's results that are not asked for are not always empty
                    compare(
                        lambda *a: probe.call("unique_dim", *a)[0],
                        lambda *a: aten.unique_dim(*a)[0],
                        x,
                        dim,
                        True,
                        inverse,
                        counts,
                        strides=False,
                    )
                    if x.numel():
                        compare(
                            partial(probe.call, "unique_dim"),
                            aten.unique_dim,
                            x,
                            dim,
                            True,
                            True,
                            True,
                            strides=False,
                        )
                        compare(
                            partial(probe.call, "unique_consecutive"),
                            aten.unique_consecutive,
                            x,
                            True,
                            True,
                            dim,
                            strides=False,
                        )


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("out_int32", [False, True])
def test_searchsorted_and_bucketize(right, out_int32):
    edges = torch.tensor([-1.0, 0.0, 0.0, 2.0])
    values = torch.tensor([[-2.0, -1.0, 0.0], [1.0, 2.0, float("nan")]])

    def theirs(edges, x, out_int32, right, side=None, sorter=None):
        return torch.searchsorted(
            edges, x, out_int32=out_int32, right=right, side=side, sorter=sorter
        )

    def search(*args):
        compare(partial(probe.call, "searchsorted"), theirs, *args, case="searchsorted")

    for x in (
        values,
        values.double(),
        values[0],
        values[0, 0],
        values[:0],
        values.nan_to_num().long(),
    ):
        search(edges, x, out_int32, right)
        compare(
            partial(probe.call, "bucketize"),
            lambda x, e, a, b: torch.bucketize(x, e, out_int32=a, right=b),
            x,
            edges,
            out_int32,
            right,
        )
    search(torch.stack([edges, edges + 1]), values, out_int32, right)
    search(edges.flip(0), values, out_int32, right, None, torch.tensor([3, 2, 1, 0]))
    for bad in (
        (edges, values, False, True, "left"),
        (edges, values, False, False, "up"),
        (edges[0], values, False, False),
        (torch.stack([edges, edges]), values[0, 0], False, False),
        (edges[None], values, False, False),
        (edges, values, False, False, None, torch.tensor([0, 1])),
        (edges, values, False, False, None, torch.tensor([0, 1, 2, 4])),
        (edges, values, False, False, None, edges),
    ):
        search(*bad)
    check("bucketize", values, edges[None])


def test_bincount():
    x = torch.tensor([3, 1, 1, 0, 5])
    for dtype in DTYPES:
        if not dtype.is_floating_point and not dtype.is_complex:
            check("bincount", x.to(dtype))
    for weights in (sample((5,)), sample((5,), torch.float64), x, sample((4,)), sample((5, 1))):
        check("bincount", x, weights)
    check("bincount", x, None, 9)
    check("bincount", x, None, 2)
    check("bincount", x, None, -1)
    check("bincount", x - 1)
    check("bincount", x[None])
    check("bincount", x[:0], None, 3)
    check("bincount", sample((3,)))


def test_histc():
    x = sample((40,))
    for args in ((), (4,), (4, -1, 1), (1, 0, 0), (0,), (4, 1, 0), (4, 0, float("inf"))):
        for dtype in (torch.float32, torch.float64):
            check("histc", x.to(dtype), *args)
    check("histc", torch.ones(3), 3)
    check("histc", x[:0], 3)
    check("histc", torch.tensor([1.0, float("nan")]), 3, 0, 2)
    check("histc", x.long(), 3)


def test_an_out_pair_is_written():
    x = distinct((2, 3))
    for name, args in (
        ("sort", (x, 1, False)),
        ("topk", (x, 2)),
        ("kthvalue", (x, 2)),
        ("median_dim", (x, 1)),
    ):
        theirs = THEIRS.get(name) or getattr(torch, name)
        expected = theirs(*args)
        out = to_impl(torch.zeros(0)), to_impl(torch.zeros(0, dtype=torch.int64))
        (got, error, _) = outcome(
            lambda name=name, args=args, out=out: probe.call(
                name, to_impl(args[0]), *args[1:], values=out[0], indices=out[1]
            )
        )
        assert error is None
        assert got[0] is out[0] and got[1] is out[1]
        for ours, their in zip(out, expected, strict=True):
            compare(lambda t, o=ours: o, lambda t: t, their)


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_distinct_slices_come_in_pytorchs_order_and_strides(dim):
    x = torch.randint(0, 2, (4, 3, 4), generator=torch.Generator().manual_seed(dim))
    expected = torch.unique(x, dim=dim, return_inverse=True, return_counts=True)
    found = minitorch.unique(
        minitorch.tensor(x.tolist()), dim=dim, return_inverse=True, return_counts=True
    )
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.tolist() == theirs.tolist()
    assert found[0].stride() == expected[0].stride()


def test_slices_of_a_tensor_without_dimensions_are_refused():
    for function in (minitorch.unique, minitorch.unique_consecutive):
        with pytest.raises(IndexError, match="Dimension specified as 0 but tensor has no"):
            function(minitorch.tensor(1.0), dim=0)
