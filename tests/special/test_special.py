"""torch.special beside PyTorch, and beside identities of textbooks."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest

import minitorch
from minitorch import special
from tests.both import compare, real

POINTS = [-30.0, -5.5, -2.0, -1.0, -0.7, -0.5, -0.1, 0.0, 1e-20, 1e-3, 0.1, 0.3, 0.5, 0.7, 1.0, 1.3,
          2.0, 3.0, 5.0, 12.0, 30.0, 100.0, math.inf, -math.inf, math.nan]  # fmt: skip
POLYNOMIALS = [name for name in special.__all__ if "polynomial" in name]
TWO = ["gammainc", "gammaincc", "zeta", "xlogy", "xlog1py", *POLYNOMIALS]
OTHERS = ["logsumexp", "softmax", "log_softmax", "polygamma", "multigammaln"]
ONE = [name for name in special.__all__ if name not in TWO and name not in OTHERS]
# PyTorch's own have eight digits
BESSEL = ["bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1"]


def test_the_names_are_pytorchs():
    assert sorted(special.__all__) == sorted(real.special.__all__)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool", "float16", "complex64"])
@pytest.mark.parametrize("name", ONE)
def test_a_function_of_one_variable_is_pytorchs(name, dtype):
    if dtype == "complex64":
        points = [0.5 + 0.25j, -1.5j]
    elif "float" in dtype:
        points = [p for p in POINTS if name != "airy_ai" or abs(p) < 40]
    else:
        points = [0, 1, 1]
    tolerance = {"float16": 1e-2, "float32": 3e-5, "float64": 1e-9}.get(dtype, 1e-5)
    if name in [*BESSEL, "airy_ai"] and dtype == "float64":
        tolerance = 1e-6
    if dtype == "float32":
        points = [p for p in points if name not in BESSEL or not abs(p) > 40]

    def program(torch):
        return getattr(torch.special, name)(torch.tensor(points, dtype=getattr(torch, dtype)))

    compare(program, tolerance)


@pytest.mark.parametrize("dtype", ["float64", "int64", "float16"])
@pytest.mark.parametrize("name", TWO)
def test_a_function_of_two_variables_is_pytorchs(name, dtype):
    finite = [p for p in POINTS if abs(p) < 50]
    second = [-1.0, 0.0, 1.0, 2.0, 5.0, 6.5, 9.0, 20.0, 60.0] if "polynomial" in name else finite
    first = finite
    if dtype != "float64":
        first = second = [0.0, 1.0, 2.0]
    x, y = (np.ravel(a).astype(dtype) for a in np.meshgrid(first, second))
    tolerance = 1e-9 if dtype == "float64" else 1e-3
    compare(
        lambda torch: getattr(torch.special, name)(torch.from_numpy(x), torch.from_numpy(y)),
        tolerance,
    )


@pytest.mark.parametrize("name", ["zeta", "xlogy", "xlog1py", *POLYNOMIALS])
def test_one_of_two_variables_may_be_a_number(name):
    def program(torch):
        function, x = getattr(torch.special, name), torch.tensor([2.0, 3.0], dtype=torch.float64)
        return [function(x, 2), function(2.5, x), function(x, 3.5)]

    compare(program, 1e-9)


@pytest.mark.parametrize("n", range(5))
def test_polygamma_is_pytorchs(n):
    points = [p for p in POINTS if p > 0 or not math.isfinite(p) or p % 1]
    compare(lambda torch: torch.polygamma(n, torch.tensor(points, dtype=torch.float64)), 1e-9)
    compare(lambda torch: torch.tensor([1.5, 2.5]).polygamma(n), 1e-5)
    compare(lambda torch: torch.tensor([1.5, 2.5]).polygamma_(n), 1e-5)


@pytest.mark.parametrize(
    "call",
    [
        "torch.polygamma(-1, x)",
        "torch.polygamma(x, 1)",
        "torch.mvlgamma(x, 0)",
        "torch.mvlgamma(x > 0, 2)",
        "torch.special.polygamma(1.5, x)",
        "torch.special.erf(1)",
        "torch.special.erf(x, x)",
        "torch.special.erf(x, out=1)",
        "torch.special.psi()",
        "torch.special.psi(x, out=torch.empty(2, dtype=torch.float64))",
        "torch.special.i0e(x, out=torch.empty(2, dtype=torch.int64))",
        "torch.special.expit(x, out=torch.empty(2))",
        "torch.special.round(x, decimals=1)",
        "torch.special.round(x, decimals='a')",
        "torch.special.softmax(x, 0, torch.float64)",
        "torch.special.softmax(x, 3)",
        "torch.special.log_softmax(x, 0, dtype=torch.float64)",
        "torch.special.logsumexp(x, 0, True)",
        "torch.special.logsumexp(x, [0])",
        "torch.special.logit(x, 0.1)",
        "torch.special.logit(x, eps='a')",
        "torch.special.gammainc(x, 1)",
        "torch.special.zeta(1, 2)",
        "torch.special.hermite_polynomial_h(x)",
        "torch.special.hermite_polynomial_h(x, 'a')",
        "torch.special.chebyshev_polynomial_t(1, 2)",
        "torch.special.airy_ai(x=x)",
        "torch.special.bessel_j0(input=x)",
        "torch.special.bessel_j0(x.half())",
        "torch.ldexp(x.clone(), torch.tensor([1, 200]))",
        "torch.ldexp(x, 3)",
        "x.clone().ldexp_(torch.tensor([[1]]))",
        "torch.frexp(torch.tensor([1]))",
        "tuple(torch.frexp(x))",
        "torch.logcumsumexp(x, 1)",
        "torch.logcumsumexp(torch.tensor([1]), 0)",
    ],
)
def test_a_call_does_what_pytorch_does(call):
    compare(lambda torch: eval(call, {"torch": torch, "x": torch.tensor([0.25, 0.5])}), 1e-5)


def numbers(low, high):
    return minitorch.linspace(low, high, 41, dtype=minitorch.float64)


def close(ours, theirs, tolerance=1e-10):
    np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=tolerance, atol=tolerance)


def test_the_wronskian_of_the_bessel_functions():
    """Abramowitz and Stegun 9.1.16 and 9.6.15."""
    x = numbers(0.5, 20)
    j = special.bessel_j1(x) * special.bessel_y0(x) - special.bessel_j0(x) * special.bessel_y1(x)
    close(j, 2 / (math.pi * x))
    k = special.i0(x) * special.modified_bessel_k1(x) + special.i1(x) * special.modified_bessel_k0(
        x
    )
    close(k, 1 / x)


def test_zeta_and_polygamma_follow_their_recurrences():
    """DLMF 25.11.3 and 5.15.5."""
    q = numbers(0.2, 8)
    close(special.zeta(2.5, q) - special.zeta(2.5, q + 1), q**-2.5)
    for n in range(1, 4):
        step = (-1) ** n * math.factorial(n) * q ** (-n - 1)
        close(special.polygamma(n, q + 1), special.polygamma(n, q) + step, 1e-8)


def test_the_polynomials_are_orthogonal():
    """By Gauss's quadrature, which is exact for them."""
    for name, (points, weights) in (
        ("legendre_polynomial_p", np.polynomial.legendre.leggauss(12)),
        ("chebyshev_polynomial_t", np.polynomial.chebyshev.chebgauss(12)),
        ("laguerre_polynomial_l", np.polynomial.laguerre.laggauss(12)),
        ("hermite_polynomial_h", np.polynomial.hermite.hermgauss(12)),
        ("hermite_polynomial_he", np.polynomial.hermite_e.hermegauss(12)),
    ):
        x = minitorch.from_numpy(points)
        values = [getattr(special, name)(x, n).numpy() for n in range(6)]
        gram = np.array([[np.sum(weights * a * b) for a in values] for b in values])
        scale = np.sqrt(np.outer(np.diag(gram), np.diag(gram)))
        np.testing.assert_allclose(gram / scale, np.eye(6), atol=1e-10)


def test_incomplete_gamma_functions_add_up():
    a, x = numbers(0.3, 30), numbers(0.1, 40)
    close(special.gammainc(a, x) + special.gammaincc(a, x), minitorch.ones_like(a))


def test_logcumsumexp_takes_infinities():
    compare(
        lambda torch: [
            torch.logcumsumexp(torch.tensor([-math.inf, 1.0, -math.inf, 2.0]), 0),
            torch.logcumsumexp(torch.tensor([math.inf, 1.0, math.nan, 2.0]), 0),
        ]
    )


def test_functions_are_found_where_scipy_hides_its_ufuncs():
    program = "import minitorch as t; print(t.special.entr(t.ones(1)).item(), t.fft.fft(t.ones(1)).item())"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["-0.0", "(1+0j)"], done.stderr
