"""Elementwise operators against PyTorch: types, values, strides, errors, out=."""

import itertools

import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

pytest.register_assert_rewrite("tests.ops.pointwise_oracle")

from tests.ops.pointwise_oracle import ALL_DTYPES, Number, check, samples  # noqa: E402

UNARY = """
neg abs sign sgn signbit square sqrt rsqrt reciprocal exp exp2 expm1 log log2 log10
log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid erf erfc erfinv lgamma
digamma floor ceil trunc round frac isnan isinf isfinite nan_to_num conj_physical angle
logical_not bitwise_not relu
""".split()

BINARY = """
add sub rsub mul div floor_divide remainder fmod pow maximum minimum fmax fmin atan2 hypot
copysign nextafter logaddexp logaddexp2 xlogy eq ne lt le gt ge logical_and logical_or
logical_xor bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift heaviside
gcd lcm
""".split()


def _layouts(dtype, seed=0):
    """One shape in every kind of layout."""
    x = samples(dtype, 2, 3, 4, 5, seed=seed)
    yield "contiguous", x
    yield "channels_last", x.to(memory_format=torch.channels_last)
    yield "transposed", x.transpose(1, 3).contiguous().transpose(1, 3)
    yield "strided", samples(dtype, 2, 3, 4, 10, seed=seed)[..., ::2]
    yield "expanded", samples(dtype, 2, 1, 4, 1, seed=seed).expand(2, 3, 4, 5)


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
@pytest.mark.parametrize("name", UNARY)
def test_unary_result_equals_pytorch(name, dtype):
    x = samples(dtype, 3, 7)
    tolerance = 2e-5 if name in ("digamma", "lgamma", "erfinv") and dtype == torch.float32 else None
    check(name, getattr(torch, name), x, tolerance=tolerance)
    check(name, getattr(torch, name), x[1, 2], tolerance=tolerance)


@pytest.mark.parametrize("name", ["neg", "exp", "isnan", "abs", "relu"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.complex64], ids=str)
def test_unary_strides_equal_pytorch(name, dtype):
    for _, x in _layouts(dtype):
        check(name, getattr(torch, name), x)
        check(name, getattr(torch, name), x[:, 0])
        check(name, getattr(torch, name), x[:1, :, 1:2])


ODD_LAYOUTS = {
    "transposed": lambda x: x.t(),
    "strided": lambda x: x[:, ::2].t(),
    "expanded": lambda x: x[:, :1].expand(4, 6),
    "one row of many": lambda x: x[::4],
    "no row": lambda x: x[:0],
    "no column, permuted": lambda x: x[:, None, :0, None].permute(2, 0, 3, 1),
}


@pytest.mark.parametrize("layout", ODD_LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.int32, torch.float32, torch.complex64], ids=str)
def test_strides_of_operators_that_do_not_follow_the_rule(layout, dtype):
    x = ODD_LAYOUTS[layout](samples(dtype, 4, 6))
    functional = torch.nn.functional
    check("log_sigmoid", functional.logsigmoid, x)
    check("hardtanh", functional.hardtanh, x)
    check("relu6", functional.relu6, x)
    for name in ("nan_to_num", "isfinite", "isnan", "conj_physical", "angle", "abs", "signbit"):
        check(name, getattr(torch, name), x)
    if dtype != torch.float32 or x.numel():
        check("isinf", torch.isinf, x)
    check("pow", torch.pow, x, Number(0))
    check("pow", torch.pow, x, Number(1))
    check("pow", torch.pow, Number(1), x)
    check("mul", torch.mul, x, Number(2))
    check("complex", torch.complex, x, x)


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
@pytest.mark.parametrize("name", BINARY)
def test_binary_result_equals_pytorch(name, dtype):
    if name == "nextafter" and dtype == torch.float16:
        pytest.skip("float16 has no nextafter here")
    a = samples(dtype, 4, 5, seed=1)
    b = samples(dtype, 4, 5, seed=2)
    if "shift" in name:
        b = b.abs() if dtype != torch.bool else b
    check(name, getattr(torch, name), a, b)
    if name not in ("floor_divide", "remainder", "fmod"):
        check(name, getattr(torch, name), a, b[1])
        check(name, getattr(torch, name), a[:, :1], b[1, 1])


@pytest.mark.parametrize("name", ["add", "mul", "div", "lt", "maximum", "atan2", "pow"])
def test_types_promote_as_in_pytorch(name):
    for da, db in itertools.product(ALL_DTYPES, ALL_DTYPES):
        if torch.float16 in (da, db) and (da.is_complex or db.is_complex):
            continue  # there are no arrays of complex32, which the probe would return
        a, b = (
            samples(da, 3, seed=1).abs() if da != torch.bool else samples(da, 3),
            samples(db, 3, seed=2),
        )
        if db != torch.bool:
            b = b.abs()
        b = b.to(db)
        a = a.to(da)
        check(name, getattr(torch, name), a, b)
        check(name, getattr(torch, name), a, b[0])
        check(name, getattr(torch, name), a[1], b)
        check(name, getattr(torch, name), a[1], b[1])


@pytest.mark.parametrize(
    "number", [True, 2, -3, 0, 1.5, 2.0, -0.5, 0.5, float("inf"), 1 + 2j], ids=str
)
@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "pow", "eq", "gt"])
def test_numbers_promote_weakly(name, dtype, number):
    if isinstance(number, complex) and dtype == torch.float16:
        pytest.skip("there are no arrays of complex32, which the probe would return")
    if number == float("inf") and dtype.is_complex and name in ("add", "sub"):
        pytest.skip("PyTorch multiplies by alpha: the imaginary part is nan")
    operator = {"eq": torch.eq, "gt": torch.gt}.get(name) or getattr(torch.Tensor, name)
    x = samples(dtype, 3, 2)
    check(name, operator, x, Number(number))
    check(name, operator, x[0, 0], Number(number))


@pytest.mark.parametrize("number", [300, -1, 256, 2**40, -(2**63), 1e10, 65520], ids=str)
@pytest.mark.parametrize("dtype", [d for d in ALL_DTYPES if not d.is_complex], ids=str)
def test_numbers_that_the_type_does_not_hold(dtype, number):
    x = samples(dtype, 6)
    for name in ("add", "mul", "gt", "eq", "div", "remainder", "bitwise_and", "pow", "xlogy"):
        check(name, getattr(torch, name), x, Number(number))
    check("clamp_min", torch.clamp_min, x, number)


def test_float16_takes_a_scalar_in_its_own_precision():
    x = torch.linspace(-3, 3, 500).half()
    for number in (0.1, 0.3, 1.7):
        check("mul", torch.mul, x, Number(number), tolerance=0)
        check("mul", torch.mul, x, torch.tensor(number), tolerance=0)
        check("div", torch.div, x, Number(number), tolerance=0)
        check("floor_divide", torch.floor_divide, x, Number(number), tolerance=0)
        check("mul", lambda a, b, out: a.mul_(b), x, Number(number), out=x, tolerance=0)


@pytest.mark.parametrize("number", [1, 2, 2.5, 1j], ids=str)
@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_number_to_the_power_of_a_tensor(dtype, number):
    x = samples(dtype, 3, 2)
    check("pow", torch.pow, Number(number), x)


@pytest.mark.parametrize("name", ["add", "lt"])
def test_binary_strides_equal_pytorch(name):
    for (_, a), (_, b) in itertools.product(_layouts(torch.float32, 1), _layouts(torch.float32, 2)):
        check(name, getattr(torch, name), a, b)
        check(name, getattr(torch, name), a, b[:, :, :1])
        check(name, getattr(torch, name), a[:1], b[0])
        check(name, getattr(torch, name), a.double(), b)
        check(name, getattr(torch, name), a, b[0, 0, 0, 0])
        check(name, getattr(torch, name), a[:, :, :0], b[:, :, :1])


def test_strides_of_dimensions_with_one_element():
    for shape in [(1, 3), (3, 1), (1, 1), (2, 1, 3), (2, 1, 3, 3), (1, 4, 1, 1), (0, 3), (3, 0, 2)]:
        x = samples(torch.float32, *shape)
        for permutation in itertools.permutations(range(len(shape))):
            y = x.permute(permutation)
            check("neg", torch.neg, y)
            check("add", torch.add, y, y)
            check("add", torch.add, y, y.contiguous())
            check("mul", torch.mul, y, Number(2))
            check("cast", lambda t, code: t.to(torch.float64), y, 7)
            check("clone", torch.clone, y)


@pytest.mark.parametrize(
    "a, b",
    [((3,), (4,)), ((2, 3), (3, 2)), ((2, 3, 4), (2, 2, 4)), ((0,), (2,)), ((5, 1, 3), (4, 2))],
)
def test_shapes_that_do_not_broadcast(a, b):
    check("add", torch.add, torch.ones(a), torch.ones(b))
    check("copy_", torch.Tensor.copy_, torch.ones(a), torch.ones(b))
    check("where", torch.where, torch.ones(a, dtype=torch.bool), torch.ones(b), torch.ones(1))


@pytest.mark.parametrize("alpha", [2, 1.0, 2.5, True, -1, 1j, 2**60 + 1], ids=str)
@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_alpha_scales_the_second_operand(dtype, alpha):
    a, b = samples(dtype, 2, 3, seed=1), samples(dtype, 2, 3, seed=2)
    if alpha == 2**60 + 1 and dtype != torch.int64:
        pytest.skip("only int64 holds it")
    check("add", torch.add, a, b, alpha=alpha)
    check("sub", torch.sub, a, b, alpha=alpha)
    check("rsub", torch.rsub, a, b, alpha=alpha)


@pytest.mark.parametrize("mode", [None, "trunc", "floor", "ceil"])
@pytest.mark.parametrize("dtype", [torch.int8, torch.int64, torch.float32, torch.uint8], ids=str)
def test_rounding_modes(dtype, mode):
    a, b = samples(dtype, 40, seed=1, low=-60, high=60), samples(dtype, 40, seed=2)
    b[b == 0] = 2
    check("div", torch.div, a, b, rounding_mode=mode)


@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod"])
def test_integer_division_by_zero_is_an_error(name):
    x = torch.arange(3)
    check(name, getattr(torch, name), x, torch.zeros_like(x))
    check(name, getattr(torch, name), x, Number(0))
    check(name, getattr(torch, name), x.float(), torch.zeros(3))
    check(name, getattr(torch, name), x, torch.tensor([1, 0, 1], dtype=torch.int32))


# ---- out= and in place


@pytest.mark.parametrize("out_dtype", ALL_DTYPES, ids=str)
@pytest.mark.parametrize(
    "dtype", [torch.bool, torch.int32, torch.float32, torch.complex64], ids=str
)
def test_out_takes_what_can_be_cast(dtype, out_dtype):
    a, b = samples(dtype, 3, 4, seed=1), samples(dtype, 3, 4, seed=2)
    check("add", torch.add, a, b, out=torch.zeros(3, 4, dtype=out_dtype))
    check("exp", torch.exp, a, tolerance=2e-6, out=torch.zeros(3, 4, dtype=out_dtype))
    check("eq", torch.eq, a, b, out=torch.zeros(3, 4, dtype=out_dtype))
    check("abs", torch.abs, a, tolerance=2e-6, out=torch.zeros(3, 4, dtype=out_dtype))
    check("logical_and", torch.logical_and, a, b, out=torch.zeros(3, 4, dtype=out_dtype))


def test_out_is_resized_with_a_warning_when_it_has_elements():
    a = samples(torch.float32, 3, 4)
    check("add", torch.add, a, a, out=torch.zeros(2))
    check("add", torch.add, a, a, out=torch.zeros(0))
    check("add", torch.add, a.t(), a.t(), out=torch.zeros(0))
    check("exp", torch.exp, a.t(), out=torch.zeros(5, dtype=torch.float64))
    check("add", torch.add, a, a, out=torch.zeros(4, 3).t())
    check("add", torch.add, a, a, out=torch.zeros(3, 8)[:, ::2])


def test_in_place_writes_through_every_layout():
    for (_, a), (_, b) in itertools.product(_layouts(torch.float32, 1), _layouts(torch.float32, 2)):
        check("add", lambda x, y, out: x.add_(y), a, b, out=a)
        check("mul", lambda x, y, out: x.mul_(y), b, a[:1], out=b)


@pytest.mark.parametrize(
    "shape, other", [((3,), (2, 3)), ((1,), (3,)), ((2, 3), (2, 1)), ((2, 3), (2, 2))]
)
def test_in_place_never_changes_the_shape(shape, other):
    x = torch.ones(shape)
    check("add", lambda x, y, out: x.add_(y), x, torch.ones(other), out=x)


@pytest.mark.parametrize("other", ALL_DTYPES, ids=str)
@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_in_place_keeps_the_type_or_refuses(dtype, other):
    x, y = samples(dtype, 3, seed=1), samples(other, 3, seed=2)
    check("add", lambda x, y, out: x.add_(y), x, y, out=x)
    x = samples(dtype, 3, seed=1)
    check("add", lambda x, y, out: x.add_(y), x, y[0], out=x)
    x = samples(dtype, 3, seed=1)
    check("ge", lambda x, y, out: x.ge_(y), x, y, out=x)


def test_overlap_is_refused_before_anything_is_written():
    x = torch.arange(6.0)
    check("add", torch.add, x[:3], x[:3], out=x[1:4])
    check("neg", torch.neg, x[:3], out=x[1:4])
    check("add", torch.add, x[:3], x[3:], out=x[:3])
    y = torch.ones(1).expand(3)
    check("add", lambda a, b, out: a.add_(b), y, torch.ones(3), out=y)
    check("exp", torch.exp, torch.ones(3), out=y)
    z = torch.ones(3, 3)
    check("add", torch.add, z, z, out=z.t())


# ---- activations


ACTIVATIONS = {
    "relu6": torch.nn.functional.relu6,
    "hardtanh": torch.nn.functional.hardtanh,
    "leaky_relu": torch.nn.functional.leaky_relu,
    "elu": torch.nn.functional.elu,
    "selu": torch.nn.functional.selu,
    "celu": torch.nn.functional.celu,
    "gelu": torch.nn.functional.gelu,
    "silu": torch.nn.functional.silu,
    "mish": torch.nn.functional.mish,
    "softplus": torch.nn.functional.softplus,
    "log_sigmoid": torch.nn.functional.logsigmoid,
    "hardsigmoid": torch.nn.functional.hardsigmoid,
    "hardswish": torch.nn.functional.hardswish,
    "hardshrink": torch.nn.functional.hardshrink,
    "softshrink": torch.nn.functional.softshrink,
}


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activation_equals_pytorch(name, dtype):
    check(name, ACTIVATIONS[name], samples(dtype, 5, 8, low=-8, high=8))


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_activation_parameters(dtype):
    x = samples(dtype, 5, 8, low=-8, high=8)
    functional = torch.nn.functional
    check("threshold", functional.threshold, x, 1, 2)
    check("threshold", functional.threshold, x, 0.5, -2.5) if dtype != torch.uint8 else None
    check("hardtanh", functional.hardtanh, x, 0, 2)
    check("hardtanh", torch._C._nn.hardtanh, x, 2, 0)
    check("leaky_relu", functional.leaky_relu, x, 0.25)
    check("elu", functional.elu, x, 0.5)
    check("celu", functional.celu, x, 0.5)
    check("gelu", lambda t, a: functional.gelu(t, approximate=a), x, "tanh")
    check("gelu", lambda t, a: functional.gelu(t, approximate=a), x, "other")
    check("softplus", functional.softplus, x, 2, 3)
    check("hardshrink", functional.hardshrink, x, 0.75)
    check("softshrink", functional.softshrink, x, 0.75)
    check("softshrink", functional.softshrink, x, -1)
    check("_prelu_kernel", torch._prelu_kernel, x, samples(dtype, 8))


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64], ids=str)
def test_derivatives_of_activations(dtype):
    aten = torch.ops.aten
    x, grad = samples(dtype, 6, 7, low=-5, high=5), samples(dtype, 6, 7, seed=1)
    y = torch.tanh(x)
    check("tanh_backward", aten.tanh_backward, grad, y)
    check("sigmoid_backward", aten.sigmoid_backward, grad, torch.sigmoid(x))
    check("threshold_backward", aten.threshold_backward, grad, x, 0.5)
    check("threshold_backward", aten.threshold_backward, grad, x, 0)
    check("hardtanh_backward", aten.hardtanh_backward, grad, x, -1, 1.25)
    check("leaky_relu_backward", aten.leaky_relu_backward, grad, x, 0.25, False)
    check("leaky_relu_backward", aten.leaky_relu_backward, grad, x, -0.25, True)
    check("elu_backward", aten.elu_backward, grad, 1.5, 2.0, 0.5, False, x)
    check("elu_backward", aten.elu_backward, grad, 1.5, 2.0, 0.5, True, y)
    check("gelu_backward", aten.gelu_backward, grad, x)
    check(
        "gelu_backward",
        lambda g, t, a: aten.gelu_backward(g, t, approximate=a),
        grad,
        x,
        "tanh",
    )
    check("silu_backward", aten.silu_backward, grad, x)
    check("mish_backward", aten.mish_backward, grad, x)
    check("softplus_backward", aten.softplus_backward, grad, x, 2, 3)
    # PyTorch's factor 1/6 has the precision of float32
    tolerance = 2e-7 if dtype == torch.float64 else None
    check("hardsigmoid_backward", aten.hardsigmoid_backward, grad, x, tolerance=tolerance)
    check("hardswish_backward", aten.hardswish_backward, grad, x)
    check("hardshrink_backward", aten.hardshrink_backward, grad, x, 0.75)
    check("softshrink_backward", aten.softshrink_backward, grad, x, 0.75)
    check(
        "log_sigmoid_backward",
        lambda g, t: aten.log_sigmoid_backward(g, t, aten.log_sigmoid_forward(t)[1]),
        grad,
        x,
    )
    check(
        "_prelu_kernel_backward", aten._prelu_kernel_backward, grad, x, samples(dtype, 6, 7, seed=5)
    )


# ---- three operands


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_clamp(dtype):
    x = samples(dtype, 4, 6)
    for low, high in [
        (0, 1),
        (0.5, None),
        (None, 1.5),
        (-1, 2),
        (2, -1),
        (None, None),
        (True, None),
    ]:
        check("clamp", torch.clamp, x, low, high)
    check("clamp", torch.clamp, x, float("nan"), 1.0)
    check("clamp", lambda t, a, b, out: t.clamp_(a, b), x, 0, 1, out=x)
    check("clamp", lambda t, a, b, out: t.clamp_(a, b), x, 0.5, None, out=x)
    if dtype == torch.int64:
        check("clamp", torch.clamp, torch.tensor([2**62, 2**62 + 1]), None, 2**62 + 1)
    a, b = samples(dtype, 6, seed=1), samples(dtype, 4, 1, seed=2)
    check("clamp_tensor", torch.clamp, x, a, b)
    check("clamp_tensor", torch.clamp, x, a, None)
    check("clamp_tensor", torch.clamp, x, None, b)
    check("clamp_tensor", torch.clamp, x, a.float(), b) if not dtype.is_complex else None


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_where(dtype):
    a, b = samples(dtype, 3, 4, seed=1), samples(dtype, 3, 4, seed=2)
    condition = samples(torch.bool, 3, 4, seed=3)
    check("where", torch.where, condition, a, b)
    check("where", torch.where, condition[0], a, b[:, :1])
    check("where", torch.where, condition.t().contiguous().t(), a, b)
    check("where", torch.where, a, a, b) if dtype not in (torch.uint8,) else None
    for number in (1, 2.5, True) if dtype == torch.float16 else (1, 2.5, 1j, True):
        check("where", torch.where, condition, a, Number(number))
        check("where", torch.where, condition, Number(number), b[0, 0])


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_masked_fill(dtype):
    x = samples(dtype, 3, 4)
    mask = samples(torch.bool, 3, 4, seed=3)
    for value in (True, 2, -1.5, 300, float("inf"), 2j):
        check("masked_fill", torch.masked_fill, x, mask, Number(value))
        check("masked_fill", torch.masked_fill, x.t(), mask[:, :3].new_ones(4, 1), Number(value))
        y = x.clone()
        check(
            "masked_fill",
            lambda t, m, v, out: t.masked_fill_(m, v),
            y,
            mask[0],
            Number(value),
            out=y,
        )
    check("masked_fill", torch.masked_fill, x, mask, torch.tensor(2.0))
    check("masked_fill", torch.masked_fill, x, mask, torch.tensor([2.0]))
    check("masked_fill", torch.masked_fill, x, mask.long(), Number(2))
    check("masked_fill", torch.masked_fill, x[0], mask, Number(1))


@pytest.mark.parametrize("value", [1, 2, 1.5, 2**60 + 1], ids=str)
@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_products_added(dtype, value):
    a, b, c = (samples(dtype, 3, 4, seed=s) for s in (1, 2, 3))
    if value == 2**60 + 1 and dtype != torch.int64:
        pytest.skip("only int64 holds it")
    check("addcmul", torch.addcmul, a, b, c, value=value)
    check("addcmul", torch.addcmul, a, b[0], c[:, :1], value=value)
    check("addcdiv", torch.addcdiv, a, b, c, value=value)
    check(
        "addcmul",
        lambda x, y, z, value, out: x.addcmul_(y, z, value=value),
        a,
        b,
        c,
        value=value,
        out=a,
    )


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_lerp(dtype):
    a, b, w = (samples(dtype, 3, 4, seed=s) for s in (1, 2, 3))
    check("lerp", torch.lerp, a, b, Number(0.25))
    check("lerp", torch.lerp, a, b, Number(0.75))
    check("lerp", torch.lerp, a, b, w)
    check("lerp", torch.lerp, a, b, torch.ones(4))
    check("lerp", torch.lerp, a, b.double(), w)


# ---- complex numbers


def test_views_of_complex_parts():
    for dtype in ALL_DTYPES:
        x = samples(dtype, 3, 4)
        for y in (x, x.t(), x[1:, ::2]):
            check("real", torch.real, y)
            check("imag", torch.imag, y)
            check("view_as_real", torch.view_as_real, y)
        if dtype != torch.float16:
            check("view_as_complex", torch.view_as_complex, samples(dtype, 3, 2))
    x = samples(torch.float32, 4, 2)
    check("view_as_complex", torch.view_as_complex, x[::2])
    check("view_as_complex", torch.view_as_complex, x.t())
    check("view_as_complex", torch.view_as_complex, x[:, :1])
    check("view_as_complex", torch.view_as_complex, samples(torch.float32, 4, 3)[:, 1:])
    check("view_as_complex", torch.view_as_complex, torch.tensor(1.0))
    check("complex", torch.complex, x, x[:1])
    check("complex", torch.complex, x, x.double())
    check("complex", torch.complex, x, x.int())


def test_every_number_of_threads_gives_one_result():
    from tests.probes.ops import elementwise as _probe

    x = samples(torch.float32, 70, 3000)
    try:
        _probe.use_threads(3)
        check("exp", torch.exp, x)
        check("add", torch.add, x, x[:1])
        check("mul", torch.mul, x.t(), x.t()[:, :1])
        check("add", torch.add, x[:, ::2], x[:, 1::2].double())
    finally:
        _probe.use_threads(2)
