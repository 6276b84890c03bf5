"""How Dirichlet samples move with their parameters, beside the slope of the beta distribution."""

import numpy as np
import pytest

import minitorch
from minitorch.distributions._dirichlet_numbers import dirichlet_grad

scipy_special = pytest.importorskip("scipy.special")
scipy_stats = pytest.importorskip("scipy.stats")

PARAMETERS = (0.01, 0.1, 0.5, 1.0, 2.0, 7.0, 30.0, 300.0, 3000.0)


@pytest.mark.parametrize("a", PARAMETERS)
@pytest.mark.parametrize("b", PARAMETERS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_it_is_the_slope_of_the_share(a, b, dtype):
    x = scipy_stats.beta.ppf([0.001, 0.05, 0.3, 0.5, 0.9, 0.999], a, b)
    dtype = getattr(minitorch, dtype)
    tolerance = 1e-6
    x = x[(x > 1e-30) & (x < 1 - 1e-12)]
    if dtype is minitorch.float32:
        # the number that is asked about is the rounded one
        x, tolerance = x[x < 0.999].astype(np.float32).astype(np.float64), 5e-5
        a, b = float(np.float32(a)), float(np.float32(a) + np.float32(b)) - float(np.float32(a))
    h = 1e-4 * a
    steps = [scipy_special.betainc(a + k * h, b, x) for k in (-2, -1, 1, 2)]
    slope = (steps[0] - 8 * steps[1] + 8 * steps[2] - steps[3]) / (12 * h)
    expected = -slope / scipy_stats.beta.pdf(x, a, b) / (1 - x)
    found = dirichlet_grad(
        minitorch.tensor(x, dtype=dtype),
        minitorch.full(x.shape, a, dtype=dtype),
        minitorch.full(x.shape, a + b, dtype=dtype),
    )
    np.testing.assert_allclose(found.numpy(), expected, rtol=tolerance)
