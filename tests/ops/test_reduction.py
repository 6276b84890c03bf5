"""Reductions against PyTorch: values, dtypes, shapes, strides, warnings, errors."""

from functools import partial

import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.both import compare as compare_programs  # noqa: E402
from tests.ops.oracle import DTYPES, FLOATS, compare, layouts, sample  # noqa: E402
from tests.probes.ops import reduction as probe  # noqa: E402

aten = torch.ops.aten
THEIRS = {
    "sum_to_size": lambda x, size: x.sum_to_size(size),
    "sum": lambda x, dim=None, keepdim=False, dtype=None, out=None: torch.sum(
        x, dim, keepdim, dtype=dtype, out=out
    ),
    "nansum": lambda x, dim=None, keepdim=False, dtype=None, out=None: torch.nansum(
        x, dim, keepdim, dtype=dtype, out=out
    ),
    "mean": lambda x, dim=None, keepdim=False, dtype=None, out=None: torch.mean(
        x, dim, keepdim, dtype=dtype, out=out
    ),
    "nanmean": lambda x, dim=None, keepdim=False, dtype=None, out=None: torch.nanmean(
        x, dim, keepdim, dtype=dtype, out=out
    ),
    "prod": lambda x, dtype=None: torch.prod(x, dtype=dtype),
    "prod_dim_int": torch.prod,
    "max_dim": torch.max,
    "min_dim": torch.min,
    "aminmax": lambda x, dim=None, keepdim=False: torch.aminmax(x, dim=dim, keepdim=keepdim),
    "linalg_vector_norm": torch.linalg.vector_norm,
    "norm": lambda x, p=None, dim=None, keepdim=False: aten.norm(
        x, p, [] if dim is None else [dim] if isinstance(dim, int) else dim, keepdim
    ),
    "var": lambda x, dim=None, correction=None, keepdim=False, out=None: torch.var(
        x, dim, correction=correction, keepdim=keepdim, out=out
    ),
    "std": lambda x, dim=None, correction=None, keepdim=False, out=None: torch.std(
        x, dim, correction=correction, keepdim=keepdim, out=out
    ),
    "var_mean": lambda x, dim=None, correction=None, keepdim=False: torch.var_mean(
        x, dim, correction=correction, keepdim=keepdim
    ),
    "std_mean": lambda x, dim=None, correction=None, keepdim=False: torch.std_mean(
        x, dim, correction=correction, keepdim=keepdim
    ),
}
SEVERAL = [
    "sum",
    "nansum",
    "mean",
    "nanmean",
    "amax",
    "amin",
    "linalg_vector_norm",
    "var",
    "std",
    "var_mean",
    "std_mean",
    "logsumexp",
    "count_nonzero",
    "all",
    "any",
]
ONE = ["prod_dim_int", "max_dim", "min_dim", "argmax", "argmin", "aminmax"]
NONE = ["prod", "max", "min"]
WITHOUT_KEEPDIM = ["count_nonzero"]
SHAPES = [(), (1,), (7,), (3, 4), (2, 3, 4), (1, 5, 1), (0,), (2, 0, 3), (40, 33)]


def check(name, *args, **kwargs):
    theirs = THEIRS.get(name) or getattr(torch, name)
    compare(partial(probe.call, name), theirs, *args, case=name, **kwargs)


def dims_of(n):
    yield None
    yield from range(-n, n)
    yield (0,)
    if n >= 2:
        yield (0, 1)
        yield (-1, 0)
        yield tuple(range(n))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", SEVERAL + ONE)
def test_every_choice_of_dimensions_gives_pytorchs_result(name, shape):
    for x in layouts(sample(shape)):
        for dim in dims_of(x.dim()):
            if isinstance(dim, tuple) and name in ONE:
                continue
            if dim is None and name in (
                "prod_dim_int",
                "max_dim",
                "min_dim",
                "amax",
                "amin",
                "logsumexp",
            ):
                continue
            for keepdim in (False, True):
                if name in WITHOUT_KEEPDIM:
                    check(name, x, dim)
                    continue
                check(name, x, dim=dim, keepdim=keepdim)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", SEVERAL + ONE + NONE)
def test_every_dtype_gives_pytorchs_result_or_error(name, dtype):
    x = sample((3, 5), dtype)
    if name in NONE:
        check(name, x)
        return
    check(name, x, 0)
    if name not in ("prod_dim_int", "max_dim", "min_dim", "logsumexp"):
        check(name, x)


@pytest.mark.parametrize("out", DTYPES, ids=str)
@pytest.mark.parametrize("dtype", [torch.uint8, torch.int64, torch.float32, torch.bool], ids=str)
@pytest.mark.parametrize("name", ["sum", "nansum", "prod_dim_int", "mean"])
def test_a_dtype_argument_says_what_is_computed_in(name, dtype, out):
    if name == "nansum" and out.is_complex:
        pytest.skip("has no complex result")
    check(name, sample((3, 5), dtype), 0, dtype=out)


@pytest.mark.parametrize("out", DTYPES, ids=str)
@pytest.mark.parametrize(
    "name",
    [
        "sum",
        "mean",
        "prod_dim_int",
        "amax",
        "argmax",
        "all",
        "any",
        "var",
        "linalg_vector_norm",
        "logsumexp",
    ],
)
def test_out_is_checked_and_written(name, out):
    if name == "logsumexp" and out.is_complex:
        pytest.skip("PyTorch's answer depends on the version")
    x = sample((3, 5))
    # PyTorch computes logsumexp partly in the input's precision
    tolerance = 1e-3 if name == "logsumexp" else None
    for size in (5, 2, 0):
        check(name, x, dim=0, out=torch.zeros(size, dtype=out), tolerance=tolerance)


@pytest.mark.parametrize("p", [0, 1, 2, 3, 2.5, -1, -2, 0.5, float("inf"), -float("inf")])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.complex64, torch.complex128])
def test_norms_of_every_order(p, dtype):
    x = sample((4, 3), dtype)
    for dim in (None, 0, (0, 1)):
        check("linalg_vector_norm", x, p, dim)
        check("norm", x, p, dim)
    for dim in (None, 0, 1):
        check("linalg_vector_norm", x[:0], p, dim)


@pytest.mark.parametrize("correction", [0, 1, 2, 0.5, 3, 4])
@pytest.mark.parametrize("name", ["var", "std", "var_mean", "std_mean"])
def test_variance_with_every_correction(name, correction):
    for dtype in [*FLOATS, torch.complex64]:
        check(name, sample((3, 5), dtype), 0, correction=correction)


@pytest.mark.parametrize("size", [(2, 3), (3,), (1, 3), (2, 1), (1, 1), (), (1,), (4,), (1, 2, 3)])
def test_sum_to_size(size):
    for dtype in (torch.float32, torch.float64, torch.complex64, torch.float16):
        for x in layouts(sample((2, 3), dtype)):
            check("sum_to_size", x, size)


@pytest.mark.parametrize(
    "name", ["amax", "amin", "max", "min", "max_dim", "min_dim", "argmax", "argmin", "aminmax"]
)
def test_nan_is_the_extreme_and_the_first_of_equals_wins(name):
    for values in (
        [1.0, float("nan"), 3.0, float("nan")],
        [2.0, 5.0, 5.0, 2.0],
        [-0.0, 0.0, -0.0, 1.0],
    ):
        x = torch.tensor(values)
        check(name, x, *((0,) if name.endswith("_dim") else ()))


@pytest.mark.parametrize("name", ["sum", "mean", "amax", "var", "linalg_vector_norm", "logsumexp"])
def test_wrong_dimensions_raise_pytorchs_errors(name):
    x = sample((2, 3))
    extra = (2,) if name == "linalg_vector_norm" else ()
    for dim in ((0, 0), (0, -2), (2,), (-3,), (0, 5)):
        check(name, x, *extra, dim)


def test_empty_dims_tuple_reduces_everything_but_for_all_and_any():
    x = sample((2, 3))
    for name in ("sum", "mean", "amax", "all", "any", "var", "count_nonzero"):
        check(name, x, ())


def test_logsumexp_of_infinities():
    inf = float("inf")
    for values in ([inf, 1.0], [-inf, -inf], [inf, -inf], [-inf, 2.0], [float("nan"), 1.0]):
        check("logsumexp", torch.tensor(values), 0)
        check("logsumexp", torch.tensor(values).to(torch.float64), 0)


@pytest.mark.parametrize(
    "kind", ["bool", "uint8", "int8", "int64", "float16", "bfloat16", "float32", "float64"]
)
def test_the_hash_of_a_tensor_depends_on_its_values_only(kind):
    def program(torch):
        t = (torch.arange(120).reshape(4, 5, 6) % 7 - 3).to(getattr(torch, kind))
        out = torch.empty(3, dtype=torch.uint64)
        return [
            torch.hash_tensor(t),
            t.hash_tensor(1, keepdim=True),
            torch.hash_tensor(t.transpose(0, 2), dim=(0, -1)),
            torch.hash_tensor(t[:, ::2], (), mode=0),
            torch.hash_tensor(t[0, 0], out=out) is out,
            out,
        ]

    compare_programs(program)


@pytest.mark.parametrize(
    "call",
    [
        lambda torch: torch.hash_tensor(torch.ones(3), mode=1),
        lambda torch: torch.hash_tensor(torch.empty(0)),
        lambda torch: torch.hash_tensor(torch.empty(2, 0), 1),
        lambda torch: torch.hash_tensor(torch.empty(2, 0), 0),
        lambda torch: torch.hash_tensor(torch.ones(3), 1),
        lambda torch: torch.hash_tensor(torch.ones(3, dtype=torch.complex64)),
        lambda torch: torch.hash_tensor(torch.ones(3, dtype=torch.uint16)),
        lambda torch: torch.hash_tensor(torch.ones(3), out=torch.empty(0)),
        lambda torch: torch.hash_tensor(torch.ones(3), 0, True),
        lambda torch: str(torch.hash_tensor(torch.ones(2, 3, device="meta"), 1)),
    ],
)
def test_hashes_that_cannot_be(call):
    compare_programs(call)
