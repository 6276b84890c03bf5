"""bfloat16: the type itself, and that operators round where PyTorch's do."""

import copy
import io
import pickle
import sys

import numpy as np
import pytest

import minitorch

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")
F = "nn.functional"

DTYPES = [
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "bool",
    "bfloat16",
]


def ours(tensor):
    """The same tensor here."""
    if tensor.dtype == torch.bfloat16:
        return minitorch.from_numpy(tensor.float().numpy()).bfloat16()
    return minitorch.from_numpy(tensor.numpy().copy())


def bits(tensor):
    """The elements; those of bfloat16 as the bits they are, every nan as one."""
    tensor = tensor.detach()
    if str(tensor.dtype) != "torch.bfloat16":
        return tensor.numpy()
    found = tensor.view(torch.int16 if isinstance(tensor, torch.Tensor) else minitorch.int16)
    found = found.numpy().astype("u2")
    return np.where((found & 0x7FFF) > 0x7F80, 0x7FC0, found)


def assert_same(here, there):
    if isinstance(there, (tuple, list)):
        assert len(here) == len(there)
        for h, t in zip(here, there, strict=True):
            assert_same(h, t)
        return
    assert repr(here.dtype) == repr(there.dtype)
    assert tuple(here.shape) == tuple(there.shape)
    np.testing.assert_array_equal(bits(here), bits(there))


def numbers(*shape, seed=0, positive=False):
    generator = torch.Generator().manual_seed(seed)
    x = torch.rand(shape, generator=generator) * 0.98 + 0.01
    return (x if positive else torch.randn(shape, generator=generator)).bfloat16()


def outcome(f, *args):
    try:
        return f(*args)
    except Exception as error:  # noqa: BLE001 - the error is what is compared
        return type(error).__name__, str(error)


# ---- the type


def test_it_has_pytorchs_properties():
    for name in ("itemsize", "is_floating_point", "is_complex", "is_signed"):
        assert getattr(minitorch.bfloat16, name) == getattr(torch.bfloat16, name)
    assert repr(minitorch.bfloat16) == "torch.bfloat16"
    assert repr(minitorch.bfloat16.to_complex()) == repr(torch.bfloat16.to_complex())
    assert minitorch.zeros(3, dtype=minitorch.bfloat16).element_size() == 2
    assert minitorch.zeros(3).bfloat16().type() == torch.zeros(3).bfloat16().type()
    assert isinstance(minitorch.zeros(1).bfloat16(), minitorch.BFloat16Tensor)
    assert copy.deepcopy(minitorch.bfloat16) is minitorch.bfloat16
    assert pickle.loads(pickle.dumps(minitorch.bfloat16)) is minitorch.bfloat16


def test_finfo_is_pytorchs():
    here, there = minitorch.finfo(minitorch.bfloat16), torch.finfo(torch.bfloat16)
    assert repr(here) == repr(there)
    for name in ("bits", "eps", "max", "min", "tiny", "smallest_normal", "resolution", "dtype"):
        assert getattr(here, name) == getattr(there, name)


@pytest.mark.parametrize("other", DTYPES)
def test_it_promotes_and_casts_as_in_pytorch(other):
    for a, b in (("bfloat16", other), (other, "bfloat16")):
        x, y = getattr(minitorch, a), getattr(minitorch, b)
        p, q = getattr(torch, a), getattr(torch, b)
        assert repr(minitorch.promote_types(x, y)) == repr(torch.promote_types(p, q))
        assert minitorch.can_cast(x, y) == torch.can_cast(p, q)
        here = minitorch.ones(2, dtype=x) * minitorch.ones((), dtype=y)
        there = torch.ones(2, dtype=p) * torch.ones((), dtype=q)
        assert repr(here.dtype) == repr(there.dtype)


def test_it_can_be_the_default():
    minitorch.set_default_dtype(minitorch.bfloat16)
    try:
        assert minitorch.tensor([1.5]).dtype is minitorch.bfloat16
        assert minitorch.zeros(2).dtype is minitorch.bfloat16
        assert (minitorch.tensor([1, 2]) / 2).dtype is minitorch.bfloat16
        assert repr(minitorch.tensor([1.5])) == "tensor([1.5000])"
    finally:
        minitorch.set_default_dtype(minitorch.float32)


# ---- conversion


def test_every_bit_pattern_is_the_upper_half_of_a_float():
    patterns = np.arange(65536, dtype="u2").view("i2")
    here = minitorch.from_numpy(patterns).view(minitorch.bfloat16)
    wide = (patterns.astype("u4") << 16).view("f4")
    np.testing.assert_array_equal(here.float().numpy(), wide)
    assert_same(here.float().bfloat16(), torch.from_numpy(wide).bfloat16())


def test_a_float_is_rounded_to_nearest_even():
    rng = np.random.default_rng(0)
    wide = rng.integers(0, 2**32, 20000, dtype="u4").view("f4")
    ties = (rng.integers(0, 2**16, 4000, dtype="u4") << 16 | 0x8000).view("f4")
    edges = np.array([3.4e38, 3.3961e38, 1e-45, 9.2e-41, 0.0, -0.0, np.inf, -np.inf], "f4")
    for x in (wide, ties, edges):
        assert_same(minitorch.from_numpy(x).bfloat16(), torch.from_numpy(x).bfloat16())


@pytest.mark.parametrize("other", DTYPES)
def test_it_converts_to_and_from_every_type(other):
    values = torch.tensor([0.0, 1.0, -2.5, 100.7, 3.1416, -0.0, 250.0])
    there = values.bfloat16()
    if other == "uint8":
        there = there.abs()
    assert_same(ours(there).to(getattr(minitorch, other)), there.to(getattr(torch, other)))
    wide = values.abs().to(getattr(torch, other))
    if other != "bfloat16":
        assert_same(minitorch.from_numpy(wide.numpy()).bfloat16(), wide.bfloat16())


def test_python_numbers_go_in_and_out():
    there = torch.tensor([1.1, -2.7, 3e38, 1e-40, float("inf")], dtype=torch.bfloat16)
    here = minitorch.tensor([1.1, -2.7, 3e38, 1e-40, float("inf")], dtype=minitorch.bfloat16)
    assert_same(here, there)
    assert here.tolist() == there.tolist()
    assert here[1].item() == there[1].item()
    assert float(here[0]) == float(there[0]) and bool(here[0]) and int(here[1]) == int(there[1])
    here[1:3] = 0.3
    there[1:3] = 0.3
    assert_same(here, there)
    np.testing.assert_array_equal((here == 0.3).numpy(), (there == 0.3).numpy())
    np.testing.assert_array_equal((here > 1.1).numpy(), (there > 1.1).numpy())


def test_it_looks_as_in_pytorch_when_printed():
    for values in (
        [1.0, 2.0],
        [1.1, 1e-5, 3e38],
        [],
        [0.1] * 3,
        [float("nan"), 1.5],
        [[1.5], [-2]],
    ):
        here = minitorch.tensor(values, dtype=minitorch.bfloat16)
        there = torch.tensor(values, dtype=torch.bfloat16)
        assert repr(here) == repr(there)
    x = numbers(40, 30)
    assert repr(ours(x)) == repr(x)
    assert repr(ours(x)[0, 0].requires_grad_()) == repr(x[0, 0].requires_grad_())


def test_without_ml_dtypes_there_is_no_array(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    x = minitorch.ones(2).bfloat16()
    for convert in (lambda t: t.numpy(), np.asarray):
        assert outcome(convert, x) == outcome(convert, torch.ones(2).bfloat16())


def test_with_ml_dtypes_an_array_shares_memory():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = minitorch.tensor([1.0, 2.5]).bfloat16()
    array = x.numpy()
    assert array.dtype == ml_dtypes.bfloat16
    array[0] = 7
    assert x.tolist() == [7.0, 2.5]
    source = np.arange(6).astype(ml_dtypes.bfloat16).reshape(2, 3)
    y = minitorch.from_numpy(source)
    assert y.dtype is minitorch.bfloat16
    y[0, 0] = 9
    assert source[0, 0] == 9
    assert minitorch.tensor(source).dtype is minitorch.bfloat16
    assert minitorch.tensor([ml_dtypes.bfloat16(1.5)]).tolist() == [1.5]


def test_storages_views_and_dlpack_keep_the_bits():
    there = numbers(3, 4)
    here = ours(there)
    for dtype in ("int16", "float16", "uint8", "float32"):
        assert_same(here.view(getattr(minitorch, dtype)), there.view(getattr(torch, dtype)))
    assert here.untyped_storage().nbytes() == there.untyped_storage().nbytes()
    assert here.storage().tolist() == there.storage().tolist()
    assert_same(minitorch.from_dlpack(here), there)
    assert_same(minitorch.from_dlpack(there), there)
    np.testing.assert_array_equal(bits(torch.from_dlpack(here)), bits(there))
    file = io.BytesIO()
    pickle.dump(here, file)
    file.seek(0)
    assert_same(pickle.load(file), there)
    assert_same(copy.deepcopy(here), there)


# ---- operators: equal to the last bit

UNARY = (
    "exp exp2 expm1 sin cos tan tanh sinh cosh atan asinh erf erfc sigmoid neg abs sign floor ceil "
    "round trunc frac relu square reciprocal isnan isfinite signbit logical_not cumsum"
)
POSITIVE = "log log2 log10 log1p sqrt rsqrt asin acos atanh lgamma digamma erfinv"
BINARY = (
    "add sub mul div maximum minimum atan2 fmod hypot logaddexp copysign heaviside fmax eq lt ge "
    "logical_and nextafter xlogy"
)
ACTIVATIONS = (
    "silu mish softplus elu selu celu leaky_relu hardswish hardsigmoid hardtanh relu6 logsigmoid "
    "softsign hardshrink softshrink"
)


def on_both(f, *tensors, **kwargs):
    here = f(minitorch, *(ours(t) if isinstance(t, torch.Tensor) else t for t in tensors), **kwargs)
    assert_same(here, f(torch, *tensors, **kwargs))


@pytest.mark.parametrize("name", [*UNARY.split(), *POSITIVE.split()])
def test_a_unary_operator_gives_pytorchs_bits(name):
    x = numbers(1024, positive=name in POSITIVE.split())
    extra = (0,) if name == "cumsum" else ()
    on_both(lambda library, t: getattr(library, name)(t, *extra), x)
    # what lies apart, or is left over at the end, PyTorch's loop takes one by one: it rounds the root
    if name != "rsqrt":
        on_both(lambda library, t: getattr(library, name)(t[::3], *extra), x)


@pytest.mark.parametrize("name", BINARY.split())
def test_a_binary_operator_gives_pytorchs_bits(name):
    x, y = numbers(1030), numbers(1030, seed=1, positive=name == "xlogy")
    on_both(lambda library, a, b: getattr(library, name)(a, b), x, y)
    on_both(lambda library, a, b: getattr(library, name)(a[:32, None], b[:40]), x, y)


@pytest.mark.parametrize("name", ACTIVATIONS.split())
def test_an_activation_gives_pytorchs_bits(name):
    # + 0: PyTorch's softshrink has zeros of another sign
    on_both(lambda library, t: getattr(library.nn.functional, name)(t * 3) + 0, numbers(1030))


NUMBER = {
    "sum": lambda t: t + 0.337,
    "product": lambda t: t * 0.337,
    "quotient": lambda t: t / 0.337,
    "of a number": lambda t: 0.337 / t,
    "difference": lambda t: 0.337 - t,
    "square": lambda t: t**2,
    "cube": lambda t: t**3,
    "inverse square": lambda t: t**-2,
    "power": lambda t: abs(t) ** 1.3,
    "exponential": lambda t: 1.7**t,
    "remainder": lambda t: t % 0.7,
    "clamp": lambda t: t.clamp(-0.3, 0.7),
    "truncated": lambda t: t.div(0.07, rounding_mode="trunc"),
    "alpha": lambda t: t.add(t.flip(0), alpha=0.37),
    "lerp": lambda t: t.lerp(t.flip(0), 0.3),
    "addcmul": lambda t: t.addcmul(t, t.flip(0), value=0.37),
    "addcdiv": lambda t: t.addcdiv(t, t.abs() + 1, value=0.37),
    "masked_fill": lambda t: t.masked_fill(t > 0, 0.3),
}


@pytest.mark.parametrize("what", NUMBER)
def test_numbers_are_taken_in_pytorchs_precision(what):
    on_both(lambda _, t: NUMBER[what](t), numbers(1024))


REDUCTIONS = {
    "sum": lambda t, d: t.sum(d),
    "mean": lambda t, d: t.mean(d),
    "var": lambda t, d: t.var(d),
    "std": lambda t, d: t.std(d),
    "amax": lambda t, d: t.amax(d),
    "min": lambda t, d: t.min(d),
    "argmax": lambda t, d: t.argmax(d),
    "norm": lambda t, d: t.norm(dim=d),
    "logsumexp": lambda t, d: t.logsumexp(d),
    "cumsum": lambda t, d: t.cumsum(d),
    "cumprod": lambda t, d: t.cumprod(d),
    "cummax": lambda t, d: t.cummax(d),
    "log_softmax": lambda t, d: t.log_softmax(d),
    "sort": lambda t, d: t.sort(dim=d, stable=True),
    "topk": lambda t, d: t.topk(5, dim=d)[0],
    "median": lambda t, d: t.median(d)[0],
    "any": lambda t, d: t.any(d),
    "nansum": lambda t, d: t.nansum(d),
}


@pytest.mark.parametrize("what", REDUCTIONS)
def test_a_reduction_accumulates_as_pytorch_does(what):
    for dim in (0, 1):
        on_both(lambda _, t, d=dim: REDUCTIONS[what](t, d), numbers(64, 48))


LAYERS = {
    "softmax": lambda f, t: f.softmax(t, 1),
    "layer_norm": lambda f, t: f.layer_norm(t, (48,), t[0], t[1]),
    "rms_norm": lambda f, t: f.rms_norm(t, (48,), t[0]),
    "batch_norm": lambda f, t: f.batch_norm(t, None, None, t[0], t[1], training=True),
    "batch_norm in evaluation": lambda f, t: f.batch_norm(t, t[0], t[1].abs(), t[2], t[3]),
    "group_norm": lambda f, t: f.group_norm(t.view(16, 12, 4, 4), 4, t[0, :12], t[1, :12]),
    "max_pool2d": lambda f, t: f.max_pool2d(t.view(2, 2, 24, 32), 2),
    "avg_pool2d": lambda f, t: f.avg_pool2d(t.view(2, 2, 24, 32), 3),
    "adaptive_avg_pool2d": lambda f, t: f.adaptive_avg_pool2d(t.view(2, 2, 24, 32), 5),
    "glu": lambda f, t: f.glu(t),
    "embedding": lambda f, t: f.embedding((t[:, 0] > 0).long(), t),
    "mse_loss": lambda f, t: f.mse_loss(t, t.flip(0)),
    "mse_loss, each": lambda f, t: f.mse_loss(t, t.flip(0), reduction="none"),
    "huber_loss, each": lambda f, t: f.huber_loss(t, t.flip(0), reduction="none"),
    "smooth_l1_loss": lambda f, t: f.smooth_l1_loss(t, t.flip(0)),
    "cross_entropy": lambda f, t: f.cross_entropy(t, (t[:, 0] > 0).long()),
    "nll_loss": lambda f, t: f.nll_loss(t, (t[:, 0] > 0).long()),
    "binary_cross_entropy_with_logits": lambda f, t: f.binary_cross_entropy_with_logits(t, t > 0.5),
    "interpolate": lambda f, t: f.interpolate(t.view(2, 2, 24, 32), scale_factor=2),
    "attention": lambda f, t: f.scaled_dot_product_attention(*t.view(3, 4, 16, 16)),
    "linear": lambda f, t: f.linear(t, t[:32], t[0, :32]),
    "conv2d": lambda f, t: f.conv2d(t.view(2, 2, 24, 32), t[:3, :18].reshape(3, 2, 3, 3)),
}


@pytest.mark.parametrize("what", LAYERS)
def test_a_layer_rounds_where_pytorch_does(what):
    if what == "binary_cross_entropy_with_logits":
        f = lambda library, t: library.nn.functional.binary_cross_entropy_with_logits(  # noqa: E731
            t, (t > 0.5).to(t.dtype)
        )
    else:
        f = lambda library, t: LAYERS[what](library.nn.functional, t)  # noqa: E731
    on_both(f, numbers(64, 48))


def test_attention_in_batches_rounds_its_weights():
    def attention(library, t):
        return library.nn.functional.scaled_dot_product_attention(*t.view(3, 2, 2, 16, 16))

    x = numbers(64, 48)
    here, there = attention(minitorch, ours(x)), attention(torch, x)
    assert here.dtype is minitorch.bfloat16
    # the exponentials differ in their last bits, and one in thirty is rounded to the other side
    assert (bits(here) == bits(there)).mean() > 0.9
    np.testing.assert_allclose(here.float().numpy(), there.float().numpy(), rtol=1e-2, atol=1e-3)


def test_batch_norm_moves_its_statistics_as_pytorch_does():
    def run(library, x, mean, var):
        library.nn.functional.batch_norm(x, mean, var, training=True, momentum=0.1)
        return mean, var

    on_both(run, numbers(64, 48), numbers(48, seed=1), numbers(48, seed=2, positive=True))


def test_products_are_rounded_once():
    a, b, v = numbers(33, 47), numbers(47, 29, seed=1), numbers(47, seed=2)
    on_both(lambda _, x, y: x @ y, a, b)
    on_both(lambda _, x, y: x @ y, b.t(), a.t())
    on_both(lambda _, x, y: x @ y, a, v)
    on_both(lambda library, x, y: library.outer(x, y), v, v[:9])
    on_both(lambda _, x, y: x.view(3, 11, 47) @ y, a, b)


def test_what_meets_in_one_element_is_added_in_pytorchs_precision():
    generator = torch.Generator().manual_seed(3)
    index = torch.randint(0, 30, (300,), generator=generator)
    source, base = numbers(300, 8), numbers(30, 8, seed=1)
    wide = index[:, None].expand(300, 8).contiguous()
    on_both(lambda _, b, i, s: b.index_add(0, i, s), base, index, source)
    on_both(lambda _, b, i, s: b.index_add(0, i, s), base[:, 0], index, source[:, 0])
    on_both(lambda _, b, i, s: b.scatter_add(0, i, s), base, wide, source)
    on_both(lambda _, b, i, s: b.index_put((i,), s, accumulate=True), base, index, source)
    on_both(lambda _, b, i: b[i], base, index)
    on_both(lambda _, b: b[b > 0], base)
    on_both(lambda library, b: library.where(b > 0, b, -b), base)
    on_both(lambda library, b: library.unique(b.round()), base)


# ---- random numbers

DRAWS = {
    "rand": lambda library, n, d: library.rand(n, dtype=d),
    "randn": lambda library, n, d: library.randn(n, dtype=d),
    "randint": lambda library, n, d: library.randint(-3, 100, (n,), dtype=d),
    "uniform": lambda library, n, d: library.empty(n, dtype=d).uniform_(-2, 3),
    "normal": lambda library, n, d: library.empty(n, dtype=d).normal_(1, 2),
    "bernoulli": lambda library, n, d: library.bernoulli(library.full((n,), 0.3, dtype=d)),
    "exponential": lambda library, n, d: library.empty(n, dtype=d).exponential_(1.5),
    "geometric": lambda library, n, d: library.empty(n, dtype=d).geometric_(0.3),
    "random": lambda library, n, d: library.empty(n, dtype=d).random_(),
    "multinomial": lambda library, n, d: library.multinomial(library.linspace(0.1, 1, n).to(d), 3),
    "dropout": lambda library, n, d: library.nn.functional.dropout(library.ones(n, dtype=d), 0.3),
    "rrelu": lambda library, n, d: library.nn.functional.rrelu(
        -library.ones(n, dtype=d), training=True
    ),
    "randperm": lambda library, n, d: library.randperm(n, dtype=d),
}


@pytest.mark.parametrize("what", DRAWS)
def test_random_numbers_are_pytorchs(what):
    for n in (5, 16, 100, 300):
        minitorch.manual_seed(7)
        torch.manual_seed(7)
        assert_same(
            DRAWS[what](minitorch, n, minitorch.bfloat16), DRAWS[what](torch, n, torch.bfloat16)
        )


def test_bounds_of_random_numbers_are_checked_as_in_pytorch():
    for method, args in (
        ("uniform_", (-1e39, 1)),
        ("uniform_", (-3e38, 3e38)),
        ("random_", (0, 2**40)),
        ("random_", (257, 259)),
        ("normal_", (0, -1)),
    ):
        here = outcome(getattr(minitorch.zeros(3).bfloat16(), method), *args)
        there = outcome(getattr(torch.zeros(3).bfloat16(), method), *args)
        if isinstance(there, tuple):
            assert here == there


# ---- gradients and training


def test_gradients_have_the_dtype_of_what_they_belong_to():
    x = minitorch.ones(3, dtype=minitorch.bfloat16, requires_grad=True)
    w = minitorch.ones(3, requires_grad=True)
    (x * w).sum().backward()
    assert x.grad.dtype is minitorch.bfloat16
    assert w.grad.dtype is minitorch.float32


def _model(library, dtype):
    library.manual_seed(0)
    nn = library.nn
    return nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 3)).to(dtype)


@pytest.mark.parametrize("name", ["Adam", "AdamW", "Adagrad", "Adamax", "NAdam", "RAdam", "Rprop"])
def test_a_model_trains_as_in_pytorch(name):
    losses = []
    for library in (minitorch, torch):
        model = _model(library, library.bfloat16)
        optimizer = getattr(library.optim, name)(model.parameters())
        x = library.randn(20, 8).bfloat16()
        y = library.randn(20, 3).bfloat16()
        seen = []
        for _ in range(4):
            optimizer.zero_grad()
            loss = library.nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            seen.append(loss.item())
        losses.append(seen)
    assert losses[0] == losses[1]


def test_a_module_is_converted():
    module = minitorch.nn.BatchNorm1d(3).bfloat16()
    assert module.weight.dtype is module.running_mean.dtype is minitorch.bfloat16
    assert module.num_batches_tracked.dtype is minitorch.int64
    assert minitorch.nn.Linear(2, 2, dtype=minitorch.bfloat16).weight.dtype is minitorch.bfloat16


# ---- errors


@pytest.mark.parametrize(
    "call",
    [
        lambda t: t.zeros(2).bfloat16().fill_(1e39),
        lambda t: t.complex(t.zeros(2).bfloat16(), t.zeros(2).bfloat16()),
        lambda t: t.view_as_complex(t.zeros(2).bfloat16()),
        lambda t: t.zeros(2, 2).bfloat16() @ t.zeros(2, 2),
        lambda t: t.zeros(2).bfloat16().gcd(t.zeros(2).bfloat16()),
        lambda t: t.zeros(2).bfloat16() & t.zeros(2).bfloat16(),
        lambda t: t.nn.functional.avg_pool3d(t.zeros(1, 1, 2, 2, 2).bfloat16(), 2),
        lambda t: t.zeros(2).bfloat16().scatter(0, t.tensor([0]), t.zeros(1)),
        lambda t: t.zeros(2).bfloat16().index_copy_(0, t.tensor([0]), t.zeros(1)),
        lambda t: t.zeros(2, dtype=t.int64).add_(t.zeros(2).bfloat16()),
        lambda t: t.nn.functional.linear(t.zeros(2, 2), t.zeros(2, 2).bfloat16()),
        lambda t: t.nn.functional.softshrink(t.zeros(2).bfloat16(), -1),
        lambda t: t.zeros(2).bfloat16().requires_grad_().numpy(),
        lambda t: t.zeros(2).bfloat16().set_(t.zeros(2).untyped_storage()).__index__(),
    ],
)
def test_errors_name_the_type_as_pytorch_does(call):
    here, there = outcome(call, minitorch), outcome(call, torch)
    assert isinstance(there, tuple)
    assert here == there
