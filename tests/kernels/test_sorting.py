"""Sorting, selecting, unique and binning kernels against PyTorch."""

import numpy as np
import pytest

from tests.probes.kernels import sorting as probe

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

FLOATS = ["f2", "f4", "f8"]
INTEGERS = ["u1", "i1", "i2", "i4", "i8"]
SHAPES = [
    (1, 1),
    (3, 2),
    (4, 7),
    (5, 24),
    (5, 25),
    (3, 100),
    (3, 400),
    (2, 3000),
    (1, 70_000),
    (400, 300),
    (2, 0),
    (0, 3),
]
rng = np.random.default_rng(0)


def inputs(shape, dtype):
    """Distinct values, ties, and for floats nan, infinities and zeros of both signs."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        yield rng.random(shape) < 0.5
    elif dtype.kind != "f":
        info = np.iinfo(dtype)
        yield rng.integers(info.min, info.max, shape, dtype, endpoint=True)
        yield rng.integers(0, 3, shape).astype(dtype)
    else:
        x = rng.standard_normal(shape) * 10
        yield x.astype(dtype)
        yield np.round(x).astype(dtype)
        yield np.where(rng.random(shape) < 0.5, -0.0, 0.0).astype(dtype)
        for value in (np.nan, np.inf, -np.inf):
            x = np.where(rng.random(shape) < 0.2, value, np.round(x))
        yield x.astype(dtype)


def tensor(a):
    return torch.from_numpy(np.array(a))


def equal(got, want):
    np.testing.assert_array_equal(got, np.asarray(want))


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS, "?"])
@pytest.mark.parametrize("descending", [False, True])
def test_sort_is_stable_and_puts_nan_beyond_all_numbers(dtype, descending):
    for shape in SHAPES:
        for x in inputs(shape, dtype):
            values, indices = probe.sort(x, descending)
            want = torch.sort(tensor(x), dim=1, descending=descending, stable=True)
            equal(values, want[0])
            equal(indices, want[1])
            if x.dtype.kind == "f":
                equal(
                    np.signbit(values[~np.isnan(values)]),
                    np.signbit(want[0].numpy()[~np.isnan(values)]),
                )


def test_sort_of_doubles_that_differ_in_their_last_bits_only():
    x = np.nextafter(1, 2) + np.arange(200)[::-1] * np.finfo(float).eps
    x[7] = 1e300
    equal(probe.sort(x[None], False)[0], np.sort(x)[None])


@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
@pytest.mark.parametrize("largest", [False, True])
def test_topk_takes_pytorchs_of_equal_elements(dtype, largest):
    for shape in SHAPES:
        n = shape[1]
        for x in inputs(shape, dtype):
            order = probe.sort(x, largest)[1]
            for k in {0, min(1, n), min(5, n), n // 2, n - 1 if n else 0, n}:
                values, indices = probe.topk(x, k, largest, True)
                expected = torch.topk(tensor(x), k, 1, largest)
                equal(values, expected[0])
                equal(indices, expected[1])
                values, indices = probe.topk(x, k, largest, False)
                equal(np.sort(indices, 1), np.sort(order[:, :k], 1))
                equal(values, np.take_along_axis(x, indices, 1))


@pytest.mark.parametrize("k", [1, 40, 700, 1999])
def test_topk_where_each_pivot_is_bad(k):
    """The median of three is among the smallest each time, until the partitions are too deep."""
    half = np.arange(1000)
    first = np.where(half % 2 == 0, half + 1, 1000 + half)
    x = np.concatenate([first, 2 * half + 2]).astype("i4")
    x[x == 1500] = 1501
    for row in (x, x[::-1].copy(), -x):
        for largest in (False, True):
            got = probe.topk(row[None], k, largest, True)
            equal(got[1], torch.topk(tensor(row[None]), k, 1, largest)[1])


@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
def test_kthvalue_and_median(dtype):
    for shape in SHAPES:
        if 0 in shape:
            continue
        for x in inputs(shape, dtype):
            for k in {1, shape[1] // 2 + 1, shape[1]}:
                values, indices = probe.kthvalue(x, k)
                equal(values, torch.kthvalue(tensor(x), k, 1)[0])
                equal(values, np.take_along_axis(x, indices[:, None], 1)[:, 0])
            for ignore_nan, median in [(False, torch.median), (True, torch.nanmedian)]:
                values, indices = probe.median(x, ignore_nan)
                equal(values, median(tensor(x), 1)[0])
                equal(values, np.take_along_axis(x, indices[:, None], 1)[:, 0])


def test_median_of_a_row_with_nan_is_its_first_nan():
    x = np.array([[3, np.nan, 1, np.nan]])
    values, indices = probe.median(x, False)
    assert np.isnan(values[0]) and indices[0] == 1


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS, "?"])
def test_unique_values_with_inverse_and_counts(dtype):
    for shape in SHAPES:
        for x in inputs(shape, dtype):
            flat = x.ravel()
            got = probe.unique(flat, False)
            want = torch.unique(tensor(flat), return_inverse=True, return_counts=True)
            equal(got[0], want[0])
            equal(got[2], want[2])
            if x.dtype.kind != "f" or not np.isnan(x).any():
                equal(got[1], want[1])  # which nan is which is open
            equal(got[0][got[1]], flat)
            want = torch.unique_consecutive(tensor(flat), return_inverse=True, return_counts=True)
            for a, b in zip(probe.unique(flat, True), want, strict=True):
                equal(a, b)


@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
@pytest.mark.parametrize("right", [False, True])
def test_searchsorted_with_rows_sorter_and_nan(dtype, right):
    for shape in SHAPES:
        for x in inputs(shape, dtype):
            boundaries = np.sort(x, 1)
            values = rng.permutation(x.ravel()).reshape(shape)
            want = torch.searchsorted(tensor(boundaries), tensor(values), right=right)
            equal(probe.searchsorted(boundaries, values, right), want)
            sorter = np.argsort(x, 1, kind="stable")
            want = torch.searchsorted(tensor(x), tensor(values), right=right, sorter=tensor(sorter))
            equal(probe.searchsorted(x, values, right, False, sorter), want)
            if shape[0]:
                got = probe.searchsorted(boundaries[:1], values.reshape(1, -1), right, True)
                want = torch.searchsorted(
                    tensor(boundaries[0]), tensor(values).ravel(), right=right, out_int32=True
                )
                assert got.dtype == np.int32
                equal(got[0], want)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_bincount_with_and_without_weights(dtype):
    x = rng.integers(0, 100, 1000).astype(dtype)
    equal(probe.bincount(x, None, 120), torch.bincount(tensor(x), minlength=120))
    for weights in (rng.random(1000), rng.random(1000, np.float32)):
        want = np.bincount(x, weights, 120)
        np.testing.assert_allclose(probe.bincount(x, weights, 120), want, 1e-4)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_histc_leaves_out_what_is_outside(dtype):
    x = (rng.standard_normal(3000) * 10).astype(dtype)
    for bins, low, high in [(1, -7.0, 9.0), (7, -7.0, 9.0), (100, float(x.min()), float(x.max()))]:
        equal(probe.histc(x, bins, low, high), torch.histc(tensor(x), bins, low, high))
    assert probe.histc(np.array([np.nan, 1, 2, 3], dtype), 2, 1, 3).tolist() == [1, 2]


def test_complex_numbers_have_no_order():
    for call in (
        lambda x: probe.sort(x, False),
        lambda x: probe.topk(x, 1, True, True),
        lambda x: probe.median(x, False),
    ):
        with pytest.raises(TypeError):
            call(np.ones((2, 3), np.complex64))
