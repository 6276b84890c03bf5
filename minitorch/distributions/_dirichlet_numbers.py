"""Sampling from the Dirichlet distribution and the derivative of samples by its parameters.

References
----------
.. [1] Figurnov, Mohamed and Mnih, Implicit reparameterization gradients, 2018.
"""

import numpy as np
from scipy.special import digamma

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.from_data import from_numpy
from minitorch.core.dtype import _dtypes
from minitorch.tensors.type_info import finfo


class _Rule:
    """Gauss-Legendre nodes on (0, 1), concentrated near 0, where the integrand varies most.

    Parameters
    ----------
    count, power : int
    tail : float
        The integrand is treated as zero once it falls below exp(-tail) times its initial value.
    """

    def __init__(self, count, power, tail):
        nodes, weights = np.polynomial.legendre.leggauss(count)
        nodes = (nodes[:, None] + 1) / 2
        self.nodes = nodes**power
        self.weights = power * nodes ** (power - 1) * weights[:, None] / 2
        self.tail = tail


# The relative errors are 5e-6 if no parameter is below 0.2, 1e-6, and 1e-11.
_PLAIN, _SINGLE, _DOUBLE = _Rule(16, 2, 16.0), _Rule(24, 3, 20.0), _Rule(64, 4, 40.0)
# samples per block: their nodes fit into the cache
_BLOCK = 1024


def sample_dirichlet(concentration, generator=None):
    """Draw gamma variates in float64 and divide them by their sum.

    The result is clamped to the open interval (0, 1).
    """
    if not concentration.is_floating_point():
        raise NotImplementedError(
            f"\"dirichlet\" not implemented for '{concentration.dtype._class_name}'"
        )
    drawn = _ops._standard_gamma(concentration.detach().double(), generator)
    info = finfo(concentration.dtype)
    # 1 - eps / 2 is the largest number below 1
    shares = (drawn / drawn.sum(-1, True)).clamp(min=info.tiny, max=1 - info.eps / 2)
    return shares.to(concentration.dtype)


def dirichlet_grad(x, concentration, total):
    """Return the derivative of each component with respect to its concentration, over 1 - x.

    A component is beta distributed with the parameters a and b = total - a. Its derivative with
    respect to a is -(dF/da) / f, where F is the distribution function and f the density at x [1].

    Parameters
    ----------
    x, concentration, total : Tensor
        Tensors of the same shape.

    Returns
    -------
    Tensor
    """
    shares, a, sums = (t.detach().double().numpy().reshape(-1) for t in (x, concentration, total))
    result = np.empty(shares.shape)
    for first in range(0, len(shares), _BLOCK):
        part = slice(first, first + _BLOCK)
        rule = _PLAIN if min(a[part].min(), (sums - a)[part].min()) >= 0.2 else _SINGLE
        if x.dtype is _dtypes()["float64"]:
            rule = _DOUBLE
        result[part] = _over_density(shares[part], a[part], sums[part], rule)
    return from_numpy(result.reshape(tuple(x.shape))).to(x.dtype)


def _over_density(x, a, total, rule):
    """Return -(dF/da) / f / (1 - x).

    dF/da is the integral of f(t) (log t - E[log t]) over t from 0 to x or, with the opposite sign,
    from x to 1. The interval on the far side of the mean is used, so that nothing cancels. Below
    the mean, t = x exp(-u / a); above it, 1 - t = (1 - x) exp(-u / b). Then f(t) dt / f(x) is
    exp(-u + ...) du.
    """
    b = total - a
    below = x * total < a
    near = np.where(below, x, 1 - x)
    own, other = np.where(below, a, b), np.where(below, b, a)
    start = np.log1p(-near)
    end = _end(near, own, other, start, rule.tail)
    u = end * rule.nodes
    log_far = np.log1p(-near * np.exp(-u / own))
    density = np.exp(-u + (other - 1) * (log_far - start))
    log_t = np.where(below, np.log(near) - u / own, log_far) - (digamma(a) - digamma(total))
    integral = end * (rule.weights * density * log_t).sum(0)
    return np.where(below, -1, 1) * near / own * integral / (1 - x)


def _end(near, own, other, start, tail):
    """Return the u at which the exponent of the integrand is -tail, by Newton's method.

    The iteration starts above the root, where the exponent is concave.
    """
    end = np.where(other > 1, tail - (other - 1) * start, tail)
    for _ in range(5):
        part = near * np.exp(-end / own)
        exponent = -end + (other - 1) * (np.log1p(-part) - start)
        slope = -1 + (other - 1) * part / (own * (1 - part))
        end = np.where(other > 1, end - (exponent + tail) / slope, end)
    return end


# names under which programs call these functions
_sample_dirichlet = sample_dirichlet
_dirichlet_grad = dirichlet_grad
