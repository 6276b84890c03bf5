"""The kernels of random numbers give PyTorch's numbers, and leave its state behind."""

import warnings

import numpy as np
import pytest

from minitorch.core.generator import Generator
from tests.probes.kernels import random as probe

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

HALVES, FLOATS = ["float16"], ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
INTEGERS = ["uint8", "int8", "int16", "int32", "int64"]
REAL = HALVES + FLOATS + INTEGERS
SEEDS = [0, 1, 42, 2**31, 2**63]
SIZES = [*range(41), 100, 1000]
# with other instructions PyTorch rounds otherwise
SAME_ROUNDING = torch.backends.cpu.get_cpu_capability() in ("AVX2", "AVX512")

# kind, dtypes, the arguments of the kernel, PyTorch's call
LAWS = {
    "rand": ("uniform", HALVES + FLOATS + COMPLEX, (0, 1), "uniform_"),
    "uniform_": ("uniform", HALVES + FLOATS + COMPLEX, (-2.3, 3.7), "uniform_"),
    "randn": ("normal", HALVES + FLOATS + COMPLEX, (0, 1), "normal_"),
    "normal_": ("normal", HALVES + FLOATS + COMPLEX, (1.7, 2.3), "normal_"),
    "log_normal_": ("log_normal", HALVES + FLOATS, (0.3, 0.7), "log_normal_"),
    "exponential_": ("exponential", HALVES + FLOATS, (0.7,), "exponential_"),
    "cauchy_": ("cauchy", HALVES + FLOATS, (0.3, 0.7), "cauchy_"),
    "geometric_": ("geometric", REAL, (0.3,), "geometric_"),
    "random_": ("random", [*REAL, "bool"], (), "random_"),
    "randint of 2": ("random_from_to", [*REAL, "bool"], (0, 2), "random_"),
    "randint of 100": ("random_from_to", ["int8", "int64", *FLOATS], (-7, 100), "random_"),
    "randint below 2**28": ("random_from_to", ["int32", "int64"], (0, 2**28 - 1), "random_"),
    "randint of 2**28": ("random_from_to", ["int32", "int64"], (0, 2**28), "random_"),
    "randint of 2**32": ("random_from_to", ["int64"], (-5, 2**32), "random_"),
    "randint of all": ("random_from_to", ["int64"], (-(2**63), 2**63 - 1), "random_"),
    "random_ of 64 bits": ("random_from_to", ["int64", *FLOATS], (-(2**63), None), "random_"),
    "bernoulli_ 0.3": ("bernoulli", [*REAL, "bool"], (0.3,), "bernoulli_"),
    "bernoulli_ 0": ("bernoulli", FLOATS, (0.0,), "bernoulli_"),
    "bernoulli_ 1": ("bernoulli", FLOATS, (1.0,), "bernoulli_"),
}


def assert_same(ours, theirs):
    if SAME_ROUNDING or ours.dtype.kind in "iub":
        assert ours.tobytes() == np.ascontiguousarray(theirs).tobytes()
    else:
        np.testing.assert_allclose(ours, theirs, rtol=2e-3 if ours.dtype.itemsize == 2 else 1e-5)


def assert_same_state(ours, theirs):
    np.testing.assert_array_equal(ours.get_state(), theirs.get_state().numpy())


def pair(seed):
    return Generator().manual_seed(seed), torch.Generator().manual_seed(seed)


def torch_draw(law, dtype, n, generator):
    _, _, args, method = LAWS[law]
    t = torch.empty(n, dtype=getattr(torch, dtype))
    return getattr(t, method)(*args, generator=generator).numpy()


def our_draw(law, dtype, n, generator):
    kind, _, args, _ = LAWS[law]
    return probe.fill(kind, generator, np.empty(n, dtype), *args)


def compare(law, dtype, n, seed):
    ours, theirs = pair(seed)
    for _ in range(2):
        assert_same(our_draw(law, dtype, n, ours), torch_draw(law, dtype, n, theirs))
        assert_same_state(ours, theirs)


CASES = [(law, dtype) for law, (_, dtypes, _, _) in LAWS.items() for dtype in dtypes]


@pytest.mark.parametrize(("law", "dtype"), CASES)
def test_every_size_gives_pytorchs_numbers(law, dtype):
    for n in SIZES:
        compare(law, dtype, n, 42)


@pytest.mark.parametrize(("law", "dtype"), CASES)
def test_every_seed_gives_pytorchs_numbers(law, dtype):
    for seed in SEEDS:
        compare(law, dtype, 37, seed)


@pytest.mark.parametrize(("law", "dtype"), CASES)
def test_many_numbers_are_pytorchs(law, dtype):
    compare(law, dtype, 100_000, 1)


def test_calls_of_every_kind_share_one_stream():
    ours, theirs = pair(3)
    choice = np.random.default_rng(0)
    for _ in range(600):
        law, dtype = CASES[choice.integers(len(CASES))]
        n = int(choice.choice([1, 2, 3, 15, 16, 17, 40]))
        assert_same(our_draw(law, dtype, n, ours), torch_draw(law, dtype, n, theirs))
        assert_same_state(ours, theirs)
        if choice.random() < 0.1:
            ours.set_state(theirs.get_state().numpy())


@pytest.mark.parametrize("dtype", HALVES + FLOATS + COMPLEX)
@pytest.mark.parametrize("n", [1, 2, 15, 16, 40, 1000])
def test_a_strided_output_gets_the_numbers_pytorch_draws_one_by_one(dtype, n):
    for kind, args, method in (
        ("normal_serial", (1.7, 2.3), "normal_"),
        ("uniform", (-2.3, 3.7), "uniform_"),
    ):
        ours, theirs = pair(9)
        for _ in range(2):
            out = np.zeros(3 * n, dtype)
            probe.fill(kind, ours, out[::3], *args)
            t = torch.zeros(3 * n, dtype=getattr(torch, dtype))
            if n > 1:
                getattr(t[::3], method)(*args, generator=theirs)
            else:  # one element is always contiguous, and drawn alone all the same
                getattr(t[:1], method)(*args, generator=theirs)
            assert_same(out, t.numpy())
            assert_same_state(ours, theirs)


@pytest.mark.parametrize("law", ["log_normal_", "geometric_", "bernoulli_ 0.3", "random_"])
def test_a_backward_step_gives_the_same_numbers_in_reverse(law):
    kind, _, args, _ = LAWS[law]
    out = np.empty(700)
    probe.fill(kind, Generator().manual_seed(1), out[::-1], *args)
    assert_same(out[::-1].copy(), our_draw(law, "float64", 700, Generator().manual_seed(1)))


@pytest.mark.parametrize("kind", ["normal_serial", "uniform", "exponential", "random"])
def test_filling_in_pieces_is_filling_at_once(kind):
    args = {"normal_serial": (0, 1), "uniform": (0, 1), "exponential": (1,), "random": ()}[kind]
    whole = probe.fill(kind, Generator().manual_seed(4), np.empty(1000), *args)
    generator = Generator().manual_seed(4)
    pieces = [probe.fill(kind, generator, np.empty(n), *args) for n in (1, 2, 255, 256, 257, 229)]
    np.testing.assert_array_equal(np.concatenate(pieces), whole)


@pytest.mark.parametrize("p_dtype", HALVES + FLOATS)
@pytest.mark.parametrize("dtype", [*REAL, "bool"])
def test_bernoulli_with_a_p_for_each_element_is_pytorchs(dtype, p_dtype):
    for n in (1, 7, 255, 1000):
        ours, theirs = pair(n)
        p = torch.linspace(0, 1, 2 * n).to(getattr(torch, p_dtype))[::2]
        t = torch.empty(n, dtype=getattr(torch, dtype)).bernoulli_(p, generator=theirs)
        assert_same(probe.fill("bernoulli", ours, np.empty(n, dtype), p.numpy()), t.numpy())
        assert_same_state(ours, theirs)


def test_dropout_masks_are_pytorchs():
    torch.manual_seed(21)
    ours = Generator().manual_seed(21)
    t = torch.nn.functional.dropout(torch.ones(1000), p=0.3)
    mask = probe.fill("bernoulli", ours, np.empty(1000, np.float32), 1 - 0.3)
    np.testing.assert_array_equal(mask / np.float32(1 - 0.3), t.numpy())


@pytest.mark.parametrize("dtype", REAL)
def test_permutations_are_pytorchs(dtype):
    for n in (0, 1, 2, 3, 40, 127, 128, 1000, 30000):
        if dtype in ("uint8", "int8") and n > 127 or dtype == "float16" and n > 2048:
            continue
        ours, theirs = pair(n)
        t = torch.randperm(n, dtype=getattr(torch, dtype), generator=theirs)
        assert_same(probe.fill("randperm", ours, np.empty(n, dtype)), t.numpy())
        assert_same_state(ours, theirs)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", HALVES + FLOATS)
def test_poisson_numbers_are_pytorchs(dtype, seed):
    choice = np.random.default_rng(seed)
    ours, theirs = pair(seed)
    for n in (1, 17, 1000):
        rate = choice.choice([0, 0.1, 1, 3, 9.9, 10, 30, 500, 5000], n).astype(dtype)
        t = torch.poisson(torch.from_numpy(rate), generator=theirs)
        assert_same(probe.fill("poisson", ours, np.empty(n, dtype), rate), t.numpy())
        assert_same_state(ours, theirs)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_gamma_numbers_are_pytorchs(dtype, seed):
    choice = np.random.default_rng(seed)
    ours, theirs = pair(seed)
    for n in (1, 17, 1000):
        alpha = choice.choice([0, 0.01, 0.3, 0.9, 1, 1.1, 3, 100, 1e6], n).astype(dtype)
        t = torch._standard_gamma(torch.from_numpy(alpha), generator=theirs)
        assert_same(probe.fill("standard_gamma", ours, np.empty(n, dtype), alpha), t.numpy())
        assert_same_state(ours, theirs)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_binomial_numbers_are_pytorchs(dtype, seed):
    choice = np.random.default_rng(seed)
    ours, theirs = pair(seed)
    for n in (1, 17, 1000):
        count = choice.choice([-1, 0, 1, 10, 25, 100, 1e4, 1e6], n).astype(dtype)
        prob = choice.choice([-0.1, 0, 0.001, 0.3, 0.5, 0.7, 0.99, 1, 1.1], n).astype(dtype)
        t = torch.binomial(torch.from_numpy(count), torch.from_numpy(prob), generator=theirs)
        assert_same(probe.fill("binomial", ours, np.empty(n, dtype), count, prob), t.numpy())
        assert_same_state(ours, theirs)


def test_binomial_comes_back_from_nan():
    count = np.array([np.nan, 5, np.nan])
    prob = np.array([0.3, np.nan, 0.7])
    assert np.isnan(probe.fill("binomial", Generator(), np.empty(3), count, prob)).all()


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("dtype", HALVES + FLOATS)
def test_categories_with_replacement_are_pytorchs(dtype, rows):
    for n in (1, 2, 7, 100, 1000):
        weights = np.random.default_rng(n).random((rows, n)).astype(dtype)
        weights[:, n // 2] = 1
        weights[:, : n // 3] = 0
        ours, theirs = pair(n)
        for samples in (1, 2, 50):
            t = torch.multinomial(torch.from_numpy(weights), samples, True, generator=theirs)
            assert_same(probe.multinomial_rows(ours, weights, samples, True), t.numpy())
            assert_same_state(ours, theirs)


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("dtype", FLOATS)
def test_categories_without_replacement_are_pytorchs(dtype, rows):
    for n in (1, 2, 7, 100, 1000, 5000):
        weights = (np.random.default_rng(n).random((rows, n)) + 0.01).astype(dtype)
        ours, theirs = pair(n)
        for samples in sorted({1, min(2, n), n // 30 + 1, n // 2 + 1, n}):
            t = torch.multinomial(torch.from_numpy(weights), samples, False, generator=theirs)
            assert_same(probe.multinomial_rows(ours, weights, samples, False), t.numpy())
            assert_same_state(ours, theirs)


def test_categories_of_equal_score_come_in_order():
    weights = np.zeros((1, 500))
    weights[0, 123] = 1
    drawn = probe.multinomial_rows(Generator(), weights, 500, False)[0]
    assert drawn.tolist() == [123, *range(123), *range(124, 500)]


# -- refusals --------------------------------------------------------------------------------------


def error_of(function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except (TypeError, ValueError, RuntimeError) as error:
        return type(error), str(error)
    raise AssertionError("nothing was raised")


REFUSALS = [
    ("uniform", "int64", (0, 1), lambda t: t.uniform_()),
    ("uniform", "bool", (0, 1), lambda t: t.uniform_()),
    ("uniform", "float32", (2, 1), lambda t: t.uniform_(2, 1)),
    ("uniform", "float32", (2, 1.5), lambda t: t.uniform_(2, 1.5)),
    ("uniform", "float16", (0, 1e6), lambda t: t.uniform_(0, 1e6)),
    ("uniform", "float32", (-3e38, 3e38), lambda t: t.uniform_(-3e38, 3e38)),
    ("uniform", "float64", (float("-inf"), 0), lambda t: t.uniform_(float("-inf"), 0)),
    ("uniform", "float64", (0, float("nan")), lambda t: t.uniform_(0, float("nan"))),
    ("normal", "int64", (0, 1), lambda t: t.normal_()),
    ("normal", "float32", (0, -1), lambda t: t.normal_(0, -1)),
    ("normal", "complex64", (0, -1), lambda t: t.normal_(0, -1)),
    ("normal_serial", "float32", (0, -1.5), lambda t: t.normal_(0, -1.5)),
    ("log_normal", "int64", (0, 1), lambda t: t.log_normal_()),
    ("log_normal", "float32", (0, 0), lambda t: t.log_normal_(0, 0)),
    ("random", "complex64", (), lambda t: t.random_()),
    ("random_from_to", "int32", (-(2**63), None), lambda t: t.random_(-(2**63), None)),
    ("random_from_to", "float16", (-(2**63), None), lambda t: t.random_(-(2**63), None)),
    ("bernoulli", "complex64", (0.5,), lambda t: t.bernoulli_()),
    ("bernoulli", "float32", (1.5,), lambda t: t.bernoulli_(1.5)),
    ("bernoulli", "float32", (float("nan"),), lambda t: t.bernoulli_(float("nan"))),
    ("exponential", "int64", (1,), lambda t: t.exponential_()),
    ("exponential", "complex64", (1,), lambda t: t.exponential_()),
    ("exponential", "float32", (-1,), lambda t: t.exponential_(-1)),
    ("exponential", "float32", (float("nan"),), lambda t: t.exponential_(float("nan"))),
    ("geometric", "bool", (0.5,), lambda t: t.geometric_(0.5)),
    ("geometric", "complex64", (0.5,), lambda t: t.geometric_(0.5)),
    ("geometric", "float32", (1,), lambda t: t.geometric_(1)),
    ("cauchy", "int64", (0, 1), lambda t: t.cauchy_()),
    ("cauchy", "complex64", (0, 1), lambda t: t.cauchy_()),
    ("cauchy", "float32", (0, 0), lambda t: t.cauchy_(0, 0)),
    ("randperm", "bool", (), lambda t: torch.randperm(3, dtype=t.dtype)),
    ("randperm", "complex64", (), lambda t: torch.randperm(3, dtype=t.dtype)),
]


@pytest.mark.parametrize(
    ("kind", "dtype", "args", "theirs"), REFUSALS, ids=[f"{r[0]}-{r[1]}-{r[2]}" for r in REFUSALS]
)
def test_what_pytorch_refuses_is_refused_in_its_words_and_draws_nothing(kind, dtype, args, theirs):
    generator = Generator()
    before = generator.get_state()
    ours = error_of(probe.fill, kind, generator, np.empty(3, dtype), *args)
    assert ours == error_of(theirs, torch.empty(3, dtype=getattr(torch, dtype)))
    np.testing.assert_array_equal(generator.get_state(), before)


BOUNDS = [0, 1, -1, 5, 100, 127, 255, 256, 2**11, 2**11 + 1, 2**15, 65504, 65505, 2**24, 2**24 + 1]
BOUNDS += [2**31, 2**40 + 1, 2**53, 2**53 + 1, 2**62, 2**63 - 1]
BOUNDS += [-bound for bound in BOUNDS if bound > 1] + [-(2**63)]


@pytest.mark.parametrize("dtype", [*REAL, "bool", *COMPLEX])
def test_any_range_means_what_it_means_in_pytorch(dtype):
    def outcome(draw, *args, **kwargs):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                result = np.asarray(draw(*args, **kwargs)).tolist()
            except RuntimeError as error:
                result = type(error), str(error)
        return result, [(w.category, str(w.message).split(" (Triggered")[0]) for w in warned]

    out, t = np.empty(3, dtype), torch.empty(3, dtype=getattr(torch, dtype))
    for low in BOUNDS:
        for high in [*BOUNDS, None]:
            if high is None and low == 2**63 - 1:
                continue  # PyTorch loops for ever
            ours, theirs = pair(1)
            assert outcome(probe.fill, "random_from_to", ours, out, low, high) == outcome(
                t.random_, low, high, generator=theirs
            ), (low, high)
            assert_same_state(ours, theirs)


@pytest.mark.parametrize("dtype", ["int64", "complex64"])
def test_what_has_no_kernel_for_its_parameter_is_refused_as_in_pytorch(dtype):
    ones = np.ones(3, dtype)
    t = torch.from_numpy(ones)
    for kind, args, theirs in (
        ("poisson", (ones,), lambda: torch.poisson(t)),
        ("standard_gamma", (ones,), lambda: torch._standard_gamma(t)),
    ):
        assert error_of(probe.fill, kind, Generator(), np.empty(3, dtype), *args) == error_of(
            theirs
        )
    ours = error_of(probe.fill, "bernoulli", Generator(), np.empty(3), np.ones(3, np.int64))
    assert ours == error_of(torch.empty(3).bernoulli_, torch.ones(3, dtype=torch.int64))


@pytest.mark.parametrize("bad", [2.0, -1.0, float("nan")])
def test_a_bad_p_stops_bernoulli_where_pytorch_stops(bad):
    ours, theirs = pair(0)
    p = np.full(700, 0.5)
    p[600] = bad
    out, t = np.full(700, 9.0), torch.full((700,), 9.0, dtype=torch.float64)
    assert error_of(probe.fill, "bernoulli", ours, out, p) == error_of(
        t.bernoulli_, torch.from_numpy(p), generator=theirs
    )
    np.testing.assert_array_equal(out, t.numpy())
    assert_same_state(ours, theirs)


@pytest.mark.parametrize("bad", [-1.0, float("nan")])
def test_a_bad_rate_stops_poisson_where_pytorch_stops(bad):
    ours, theirs = pair(0)
    rate = np.full(700, 3.0)
    rate[600] = bad
    assert error_of(probe.fill, "poisson", ours, np.empty(700), rate) == error_of(
        torch.poisson, torch.from_numpy(rate), generator=theirs
    )
    assert_same_state(ours, theirs)


@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize(
    "weights", [[1, -1], [1, np.nan], [1, np.inf], [0, 0], [-np.inf, 1], [[1, 1], [0, 0]]], ids=str
)
def test_weights_that_are_no_distribution_are_refused_as_in_pytorch(weights, replacement):
    weights = np.atleast_2d(np.array(weights, np.float64))
    ours, theirs = pair(0)
    assert error_of(probe.multinomial_rows, ours, weights, 2, replacement) == error_of(
        torch.multinomial, torch.from_numpy(weights), 2, replacement, generator=theirs
    )
    assert_same_state(ours, theirs)


def test_more_samples_than_categories_are_refused_as_in_pytorch():
    assert error_of(probe.multinomial_rows, Generator(), np.ones((1, 3)), 4, False) == error_of(
        torch.multinomial, torch.ones(1, 3), 4, False
    )


def test_nothing_to_fill_is_never_refused_for_its_dtype():
    for kind, args in (("normal", (0, 1)), ("random", ()), ("bernoulli", (0.5,))):
        assert probe.fill(kind, Generator(), np.empty(0, np.complex64), *args).size == 0
