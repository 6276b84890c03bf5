"""Operators on numbers that leave a fast loop: results that overflow, negative and nan operands."""

import itertools

import numpy as np
import pytest

import minitorch
from tests.both import compare, real

SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 2.5, -2.5, 1e-30, -1e-30, 1e30]
SPECIAL += [-1e30, 127.5, 128.0, -127.0, -149.0, -150.5, 1025.0, -1074.0, 7001.0, 16777217.0]
SPECIAL += [float("inf"), -float("inf"), float("nan")]


@pytest.mark.parametrize("kind", ["float32", "float64", "float16", "bfloat16"])
def test_powers_of_special_values_equal_pytorch(kind):
    bases, exponents = zip(*itertools.product(SPECIAL, SPECIAL), strict=True)

    def program(torch):
        dtype = getattr(torch, kind)
        x, y = torch.tensor(bases, dtype=dtype), torch.tensor(exponents, dtype=dtype)
        power = x**y
        zero = power == 0
        return power.float(), zero, torch.signbit(power)[zero]

    compare(program, 1e-5)


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_a_power_does_not_depend_on_its_neighbours(kind):
    bases, exponents = zip(*itertools.product(SPECIAL, SPECIAL), strict=True)
    dtype = getattr(minitorch, kind)
    x, y = minitorch.tensor(bases, dtype=dtype), minitorch.tensor(exponents, dtype=dtype)
    alone = minitorch.stack([a**b for a, b in zip(x, y, strict=True)])
    assert minitorch.equal((x**y).nan_to_num(7.0), alone.nan_to_num(7.0))


def test_powers_that_overflow_or_become_subnormal_are_as_accurate_as_those_of_pytorch():
    random = np.random.RandomState(0)
    x = (random.choice([-1, 1], 5000) * 2 ** random.uniform(-140, 127, 5000)).astype("f4")
    y = np.where(x < 0, random.randint(-4, 5, 5000), random.uniform(-4, 4, 5000)).astype("f4")
    with np.errstate(all="ignore"):
        exact = x.astype("f8") ** y.astype("f8")
        unit = np.maximum(np.abs(np.spacing(exact.astype("f4"))), 2.0**-149).astype("f8")
    finite = np.abs(exact) < 3.4e38

    def error(torch):
        power = (torch.from_numpy(x) ** torch.from_numpy(y)).numpy().astype("f8")
        assert np.array_equal(np.isinf(power), ~finite)
        return np.max(np.abs(power - exact)[finite] / unit[finite])

    assert error(minitorch) <= max(2 * error(real), 1.0)


def test_ldexp_and_vander_with_results_out_of_range_equal_pytorch():
    def program(torch):
        x = torch.linspace(-2, 2, 41)
        exponents = torch.arange(41) * 50 - 1000
        return torch.ldexp(x, exponents), torch.vander(x, 200), torch.vander(x * 1e-3, 60)

    compare(program, 1e-5)


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_lgamma_of_negative_numbers_equals_pytorch(kind):
    def program(torch):
        dtype = getattr(torch, kind)
        special = torch.tensor([-0.0, 0.0, -1.0, -2.0, -171.5, -1e-30, -1e10, -1e31], dtype=dtype)
        other = torch.tensor([float("nan"), float("inf"), -float("inf")], dtype=dtype)
        # among them -2.4570247382, near a zero of lgamma
        line = torch.linspace(-6, 1, 1001, dtype=dtype)
        zero = torch.tensor([-2.457024738220801], dtype=dtype)
        return [torch.lgamma(t) for t in (special, other, line, zero, -torch.rand(0, dtype=dtype))]

    compare(program, 1e-5 if kind == "float32" else 1e-12)


@pytest.mark.parametrize("kind", ["uint8", "int16", "float32", "float64", "complex128"])
@pytest.mark.parametrize("columns", [1, 2, 3, 17, 64, 131])
def test_flipped_rows_equal_pytorch(kind, columns):
    def program(torch):
        x = torch.arange(3 * columns).reshape(3, columns).to(getattr(torch, kind))
        return x.flip(0), x.flip(1), x.flip((0, 1)), [torch.rot90(x, k) for k in range(4)]

    compare(program)


@pytest.mark.parametrize("columns", [1, 15, 16, 17, 40, 700])
@pytest.mark.parametrize("p", [0.0, 0.7, 1.0, 2.0, 3.0, float("inf")])
def test_distances_between_rows_equal_pytorch(p, columns):
    numbers = np.random.RandomState(0).standard_normal((5, columns)).astype("f4")
    numbers[1] = numbers[0]
    missing = numbers.copy()
    missing[2, columns // 2] = np.nan
    missing[3, 0] = np.inf

    def program(torch):
        x, y = torch.from_numpy(numbers.copy()), torch.from_numpy(missing.copy())
        distance = torch.nn.functional.pdist
        return distance(x, p), distance(x.double(), p), torch.cdist(x, x, p=p), distance(y, p)

    compare(program, 1e-5)


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("name", ["atan2", "nextafter"])
def test_coordinates_of_every_kind_equal_pytorch(name, kind):
    first, second = zip(*itertools.product(SPECIAL, SPECIAL), strict=True)

    def program(torch):
        dtype = getattr(torch, kind)
        x, y = torch.tensor(first, dtype=dtype), torch.tensor(second, dtype=dtype)
        result = getattr(torch, name)(x, y)
        zero = result == 0
        # a difference of one unit in the last place would be lost in the tolerance
        exact = result.view(torch.int32 if kind == "float32" else torch.int64)
        return (
            result,
            torch.signbit(result)[zero],
            exact[~result.isnan()] if name == "nextafter" else 0,
        )

    compare(program, 1e-6)


def test_atan2_of_float32_is_as_accurate_as_that_of_pytorch():
    x, y = np.random.RandomState(0).standard_normal((2, 100_000)).astype("f4")
    exact = np.arctan2(y.astype("f8"), x.astype("f8"))
    unit = np.spacing(np.abs(exact).astype("f4"))

    def error(torch):
        return np.max(np.abs(torch.from_numpy(y).atan2(torch.from_numpy(x)).numpy() - exact) / unit)

    assert error(minitorch) <= 2 * error(real)


def test_erf_of_tiny_numbers_equals_pytorch():
    def program(torch):
        tiny = torch.tensor([0.0, -0.0, 1e-45, -1e-40, 1e-30, 1e-13, 1.1e-12, 1e-6, -1e-3])
        result = torch.erf(tiny), torch.erf(tiny.double() * 1e-90)
        return [t / torch.where(t == 0, 1, t.abs().clamp(min=1e-38)) for t in result], result[0]

    compare(program)
