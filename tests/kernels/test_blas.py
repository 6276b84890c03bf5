"""Matrix products of every dtype and layout, against exact or wider arithmetic."""

import itertools

import numpy as np
import pytest

from tests.probes.kernels import blas as probe
from tests.probes.kernels import convolution as tiles

DTYPES = "u1 i1 i2 i4 i8 f2 f4 f8 c8 c16".split()
LAYOUTS = ["rows", "columns", "gap", "both", "expanded"]
SHAPES = [
    (1, 1, 1),
    (1, 5, 1),
    (3, 1, 4),
    (1, 40, 30),
    (30, 40, 1),
    (2, 3, 4),
    (8, 8, 8),
    (9, 33, 17),
    (40, 3, 70),
    (3, 0, 2),
    (0, 3, 2),
    (2, 3, 0),
]
rng = np.random.default_rng(0)


def values(shape, dtype):
    kind = np.dtype(dtype).kind
    if kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    if kind == "c":
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


def laid_out(shape, dtype, layout):
    """Random values of a shape whose last two dimensions lie in memory as `layout` says."""
    *batch, rows, cols = shape
    if layout == "columns":
        return values([*batch, cols, rows], dtype).swapaxes(-1, -2)
    if layout == "gap":
        return values([*batch, rows, cols + 3], dtype)[..., :cols]
    if layout == "both":
        return values([*batch, 2 * rows, 3 * cols], dtype)[..., ::2, ::3]
    if layout == "expanded":
        return np.broadcast_to(values([*batch, 1, cols], dtype), shape)
    return values(shape, dtype)


def expected(x, y, out, alpha, beta, conj=(False, False)):
    """The same in Python integers, or in the widest floating type."""
    wide = (
        object
        if out.dtype.kind in "iu"
        else np.clongdouble
        if out.dtype.kind == "c"
        else np.longdouble
    )
    x, y = (a.astype(wide) for a in (x, y))
    x, y = (a.conj() if c else a for a, c in zip((x, y), conj, strict=True))
    # NumPy has no fast product of long doubles; what float64 rounds is within the tolerance
    narrow = np.float64 if out.dtype.kind == "f" and x.size > 500 else wide
    product = (1 if alpha is None else alpha) * (x.astype(narrow) @ y.astype(narrow))
    if beta:
        product = product + beta * out.astype(wide)
    if wide is object:
        bits = 8 * out.itemsize
        wrapped = np.array([int(v) % 2**bits for v in np.ravel(product)], object).reshape(out.shape)
        return wrapped.astype(f"u{out.itemsize}").view(out.dtype)
    return product


def check(name, x, y, out, alpha=None, beta=None, conj=(False, False)):
    want = expected(x, y, out, alpha, beta, conj)
    assert probe.product(name, x, y, out, alpha, beta, conj) == 0
    if out.dtype.kind in "iu":
        assert (out == want).all()
    else:
        eps = np.finfo(out.dtype).eps
        scale = (
            1 + abs(x).astype(np.longdouble).max(initial=0) * abs(y).max(initial=0) * x.shape[-1]
        )
        assert (abs(out - want) <= 8 * eps * scale).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_gemm_is_right_for_every_layout(dtype, shape):
    m, k, n = shape
    for a, b, c in itertools.product(LAYOUTS, LAYOUTS, LAYOUTS[:4]):
        for alpha, beta in ((None, None), (3, 2)):
            check(
                "gemm",
                laid_out((m, k), dtype, a),
                laid_out((k, n), dtype, b),
                laid_out((m, n), dtype, c),
                alpha,
                beta,
            )


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("size", [3, 20])
def test_gemm_conjugates_what_is_marked(dtype, size):
    for a, b, c in itertools.product(LAYOUTS, LAYOUTS, LAYOUTS[:2]):
        for conj in itertools.product((False, True), repeat=2):
            check(
                "gemm",
                laid_out((size, size), dtype, a),
                laid_out((size, size), dtype, b),
                laid_out((size, size), dtype, c),
                1 + 2j,
                0.5j,
                conj,
            )


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize(
    "shape", [(2, 3, 4), (20, 30, 40), (30, 40, 1), (1, 40, 30), (3, 0, 5)], ids=str
)
def test_beta_zero_drops_nan(dtype, shape):
    m, k, n = shape
    for layout in LAYOUTS[:4]:
        out = laid_out((m, n), dtype, layout)
        out[...] = np.nan
        check("gemm", values((m, k), dtype), values((k, n), dtype), out, 1, 0)
        out = laid_out((m, n), dtype, layout)[:, 0]
        out[...] = np.nan
        check("gemv", values((m, k), dtype), values(k, dtype), out, 1, 0)


def test_no_inner_dimension_scales_the_output():
    out = np.ones((2, 2), "f4")
    assert probe.product("gemm", np.ones((2, 0), "f4"), np.ones((0, 2), "f4"), out, 1, 3) == 0
    assert (out == 3).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (3, 200), (200, 3), (40, 50), (4, 0)], ids=str)
def test_gemv_is_right_for_every_layout(dtype, shape):
    for a, x, y in itertools.product(LAYOUTS, (1, 2, 0), (1, 3)):
        vector = values(shape[1] * 2 + 1, dtype)[:: x or 1][: shape[1]]
        if x == 0:
            vector = np.broadcast_to(values(1, dtype), shape[1:])
        for alpha, beta in ((None, None), (2, 3)):
            check(
                "gemv",
                laid_out(shape, dtype, a),
                vector,
                values(shape[0] * y, dtype)[::y],
                alpha,
                beta,
            )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [0, 1, 7, 500])
def test_dot_is_right_for_every_stride(dtype, size):
    for x, y in itertools.product((1, 2), repeat=2):
        for conj in (
            itertools.product((False, True), repeat=2) if "c" in dtype else [(False, False)]
        ):
            check(
                "dot",
                values(size * x, dtype)[::x],
                values(size * y, dtype)[::y],
                np.zeros((), dtype),
                conj=conj,
            )


@pytest.mark.parametrize("dtype", DTYPES)
def test_ger_is_right_for_every_layout(dtype):
    for layout in LAYOUTS[:4]:
        for alpha, beta in ((None, None), (2, 3), (1, 0)):
            for m, n in ((1, 4), (9, 1), (7, 12)):
                x, y = values(2 * m, dtype)[::2], values(n, dtype)
                out = laid_out((m, n), dtype, layout)
                conj = (False, "c" in dtype)
                want = expected(x[:, None], y[None], out, alpha, beta, conj)
                assert probe.product("ger", x, y, out, alpha, beta, conj) == 0
                if out.dtype.kind in "iu":
                    assert (out == want).all()
                else:
                    assert (abs(out - want) <= 100 * np.finfo(dtype).eps).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape", [(5, 2, 3, 4), (3, 40, 50, 60), (600, 8, 9, 10), (2, 1, 30, 40)], ids=str
)
def test_bmm_is_right_on_one_and_two_threads(dtype, shape):
    batch, m, k, n = shape
    for threads in (1, 2):
        before = probe.threads(threads)
        for a, b, c in itertools.product(LAYOUTS[:3], LAYOUTS[:3], LAYOUTS[:2]):
            check(
                "bmm",
                laid_out((batch, m, k), dtype, a),
                laid_out((batch, k, n), dtype, b),
                laid_out((batch, m, n), dtype, c),
                2,
                3,
            )
        assert probe.threads(threads) == before


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("threads", [1, 2])
def test_products_are_right_with_the_tiles_of_every_processor(level, dtype, threads):
    # sizes on both sides of a block (512 terms, 1536 columns, 128 rows); few rows and columns
    sizes = [
        (150, 400, 130),
        (7, 900, 1600),
        (300, 20, 1550),
        (2, 130, 200),
        (4, 200, 3),
        (5, 513, 512),
        (8, 129, 33),
        (20, 7, 21),
        (260, 60, 512),
        (30, 300, 5),
        (45, 600, 19),
        (70, 130, 40),
        (30, 1100, 100),
    ]
    tiles.use_tiles(level)
    probe.threads(threads)
    try:
        for m, k, n in sizes:
            for b, c in itertools.product(LAYOUTS[:4], LAYOUTS[:2]):
                check(
                    "gemm",
                    laid_out((m, k), dtype, rng.choice(LAYOUTS)),
                    laid_out((k, n), dtype, b),
                    laid_out((m, n), dtype, c),
                    3,
                    rng.choice([0, 1, 2]),
                )
            for a in LAYOUTS[:4]:
                check(
                    "gemv",
                    laid_out((m, n), dtype, a),
                    values(2 * n, dtype)[::2],
                    values(m, dtype),
                    2,
                    3,
                )
            check("dot", values(m * k, dtype), values(m * k, dtype), np.zeros((), dtype))
    finally:
        tiles.use_tiles(-1)
        probe.threads(1)


def test_integers_of_all_sizes_agree_between_threads():
    a, b = values((300, 300), "i4"), values((300, 300), "i4")
    one, two = np.zeros((2, 300, 300), "i4")
    probe.threads(1)
    assert probe.product("gemm", a, b, one) == 0
    probe.threads(2)
    assert probe.product("gemm", a, b, two) == 0
    assert (one == two).all()


def test_a_size_beyond_the_integers_of_blas_is_refused():
    one = np.zeros((1, 1), "c8")
    x = np.broadcast_to(one, (2, 2**31))
    y = np.broadcast_to(one, (2**31, 2))
    out = np.zeros((2, 2), "c8")
    assert probe.product("gemm", x, y, out) == -1
    assert (out == 0).all()


def test_bool_has_no_product():
    x = np.ones((2, 2), bool)
    assert probe.product("gemm", x, x, x.copy()) == -3
