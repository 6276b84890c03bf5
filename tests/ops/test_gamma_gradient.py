"""How gamma samples move with their parameter, beside the quantile function's slope."""

import numpy as np
import pytest

import minitorch
from minitorch.autograd.functions import tensor_methods

scipy_special = pytest.importorskip("scipy.special")


def slope_of_the_quantile(a, x):
    """Central differences of the inverse, from whichever tail is the shorter one."""
    low, high = scipy_special.gammainc(a, x), scipy_special.gammaincc(a, x)
    h = 1e-4 * a
    by_low = scipy_special.gammaincinv(a + h, low) - scipy_special.gammaincinv(a - h, low)
    by_high = scipy_special.gammainccinv(a + h, high) - scipy_special.gammainccinv(a - h, high)
    return np.where(low < 0.5, by_low, by_high) / (2 * h)


@pytest.mark.parametrize("decade", range(-1, 5))
def test_it_is_the_slope_of_the_quantile(decade):
    random = np.random.default_rng(decade + 1)
    a = 10 ** random.uniform(decade, decade + 1, 500)
    x = np.maximum(random.gamma(a), 1e-12)
    found = tensor_methods._standard_gamma_grad(
        minitorch.from_numpy(a), minitorch.from_numpy(x)
    ).numpy()
    np.testing.assert_allclose(found, slope_of_the_quantile(a, x), rtol=2e-5)


def test_far_in_the_tails_it_stays_finite():
    a = minitorch.tensor([0.01, 0.5, 3.0, 1e6, 3.0], dtype=minitorch.float64)
    x = minitorch.tensor([1e-300, 0.0, 80.0, 1.002e6, 1e-20], dtype=minitorch.float64)
    assert minitorch.isfinite(tensor_methods._standard_gamma_grad(a, x)).all()


def test_the_mean_of_samples_has_slope_one():
    minitorch.manual_seed(0)
    a = minitorch.full((20000,), 2.5, dtype=minitorch.float64, requires_grad=True)
    tensor_methods._standard_gamma(a).sum().backward()
    assert abs(a.grad.mean().item() - 1) < 0.02


def test_pytorch_approximates_the_same():
    torch = pytest.importorskip(
        "torch", reason="needs the compat extra: pip install -e '.[compat]'"
    )
    a = np.linspace(0.1, 40, 200)
    x = np.linspace(0.2, 60, 200)
    found = tensor_methods._standard_gamma_grad(
        minitorch.from_numpy(a), minitorch.from_numpy(x)
    ).numpy()
    theirs = torch._standard_gamma_grad(torch.from_numpy(a), torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(found, theirs, rtol=2e-2)
