"""The reduction kernels against PyTorch in float64 (or int64), over generated layouts and axes."""

import itertools

import numpy as np
import pytest

from tests.probes.kernels.reduction import reduce_array

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

FLOATS = ["f2", "f4", "f8"]
COMPLEX = ["c8", "c16"]
INTEGERS = ["u1", "i1", "i2", "i4", "i8", "?"]
SHAPES = [
    (),
    (1,),
    (7,),
    (5000,),
    (3, 4),
    (300, 5),
    (5, 300),
    (40, 700),
    (2, 3, 4),
    (13, 17, 19),
    (2, 600, 3),
    (3, 0),
    (0, 3),
]
FEW_SHAPES = [(70,), (5, 300), (300, 9), (2, 60, 3), (3, 0)]
rng = np.random.default_rng(0)


def values(shape, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        a = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    elif dtype.kind == "f":
        a = rng.standard_normal(shape) + 1
    elif dtype.kind == "b":
        a = rng.random(shape) < 0.5
    else:
        a = rng.integers(-5 if dtype.kind == "i" else 0, 100, shape)
    return np.where(rng.random(shape) < 0.2, np.zeros((), dtype), a).astype(dtype)


def layouts(shape, dtype):
    """Contiguous, transposed, with gaps, expanded."""
    yield values(shape, dtype)
    if shape:
        yield values(shape[::-1], dtype).transpose()
        yield values([2 * n for n in shape], dtype)[tuple(slice(None, None, 2) for _ in shape)]
        yield np.broadcast_to(values((1, *shape[1:]), dtype), shape)


def cases(dtype, empty=True, shapes=SHAPES):
    for shape in shapes:
        for a in layouts(shape, dtype):
            for count in range(1 if shape else 0, len(shape) + 1):
                for axes in itertools.combinations(range(len(shape)), count):
                    if a.size or empty:
                        yield a, axes


def rows(a, axes):
    """The reduced axes as one, last, in their order: what positions count."""
    kept = [d for d in range(a.ndim) if d not in axes]
    return a.transpose([*kept, *axes]).reshape([a.shape[d] for d in kept] + [-1])


def tensor(a):
    return torch.from_numpy(np.array(a))


def wide(a):
    return tensor(a).to({"c": torch.complex128, "f": torch.float64}.get(a.dtype.kind, torch.int64))


def assert_close(got, want, tolerance):
    want = np.asarray(want).reshape(got.shape)
    with np.errstate(over="ignore"):
        want = want.astype(got.dtype)
    if tolerance:
        kind = complex if got.dtype.kind == "c" else float
        np.testing.assert_allclose(got.astype(kind), want.astype(kind), tolerance, tolerance)
    else:
        np.testing.assert_array_equal(got, want)


def tolerance(dtype):
    return {"f2": 3e-3, "f4": 3e-6, "f8": 1e-12, "c8": 2e-5, "c16": 1e-12}.get(dtype, 0)


@pytest.mark.parametrize("dtype", FLOATS + COMPLEX + INTEGERS)
def test_sum_adds_along_any_axes_of_any_layout(dtype):
    for a, axes in cases(dtype):
        out = a.dtype if a.dtype.kind in "fc" else np.int64
        want = wide(a).sum(axes) if a.ndim else wide(a)
        assert_close(reduce_array("sum", a, axes, out)[0], want, tolerance(dtype))


@pytest.mark.parametrize("dtype", FLOATS + COMPLEX)
def test_mean_divides_the_sum_by_the_count(dtype):
    for a, axes in cases(dtype):
        want = wide(a).mean(axes) if a.ndim else wide(a)
        assert_close(reduce_array("mean", a, axes, a.dtype)[0], want, tolerance(dtype))


def test_sum_converts_elements_to_the_result_type_before_adding():
    a = np.array([0.6, 0.6, 0.6], np.float32)
    assert reduce_array("sum", a, (0,), np.int64)[0] == 0
    assert reduce_array("sum", a, (0,), np.float64)[0] == a.astype(float).sum()
    wrapped = (600 + 128) % 256 - 128
    assert reduce_array("sum", np.full(3, 200, np.uint8), (0,), np.int8)[0] == wrapped


@pytest.mark.parametrize("dtype", FLOATS)
def test_nansum_counts_nan_as_zero(dtype):
    a = values((60, 70), dtype)
    a[rng.random(a.shape) < 0.3] = np.nan
    for axes in [(0,), (1,), (0, 1)]:
        want = tensor(a).double().nansum(axes)
        assert_close(reduce_array("nansum", a, axes, a.dtype)[0], want, tolerance(dtype))


@pytest.mark.parametrize("dtype", FLOATS[1:] + COMPLEX + INTEGERS)
def test_prod_multiplies_and_integers_wrap_around(dtype):
    for shape in [(1,), (5,), (70,), (3, 40), (40, 9), (3, 0), (2, 50, 3)]:
        a = values(shape, dtype)
        if a.dtype.kind in "fc":
            a /= np.maximum(np.abs(a), 1e-3)
        for axis in range(len(shape)):
            out = a.dtype if a.dtype.kind in "fc" else np.int64
            want = wide(a).prod(axis)
            assert_close(reduce_array("prod", a, (axis,), out)[0], want, 10 * tolerance(dtype))


@pytest.mark.parametrize("name", ["amax", "amin"])
@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
def test_amax_and_amin_along_any_axes_of_any_layout(dtype, name):
    for a, axes in cases(dtype, empty=False):
        want = getattr(torch, name)(tensor(a), axes)
        assert_close(reduce_array(name, a, axes, a.dtype)[0], want, 0)


@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
def test_extremes_with_positions_take_the_first_of_equal_elements(dtype, name):
    for a, axes in cases(dtype, empty=False):
        got, index = reduce_array(name, a, axes, a.dtype, np.int64)
        want = getattr(torch, name)(tensor(rows(a, axes)), -1)
        assert_close(got, want[0], 0)
        assert_close(index, want[1], 0)
        assert_close(reduce_array("arg" + name, a, axes, np.int64)[0], want[1], 0)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_nan_and_infinities_win_or_propagate_as_in_pytorch(dtype):
    inf, nan = np.inf, np.nan
    patterns = [
        [-inf],
        [-inf, 1, 2],
        [inf, 1],
        [inf, -inf],
        [nan, 1],
        [1, nan, inf],
        [inf, nan],
        [3e38 if dtype == "f4" else 1e308] * 2,
        [-1e4],
        [3],
    ]
    for pattern, repeat in itertools.product(patterns, (1, 20, 700)):
        row = np.array(pattern * repeat, dtype)
        for a, axis in [(row[None], 1), (np.repeat(row[:, None], 9, 1), 0)]:
            for name in ("amax", "amin", "argmax", "argmin", "logsumexp"):
                out = np.int64 if name.startswith("arg") else a.dtype
                want = getattr(torch, name)(tensor(a), axis)
                assert_close(reduce_array(name, a, (axis,), out)[0], want, 1e-5)


@pytest.mark.parametrize("dtype", FLOATS + COMPLEX + INTEGERS)
def test_any_all_and_count_nonzero_look_at_values_not_at_bits(dtype):
    for shape in SHAPES[1:]:
        last = np.ones(shape, dtype)
        if last.size:
            last.flat[-1] = 0
        extra = [np.zeros(shape, dtype), np.ones(shape, dtype), last]
        if np.dtype(dtype).kind in "fc":
            extra.append(-np.zeros(shape, dtype))
        for a in [*layouts(shape, dtype), *extra]:
            for count in range(1, len(shape) + 1):
                for axes in itertools.combinations(range(len(shape)), count):
                    t = tensor(a)
                    assert_close(reduce_array("any", a, axes, bool)[0], t.any(axes), 0)
                    assert_close(reduce_array("all", a, axes, bool)[0], t.all(axes), 0)
                    assert_close(
                        reduce_array("count_nonzero", a, axes, np.int64)[0],
                        t.count_nonzero(axes),
                        0,
                    )


@pytest.mark.parametrize("p", [0, 1, 2, 3, 0.5, -1, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", FLOATS + COMPLEX)
def test_norms_of_every_order(dtype, p):
    for a, axes in cases(dtype, shapes=FEW_SHAPES):
        if not axes or p in (-1, np.inf, -np.inf) and a.size == 0:
            continue
        want = torch.linalg.vector_norm(wide(a).abs(), p, axes)
        out = np.dtype(a.real.dtype)
        assert_close(
            reduce_array("norm", a, axes, out, parameter=p)[0], want, max(tolerance(dtype), 1e-11)
        )


@pytest.mark.parametrize("correction", [0, 1, 2.5])
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
def test_variance_with_mean_of_any_layout(dtype, correction):
    for a, axes in cases(dtype, shapes=FEW_SHAPES):
        if not axes:
            continue
        var, mean = torch.var_mean(wide(a), axes, correction=correction)
        got = reduce_array("var_mean", a, axes, a.dtype, a.dtype, correction)
        assert_close(got[0], var, tolerance(dtype))
        assert_close(got[1], mean, tolerance(dtype))
        assert_close(
            reduce_array("std", a, axes, a.dtype, None, correction)[0], var.sqrt(), tolerance(dtype)
        )


def test_variance_of_values_far_from_zero_keeps_its_digits():
    a = (rng.standard_normal(100_000) + 1e4).astype(np.float32)
    want = a.astype(float).var(ddof=1)
    assert_close(reduce_array("var", a, (0,), np.float32, None, 1)[0], want, 1e-6)


@pytest.mark.parametrize("dtype", FLOATS)
def test_logsumexp_of_any_layout(dtype):
    for a, axes in cases(dtype, shapes=FEW_SHAPES):
        if axes:
            want = torch.logsumexp(wide(a), axes)
            assert_close(reduce_array("logsumexp", a, axes, a.dtype)[0], want, tolerance(dtype))


def test_a_long_float32_sum_is_exact_to_the_last_digits():
    a = rng.random(3_000_000, np.float32)
    want = a.astype(float).sum()
    for view in (a, a.reshape(1000, 3000).T, a.reshape(-1, 3)):
        total = reduce_array("sum", view, tuple(range(view.ndim)), np.float32)[0]
        assert abs(float(total.item()) - want) <= 2e-7 * want


@pytest.mark.parametrize("name", ["sum", "amax", "argmin", "all", "var", "logsumexp", "norm"])
@pytest.mark.parametrize(
    "shape", [(2_000_003,), (3, 700_001), (700_001, 3), (1500, 1501), (40, 130, 401)]
)
def test_work_large_enough_for_threads_gives_the_same(name, shape):
    a = rng.random(shape, np.float32)
    a.flat[a.size // 2] = 0
    for axes in [(0,), (len(shape) - 1,), tuple(range(len(shape))), (0, len(shape) - 1)]:
        axes = tuple(sorted(set(axes)))
        out = {"argmin": np.int64, "all": bool}.get(name, np.float32)
        parameter = {"norm": 2}.get(name, 1)
        t = tensor(a).double()
        if name == "argmin":
            want = tensor(rows(a, axes)).argmin(-1)
        elif name == "norm":
            want = torch.linalg.vector_norm(t, 2, axes)
        else:
            want = getattr(torch, name)(t, axes)
        got = reduce_array(name, a, axes, out, None, parameter)[0]
        assert_close(got, want, 0 if out in (bool, np.int64) else 2e-5)


def test_a_dtype_without_a_loop_is_refused():
    for name in ("amax", "argmin", "var", "nansum", "logsumexp"):
        with pytest.raises(TypeError, match="no loop"):
            reduce_array(name, np.ones(3, np.complex64), (0,), np.complex64)
