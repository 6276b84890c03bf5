"""Every elementwise kernel against PyTorch, over dtypes, layouts and the values at the edges."""

import numpy as np
import pytest

from minitorch.kernels.common.table import BinaryOp, TernaryOp, UnaryOp
from tests.probes.kernels import elementwise as probe

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")
F = torch.nn.functional
aten = torch.ops.aten

INTEGERS = ["u1", "i1", "i2", "i4", "i8"]
FLOATS = ["f2", "f4", "f8"]
COMPLEX = ["c8", "c16"]
BOOL = ["?"]
NUMBERS = INTEGERS + FLOATS + COMPLEX
ALL = NUMBERS + BOOL

# the largest error in units of the last place, where the operator is not exact
CLOSE = 4
POOR = 64


def values(dtype, n, rng, kind="any"):
    """Random numbers of several magnitudes, led by the special ones."""
    d = np.dtype(dtype)
    if d.kind == "b":
        return rng.integers(0, 2, n).astype(bool)
    if d.kind in "iu":
        info = np.iinfo(d)
        special = [0, 1, 2, 3, info.max, info.min, info.max - 1]
        special += [-1, -2, -3] if info.min else []
        small = rng.integers(max(info.min, -20), 20, n)
        large = rng.integers(info.min, info.max, n, dtype=d)
        rest = np.where(rng.random(n) < 0.5, small.astype(d), large)
        return _led_by(np.array(special, d), rest, rng)
    if d.kind == "c":
        part = d.type().real.dtype
        return (rng.normal(size=n) + 1j * rng.normal(size=n)).astype(d) + 0 * part.type(0)
    info = np.finfo(d)
    special = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 2.5, 3.0, -3.0, 1e-4, 30.0, -30.0, 100.0]
    if kind == "any":
        special += [
            np.nan,
            np.inf,
            -np.inf,
            info.max,
            info.min,
            info.tiny,
            info.smallest_subnormal,
            1000.0,
            -1000.0,
        ]
    normal = rng.normal(size=n) * rng.choice([0.1, 1.0, 8.0], n)
    return _led_by(np.array(special).astype(d), normal.astype(d), rng)


def _led_by(special, rest, rng):
    rest = rest.copy()
    rng.shuffle(special)
    k = min(len(special), len(rest))
    rest[:k] = special[:k]
    rng.shuffle(rest)
    return rest


def operands(count, dtype, n, seed, kind="any"):
    """Arrays of one length, in several layouts."""
    rng = np.random.default_rng(seed)
    wide = [values(dtype, 3 * n, rng, kind) for _ in range(count)]
    yield [w[:n] for w in wide]
    yield [w[::3] for w in wide]
    yield [w[::-1][:n] for w in wide]
    yield [
        np.broadcast_to(w[k : k + 1], n) if k == count - 1 else w[:n] for k, w in enumerate(wide)
    ]
    if count > 1:
        yield [np.broadcast_to(w[k : k + 1], n) if k == 0 else w[:n] for k, w in enumerate(wide)]
    for k in range(min(n, 7)):
        yield [w[k : k + 1] for w in wide]


def assert_agrees(got, expected, ulps, context):
    expected = expected.numpy() if isinstance(expected, torch.Tensor) else expected
    assert got.dtype == expected.dtype, context
    if got.dtype.kind in "iub" or ulps == 0:
        np.testing.assert_array_equal(got, expected, err_msg=context)
        return
    if got.dtype.kind == "c":
        scale = np.finfo(got.dtype).eps * ulps
        np.testing.assert_allclose(got, expected, rtol=scale * 8, atol=scale, err_msg=context)
        return
    info = np.finfo(got.dtype)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(
            got.astype("f8"),
            expected.astype("f8"),
            rtol=float(info.eps) * ulps,
            atol=float(info.eps) * ulps / 8,
            err_msg=context,
        )


def check(kind, name, reference, dtype, inputs, ulps, params=None):
    """Run one kernel into a fresh array, a strided one and the first operand of its dtype."""
    tensors = [torch.from_numpy(x.copy()) for x in inputs]
    expected = reference(*tensors, *(params or ()))
    n = len(inputs[0])
    out_dtype = expected.numpy().dtype
    context = f"{name} {dtype} params={params} " + " ".join(str(x[:8]) for x in inputs if n == 1)
    for out in (np.empty(n, out_dtype), np.empty(2 * n, out_dtype)[::2]):
        probe.apply(kind, name, *inputs, out, params=params)
        assert_agrees(out, expected, ulps, context)
    own = inputs[-1].copy()
    if own.dtype == out_dtype:
        probe.apply(kind, name, *inputs[:-1], own, own, params=params)
        assert_agrees(own, expected, ulps, context + " in place")


def one_by_one(f):
    """PyTorch's vectors mishandle the nan or an overflowing quotient; its scalar code does not."""
    return lambda *xs: torch.stack([f(*(x[k] for x in xs)) for k in range(len(xs[0]))])


# name, PyTorch's function, dtypes, units of error allowed
UNARY = [
    ("NEG", torch.neg, NUMBERS, 0),
    ("ABS", torch.abs, NUMBERS, 2),
    ("SIGN", torch.sign, INTEGERS + FLOATS + BOOL, 0),
    ("SGN", torch.sgn, ALL, 2),
    ("SQRT", torch.sqrt, FLOATS + COMPLEX, 1),
    ("RSQRT", torch.rsqrt, FLOATS + COMPLEX, 2),
    ("SQUARE", torch.square, NUMBERS, 1),
    ("RECIPROCAL", torch.reciprocal, FLOATS + COMPLEX, 1),
    ("EXP", torch.exp, FLOATS + COMPLEX, CLOSE),
    ("EXP2", torch.exp2, FLOATS, CLOSE),
    ("EXPM1", torch.expm1, FLOATS + COMPLEX, CLOSE),
    ("LOG", torch.log, FLOATS + COMPLEX, CLOSE),
    ("LOG2", torch.log2, FLOATS + COMPLEX, CLOSE),
    ("LOG10", torch.log10, FLOATS + COMPLEX, CLOSE),
    ("LOG1P", torch.log1p, FLOATS + COMPLEX, CLOSE),
    ("SIN", torch.sin, FLOATS + COMPLEX, CLOSE),
    ("COS", torch.cos, FLOATS + COMPLEX, CLOSE),
    ("TAN", torch.tan, FLOATS + COMPLEX, 8),
    ("ASIN", torch.asin, FLOATS + COMPLEX, CLOSE),
    ("ACOS", torch.acos, FLOATS + COMPLEX, CLOSE),
    ("ATAN", torch.atan, FLOATS + COMPLEX, CLOSE),
    ("SINH", torch.sinh, FLOATS + COMPLEX, CLOSE),
    ("COSH", torch.cosh, FLOATS + COMPLEX, CLOSE),
    ("TANH", torch.tanh, FLOATS + COMPLEX, CLOSE),
    ("ASINH", torch.asinh, FLOATS + COMPLEX, CLOSE),
    ("ACOSH", torch.acosh, FLOATS + COMPLEX, CLOSE),
    ("ATANH", torch.atanh, FLOATS + COMPLEX, CLOSE),
    ("SIGMOID", torch.sigmoid, FLOATS + COMPLEX, CLOSE),
    ("ERF", torch.erf, FLOATS, CLOSE),
    ("ERFC", torch.erfc, FLOATS, 8),
    ("ERFINV", torch.erfinv, FLOATS, 8),
    ("LGAMMA", torch.lgamma, FLOATS, 32),
    ("DIGAMMA", torch.digamma, FLOATS, POOR),
    ("FLOOR", torch.floor, INTEGERS + FLOATS, 0),
    ("CEIL", torch.ceil, INTEGERS + FLOATS, 0),
    ("ROUND", torch.round, INTEGERS + FLOATS, 0),
    ("TRUNC", torch.trunc, INTEGERS + FLOATS, 0),
    ("FRAC", torch.frac, FLOATS, 0),
    ("LOGICAL_NOT", torch.logical_not, ALL, 0),
    ("BITWISE_NOT", torch.bitwise_not, INTEGERS + BOOL, 0),
    ("ISNAN", torch.isnan, ALL, 0),
    ("ISINF", torch.isinf, ALL, 0),
    ("ISFINITE", torch.isfinite, ALL, 0),
    ("SIGNBIT", torch.signbit, FLOATS, 0),
    ("RELU", torch.relu, INTEGERS + FLOATS, 0),
    ("LOG_SIGMOID", F.logsigmoid, FLOATS, CLOSE),
    ("HARDSIGMOID", F.hardsigmoid, FLOATS, 1),
    ("HARDSWISH", F.hardswish, FLOATS, 2),
    ("SELU", F.selu, FLOATS, CLOSE),
    ("CONJ", lambda x: torch.conj(x).resolve_conj(), ALL, 0),
    ("ANGLE", torch.angle, FLOATS + COMPLEX, 2),
]

# name, PyTorch's function, dtypes, error, parameters
UNARY_PARAMS = [
    ("NAN_TO_NUM", torch.nan_to_num, FLOATS, 0, [(1.5, 7.0, -9.0)]),
    ("LEAKY_RELU", F.leaky_relu, FLOATS, 1, [(0.01,), (-0.5,), (2.0,)]),
    ("ELU", lambda x, a, s, i: aten.elu(x, a, s, i), FLOATS, CLOSE, [(1, 1, 1), (0.7, 1.5, 2.0)]),
    ("SOFTPLUS", F.softplus, FLOATS, CLOSE, [(1.0, 20.0), (2.0, 10.0), (0.5, 3.0)]),
    ("CLAMP", torch.clamp, FLOATS, 0, [(-1.5, 2.0), (2.0, -1.5), (-np.inf, 0.5), (0.5, np.inf)]),
    ("CLAMP", lambda x, a, b: torch.clamp(x, int(a), int(b)), INTEGERS, 0, [(2, 9), (9, 2)]),
    ("THRESHOLD", F.threshold, FLOATS + INTEGERS, 0, [(1.0, 20.0)]),
    (
        "POW_SCALAR",
        torch.pow,
        ["f4", "f8"],
        CLOSE,
        [
            (2.0,),
            (3.0,),
            (0.5,),
            (-0.5,),
            (-1.0,),
            (-2.0,),
            (1.0,),
            (0.0,),
            (1.7,),
            (-2.3,),
            (4.0,),
        ],
    ),
    ("POW_SCALAR", torch.pow, ["f2"], CLOSE, [(2.0,), (3.0,), (-1.0,), (0.0,), (1.7,)]),
    ("POW_SCALAR", torch.pow, COMPLEX, 32, [(2.0,), (0.5,), (1.7,)]),
    ("POW_SCALAR", lambda x, e: torch.pow(x, int(e)), INTEGERS, 0, [(0,), (1,), (2,), (3,), (7,)]),
    ("HARDSHRINK", F.hardshrink, FLOATS, 0, [(0.5,), (0.0,)]),
    ("SOFTSHRINK", F.softshrink, FLOATS, 0, [(0.5,), (0.0,)]),
]


def nonzero(f):
    """Integer division of PyTorch traps on 0 and on the smallest number over -1: avoid both."""

    def safe(a, b):
        if f is trunc_divide and a.dtype == torch.float16:
            return f(a, b)  # one by one, the quotient is not rounded
        if a.dtype.is_floating_point:
            return one_by_one(f)(a, b)
        if a.dtype == torch.uint8:
            return f(a, b)
        b = torch.where(b == 0, torch.ones_like(b), b)
        others = f(a, torch.where(b == -1, torch.ones_like(b), b))
        return torch.where(b == -1, minus_one[f](a), others)

    return safe


def floor_divide(a, b):
    return torch.div(a, b, rounding_mode="floor")


def trunc_divide(a, b):
    return torch.div(a, b, rounding_mode="trunc")


minus_one = {
    floor_divide: torch.neg,
    trunc_divide: torch.neg,
    torch.remainder: torch.zeros_like,
    torch.fmod: torch.zeros_like,
}


def nan_passes(f):
    """Let a gradient pass where the input is nan, as PyTorch's scalar code does; its vectors give nan."""
    return lambda grad, x: torch.where(torch.isnan(x), grad, f(grad, x))


BINARY = [
    ("ADD", torch.add, ALL, 0),
    ("SUB", torch.sub, NUMBERS, 0),
    ("MUL", torch.mul, INTEGERS + FLOATS + BOOL, 0),
    ("MUL", torch.mul, COMPLEX, 2),
    ("DIV", torch.div, FLOATS, 0),
    ("DIV", torch.div, COMPLEX, 4),
    ("POW", torch.pow, FLOATS, CLOSE),
    ("POW", torch.pow, COMPLEX, POOR),
    ("MAXIMUM", torch.maximum, INTEGERS + FLOATS + BOOL, 0),
    ("MINIMUM", torch.minimum, INTEGERS + FLOATS + BOOL, 0),
    ("FMAX", torch.fmax, INTEGERS + FLOATS + BOOL, 0),
    ("FMIN", torch.fmin, INTEGERS + FLOATS + BOOL, 0),
    ("ATAN2", torch.atan2, FLOATS, CLOSE),
    ("HYPOT", torch.hypot, FLOATS, CLOSE),
    ("COPYSIGN", torch.copysign, FLOATS, 0),
    ("NEXTAFTER", torch.nextafter, ["f4", "f8"], 0),
    ("LOGADDEXP", torch.logaddexp, FLOATS, CLOSE),
    ("LOGADDEXP2", torch.logaddexp2, FLOATS, 16),
    ("EQ", torch.eq, ALL, 0),
    ("NE", torch.ne, ALL, 0),
    ("LT", torch.lt, INTEGERS + FLOATS + BOOL, 0),
    ("LE", torch.le, INTEGERS + FLOATS + BOOL, 0),
    ("GT", torch.gt, INTEGERS + FLOATS + BOOL, 0),
    ("GE", torch.ge, INTEGERS + FLOATS + BOOL, 0),
    ("LOGICAL_AND", torch.logical_and, ALL, 0),
    ("LOGICAL_OR", torch.logical_or, ALL, 0),
    ("LOGICAL_XOR", torch.logical_xor, ALL, 0),
    ("BITWISE_AND", torch.bitwise_and, INTEGERS + BOOL, 0),
    ("BITWISE_OR", torch.bitwise_or, INTEGERS + BOOL, 0),
    ("BITWISE_XOR", torch.bitwise_xor, INTEGERS + BOOL, 0),
    ("LEFT_SHIFT", torch.bitwise_left_shift, INTEGERS, 0),
    ("RIGHT_SHIFT", torch.bitwise_right_shift, INTEGERS, 0),
    ("XLOGY", torch.xlogy, FLOATS, CLOSE),
    ("XLOG1PY", torch.special.xlog1py, FLOATS, CLOSE),
    ("GCD", lambda a, b: torch.gcd(a, b).abs(), INTEGERS, 0),
    ("HEAVISIDE", torch.heaviside, FLOATS, 0),
    ("SQUARED_DIFFERENCE", lambda a, b: F.mse_loss(a, b, reduction="none"), FLOATS, CLOSE),
    ("TANH_BACKWARD", aten.tanh_backward, FLOATS + COMPLEX, 16),
    ("SIGMOID_BACKWARD", aten.sigmoid_backward, FLOATS + COMPLEX, CLOSE),
    (
        "LOG_SIGMOID_BACKWARD",
        lambda g, x: aten.log_sigmoid_backward(g, x, torch.exp(-x.abs())),
        ["f4", "f8"],
        8,
    ),
    ("HARDSIGMOID_BACKWARD", aten.hardsigmoid_backward, FLOATS, 2),
    ("HARDSWISH_BACKWARD", nan_passes(aten.hardswish_backward), FLOATS, 2),
]

ROUNDED_DIVISION = {
    "FLOOR_DIVIDE": nonzero(floor_divide),
    "TRUNC_DIVIDE": nonzero(trunc_divide),
    "REMAINDER": nonzero(torch.remainder),
    "FMOD": nonzero(torch.fmod),
}

BINARY_PARAMS = [
    ("THRESHOLD_BACKWARD", aten.threshold_backward, FLOATS, 0, [(0.0,), (1.0,)]),
    (
        "LEAKY_RELU_BACKWARD",
        lambda g, x, s: aten.leaky_relu_backward(g, x, s, False),
        FLOATS,
        1,
        [(0.01,), (2.0,)],
    ),
    (
        "ELU_BACKWARD",
        lambda g, x, a, s, i: aten.elu_backward(g, a, s, i, False, x),
        FLOATS,
        8,
        [(1.0, 1.0, 1.0), (0.7, 1.5, 2.0)],
    ),
    (
        "ELU_BACKWARD_FROM_RESULT",
        lambda g, x, a, s, i: aten.elu_backward(g, a, s, i, True, x),
        FLOATS,
        8,
        [(1.0, 1.0, 1.0), (0.7, 1.5, 2.0)],
    ),
    ("SOFTPLUS_BACKWARD", aten.softplus_backward, FLOATS, 8, [(1.0, 20.0), (2.0, 3.0)]),
    ("HARDTANH_BACKWARD", aten.hardtanh_backward, FLOATS, 0, [(-1.0, 1.0)]),
    ("SHRINK_BACKWARD", aten.hardshrink_backward, FLOATS, 0, [(0.5,)]),
    ("SHRINK_BACKWARD", aten.softshrink_backward, FLOATS, 0, [(0.5,)]),
    ("ADD_ALPHA", lambda a, b, s: torch.add(a, b, alpha=s), FLOATS + COMPLEX, 2, [(0.5,), (-2.0,)]),
    ("SUB_ALPHA", lambda a, b, s: torch.sub(a, b, alpha=s), FLOATS + COMPLEX, 2, [(0.5,)]),
    ("ADD_ALPHA", lambda a, b, s: torch.add(a, b, alpha=s), ["f4", "f8"], 4, [(0.3,)]),
    ("ADD_ALPHA", lambda a, b, s: torch.add(a, b, alpha=int(s)), INTEGERS, 0, [(3,)]),
    ("SUB_ALPHA", lambda a, b, s: torch.sub(a, b, alpha=int(s)), INTEGERS, 0, [(3,)]),
    ("LERP_SCALAR", torch.lerp, FLOATS + COMPLEX, 4, [(0.3,), (0.8,), (-2.0,)]),
    (
        "SMOOTH_L1",
        lambda a, b, s: F.smooth_l1_loss(a, b, reduction="none", beta=s),
        FLOATS,
        2,
        [(1.0,), (0.3,)],
    ),
    (
        "HUBER",
        lambda a, b, s: F.huber_loss(a, b, reduction="none", delta=s),
        FLOATS,
        2,
        [(1.0,), (0.3,)],
    ),
    (
        "AXPBY",
        lambda a, b, s, t: (s * a.double() + t * b.double()).to(a.dtype),
        ["f4", "f8"],
        4,
        [(0.3, -2.0)],
    ),
]

TERNARY = [
    ("LERP", torch.lerp, FLOATS + COMPLEX, 4),
    ("CLAMP_TENSOR", torch.clamp, INTEGERS + FLOATS, 0),
]

TERNARY_PARAMS = [
    (
        "ADDCMUL",
        lambda a, b, c, v: torch.addcmul(a, b, c, value=v),
        FLOATS + COMPLEX,
        4,
        [(1.0,), (0.3,)],
    ),
    ("ADDCMUL", lambda a, b, c, v: torch.addcmul(a, b, c, value=int(v)), INTEGERS, 0, [(3,)]),
    (
        "ADDCDIV",
        lambda a, b, c, v: torch.addcdiv(a, b, c, value=v),
        FLOATS + COMPLEX,
        8,
        [(1.0,), (0.3,)],
    ),
]


# Smooth activations and their derivatives, in whose tails PyTorch's results cancel: the error is
# measured against the size of the operands.
SMOOTH = [
    ("GELU", F.gelu, FLOATS),
    ("GELU_TANH", lambda x: F.gelu(x, approximate="tanh"), FLOATS),
    ("SILU", F.silu, FLOATS + COMPLEX),
    ("MISH", F.mish, FLOATS),
    ("GELU_BACKWARD", aten.gelu_backward, FLOATS),
    ("GELU_TANH_BACKWARD", lambda g, x: aten.gelu_backward(g, x, approximate="tanh"), FLOATS),
    ("SILU_BACKWARD", aten.silu_backward, FLOATS),
    ("MISH_BACKWARD", aten.mish_backward, FLOATS),
]


def rows(table):
    for row in table:
        for dtype in row[2]:
            yield pytest.param(*row[:2], dtype, *row[3:], id=f"{row[0]}-{dtype}")


@pytest.mark.parametrize(("name", "reference", "dtype", "ulps"), rows(UNARY))
def test_unary_kernel_agrees_with_pytorch(name, reference, dtype, ulps):
    for n in (37, 1100):
        for inputs in operands(1, dtype, n, n):
            check("unary", name, reference, dtype, inputs, ulps)


@pytest.mark.parametrize(("name", "reference", "dtype"), rows(SMOOTH))
def test_smooth_activation_agrees_with_pytorch(name, reference, dtype):
    kind, count = ("binary", 2) if name.endswith("_BACKWARD") else ("unary", 1)
    for n in (37, 1100):
        for inputs in operands(count, dtype, n, n, "finite"):
            out = probe.apply(kind, name, *inputs, np.empty(n if len(inputs[0]) > 1 else 1, dtype))
            tensors = [torch.from_numpy(x.copy()) for x in inputs]
            expected = reference(*tensors).numpy()
            size = np.abs(inputs[0]).astype("f8") * np.maximum(1, np.abs(inputs[-1])).astype("f8")
            allowed = 16 * float(np.finfo(dtype).eps) * (size + np.abs(expected))
            allowed += 1e-7 * (dtype == "f2")
            assert (np.abs(out - expected) <= allowed).all()


@pytest.mark.parametrize("name", [row[0] for row in SMOOTH])
def test_smooth_activation_lets_nan_pass_and_settles_far_out(name):
    kind = "binary" if name.endswith("_BACKWARD") else "unary"
    x = np.array([np.nan, 1e4, -1e4, 100, -100], "f4")
    inputs = [x] if kind == "unary" else [np.ones_like(x), x]
    out = probe.apply(kind, name, *inputs, np.empty_like(x))
    limit = [1e4, 0, 100, 0] if kind == "unary" else [1, 0, 1, 0]
    assert np.isnan(out[0])
    np.testing.assert_allclose(out[1:], np.array(limit, "f4"), rtol=1e-6, atol=1e-30)


@pytest.mark.parametrize(("name", "reference", "dtype", "ulps", "params"), rows(UNARY_PARAMS))
def test_parametrised_unary_kernel_agrees_with_pytorch(name, reference, dtype, ulps, params):
    for p in params:
        for inputs in operands(1, dtype, 600, 3):
            check("unary", name, reference, dtype, inputs, ulps, p)


@pytest.mark.parametrize(("name", "reference", "dtype", "ulps"), rows(BINARY))
def test_binary_kernel_agrees_with_pytorch(name, reference, dtype, ulps):
    for n in (37, 1100):
        for inputs in operands(2, dtype, n, n):
            check("binary", name, reference, dtype, inputs, ulps)


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
@pytest.mark.parametrize("name", list(ROUNDED_DIVISION))
def test_rounded_division_agrees_with_pytorch(name, dtype):
    reference = ROUNDED_DIVISION[name]
    for inputs in operands(2, dtype, 700, 5):
        if np.dtype(dtype).kind in "iu":
            inputs = [inputs[0], np.where(inputs[1] == 0, inputs[1].dtype.type(1), inputs[1])]
        if (name, dtype, len(inputs[0])) == ("TRUNC_DIVIDE", "f2", 1):
            continue  # ops divides by one number in float32
        check("binary", name, reference, dtype, inputs, 0)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_remainder_is_exact_for_quotients_of_any_size(dtype):
    bits = np.dtype(dtype.replace("f", "u"))
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, np.iinfo(bits).max, (2, 20_000), bits, endpoint=True).view(dtype)
    info = np.finfo(dtype)
    edges = [0.0, info.smallest_subnormal, info.tiny, 1.0, 3.0, info.max, np.inf, np.nan]
    edges = np.array([sign * x for x in edges for sign in (1, -1)], dtype)
    a = np.concatenate([a, np.repeat(edges, 16), np.repeat(edges, 100)])
    b = np.concatenate([b, np.tile(edges, 16), b[:1600]])
    got = np.empty_like(a)
    probe.apply("binary", "FMOD", a, b, got)
    with np.errstate(invalid="ignore"):
        expected = np.fmod(a, b)
    assert np.array_equal(got, expected, equal_nan=True)
    some = ~np.isnan(got)
    assert np.array_equal(np.signbit(got[some]), np.signbit(a[some]))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", ["FLOOR_DIVIDE", "TRUNC_DIVIDE", "REMAINDER", "FMOD"])
def test_integer_division_never_traps(name, dtype):
    a = np.repeat(np.array([np.iinfo(dtype).min, np.iinfo(dtype).max, 0, 7], dtype), 300)
    for b in (np.zeros_like(a), np.full_like(a, -1 if np.iinfo(dtype).min else 1)):
        out = probe.apply("binary", name, a, b, np.empty_like(a))
        if not b.any():
            assert not out.any()


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_power_agrees_with_repeated_multiplication(dtype):
    rng = np.random.default_rng(0)
    base = rng.integers(max(np.iinfo(dtype).min, -9), 9, 400).astype(dtype)
    exponent = rng.integers(0, 12, 400).astype(dtype)
    out = probe.apply("binary", "POW", base, exponent, np.empty_like(base))
    expected = [pow(int(b), int(e)) % (1 << 64) for b, e in zip(base, exponent, strict=True)]
    np.testing.assert_array_equal(out, np.array(expected, "u8").astype(dtype))


@pytest.mark.parametrize("dtype", INTEGERS[1:])
def test_integer_power_agrees_with_pytorch_for_negative_exponents(dtype):
    base, exponent = np.meshgrid(np.arange(-5, 6).astype(dtype), np.arange(-4, 3).astype(dtype))
    base, exponent = base.ravel(), exponent.ravel()
    check("binary", "POW", torch.pow, dtype, [base, exponent], 0)


@pytest.mark.parametrize(("name", "reference", "dtype", "ulps", "params"), rows(BINARY_PARAMS))
def test_parametrised_binary_kernel_agrees_with_pytorch(name, reference, dtype, ulps, params):
    for p in params:
        for inputs in operands(2, dtype, 600, 3):
            check("binary", name, reference, dtype, inputs, ulps, p)


@pytest.mark.parametrize(("name", "reference", "dtype", "ulps"), rows(TERNARY))
def test_ternary_kernel_agrees_with_pytorch(name, reference, dtype, ulps):
    for inputs in operands(3, dtype, 700, 1):
        check("ternary", name, reference, dtype, inputs, ulps)


@pytest.mark.parametrize(("name", "reference", "dtype", "ulps", "params"), rows(TERNARY_PARAMS))
def test_parametrised_ternary_kernel_agrees_with_pytorch(name, reference, dtype, ulps, params):
    for p in params:
        for inputs in operands(3, dtype, 600, 3):
            check("ternary", name, reference, dtype, inputs, ulps, p)


@pytest.mark.parametrize("dtype", ALL)
def test_where_picks_elements(dtype):
    rng = np.random.default_rng(0)
    for inputs in operands(2, dtype, 1100, 2):
        condition = rng.integers(0, 2, len(inputs[0])).astype(bool)
        one = np.broadcast_to(condition[:1], len(condition))
        for cond in (condition, np.repeat(condition, 2)[::2], one):
            check("ternary", "WHERE", torch.where, dtype, [cond, *inputs], 0)


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", ["NEG", "SGN", "RECIPROCAL", "ANGLE", "ABS", "DIV"])
def test_complex_arithmetic_agrees_with_pytorch_on_zeros_infinities_and_nan(name, dtype):
    parts = [0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan, 1e30]
    z = np.array([complex(a, b) for a in parts for b in parts], dtype)
    if name == "DIV":
        check("binary", name, torch.div, dtype, [np.repeat(z, len(z)), np.tile(z, len(z))], 4)
    else:
        check("unary", name, getattr(torch, name.lower()), dtype, [z], 4)


def in_range(x, target):
    """Only numbers that an integer type can hold; what others become is the processor's affair."""
    if np.dtype(target).kind not in "iu" or x.dtype.kind not in "fc":
        return x
    info = np.iinfo("i8" if target == "u1" else target)
    with np.errstate(all="ignore"):
        real = x.real.astype("f8")
        fits = (real > info.min / 2) & (real < info.max / 2)
    return np.where(fits, x, x.dtype.type(1)).astype(x.dtype)


@pytest.mark.parametrize("target", ALL)
@pytest.mark.parametrize("source", ALL)
def test_cast_agrees_with_pytorch(source, target):
    dtype = torch.from_numpy(np.empty(0, target)).dtype
    for n in (37, 1100):
        for inputs in operands(1, source, n, n):
            x = in_range(inputs[0], target)
            if x.strides == (x.itemsize,):
                x = np.repeat(x, 2)[::2] if n == 37 else x
            with np.errstate(all="ignore"):
                tensor = torch.from_numpy(x.copy())
                if x.dtype.kind == "c" and np.dtype(target).kind not in "cb":
                    tensor = tensor.real
                expected = tensor.to(dtype).numpy()
            for out in (np.empty(len(x), target), np.empty(2 * len(x), target)[::-2]):
                probe.apply("cast", "", x, out)
                np.testing.assert_array_equal(out, expected)


def test_half_conversion_is_exact_for_every_half_and_rounds_every_float_like_numpy():
    halves = np.arange(65536, dtype="u2").view("f2")
    floats = probe.apply("cast", "", halves, np.empty(65536, "f4"))
    np.testing.assert_array_equal(floats, halves.astype("f4"))
    bits = np.random.default_rng(0).integers(0, 2**32, 200_000, dtype="u4")
    between = np.nextafter(floats[np.isfinite(floats)], np.float32(np.inf)).view("u4")
    ties = (floats[:31744].view("u4") + floats[1:31745].view("u4")) // 2
    x = np.concatenate([bits, between, ties, ties + 1, ties - 1]).view("f4")
    with np.errstate(all="ignore"):
        expected = x.astype("f2")
    out = probe.apply("cast", "", x, np.empty(len(x), "f2"))
    np.testing.assert_array_equal(out[~np.isnan(x)].view("u2"), expected[~np.isnan(x)].view("u2"))
    assert np.isnan(out[np.isnan(x)]).all()


@pytest.mark.parametrize("dtype", ALL)
def test_fill_writes_at_any_step(dtype):
    rng = np.random.default_rng(0)
    value = values(dtype, 30, rng, "finite")[3]
    for n in (0, 1, 5, 100):
        for step in (1, 2, -1, -3):
            target = np.zeros(3 * n, dtype)
            view = target[::step][:n]
            expected = target.copy()
            expected[::step][:n] = value
            probe.fill_array(view, value)
            np.testing.assert_array_equal(target, expected)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_has_zero_finds_a_zero_anywhere(dtype):
    x = np.ones(50, dtype)
    assert not probe.any_zero(x)
    assert not probe.any_zero(x[:0])
    for k in range(50):
        x[k] = 0
        assert probe.any_zero(x)
        assert probe.any_zero(x[::-1])
        assert probe.any_zero(x[::2]) == (k % 2 == 0)
        x[k] = 1


def test_types_without_a_meaning_have_no_kernel():
    for name in ("SIN", "DIV", "ERF", "GELU", "SIGMOID"):
        kind = "binary" if name == "DIV" else "unary"
        assert not probe.has(kind, name, np.int64)
    assert not probe.has("binary", "SUB", np.bool_)
    assert not probe.has("unary", "NEG", np.bool_)
    for name in ("LT", "LE", "GT", "GE", "MAXIMUM", "MINIMUM", "FLOOR_DIVIDE", "REMAINDER"):
        assert not probe.has("binary", name, np.complex64)
    assert not probe.has("unary", "SIGN", np.complex64)


# these are compared with PyTorch's through their public functions, in tests/special
SPECIAL = {
    *"AIRY_AI BESSEL_J0 BESSEL_J1 BESSEL_K0 BESSEL_K0E BESSEL_K1 BESSEL_K1E BESSEL_Y0 BESSEL_Y1".split(),
    *"ENTR ERFCX I0 I0E I1 I1E LOG_NDTR NDTRI SPHERICAL_J0 TRIGAMMA IGAMMA IGAMMAC ZETA".split(),
    *"CHEBYSHEV_T CHEBYSHEV_U CHEBYSHEV_V CHEBYSHEV_W HERMITE_H HERMITE_HE LAGUERRE LEGENDRE".split(),
    *(f"SHIFTED_CHEBYSHEV_{kind}" for kind in "TUVW"),
}


def test_every_operator_has_a_kernel_and_a_case_here():
    smooth = {row[0] for row in SMOOTH}
    unary = {row[0] for row in UNARY + UNARY_PARAMS} | smooth
    binary = {row[0] for row in BINARY + BINARY_PARAMS} | {*ROUNDED_DIVISION, "LCM"} | smooth
    ternary = {row[0] for row in TERNARY + TERNARY_PARAMS} | {"WHERE"}
    for kind, enum, tested in (
        ("unary", UnaryOp, unary),
        ("binary", BinaryOp, binary),
        ("ternary", TernaryOp, ternary),
    ):
        names = {op.name for op in enum if not op.name.startswith("NUM_")}
        names -= SPECIAL
        assert names - tested == set()
        dtypes = (np.float32, np.int64)
        assert [n for n in names if not any(probe.has(kind, n, d) for d in dtypes)] == []
