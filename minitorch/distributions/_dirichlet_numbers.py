"""Samples of the Dirichlet distribution, and how they move with its parameters.

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
    """Gauss-Legendre nodes on (0, 1), crowded at 0, where an integrand of a small parameter bends.

    Parameters
    ----------
    count, power : int
    tail : float
        Where an integrand is exp(-tail) of its value at the start it is taken for zero.
    """

    def __init__(self, count, power, tail):
        nodes, weights = np.polynomial.legendre.leggauss(count)
        nodes = (nodes[:, None] + 1) / 2
        self.nodes = nodes**power
        self.weights = power * nodes ** (power - 1) * weights[:, None] / 2
        self.tail = tail


# relative errors of 5e-6 where no parameter is below 0.2, of 1e-6, and of 1e-11
_PLAIN, _SINGLE, _DOUBLE = _Rule(16, 2, 16.0), _Rule(24, 3, 20.0), _Rule(64, 4, 40.0)
# how many are worked on at once: the nodes of these stay in the cache
_BLOCK = 1024


def sample_dirichlet(concentration, generator=None):
    """Gamma numbers, drawn in float64, in proportion to their sum; never quite 0 or 1."""
    if not concentration.is_floating_point():
        raise NotImplementedError(
            f"\"dirichlet\" not implemented for '{concentration.dtype._class_name}'"
        )
    drawn = _ops._standard_gamma(concentration.detach().double(), generator)
    info = finfo(concentration.dtype)
    # eps / 2 below 1 is the next number
    shares = (drawn / drawn.sum(-1, True)).clamp(min=info.tiny, max=1 - info.eps / 2)
    return shares.to(concentration.dtype)


def dirichlet_grad(x, concentration, total):
    """The derivative of each share, by its concentration, over 1 - x.

    A share is beta distributed with the parameters a and b = total - a; its derivative with respect to
    a is -(dF/da) / f, with the distribution function F and the density f at x [1].

    Parameters
    ----------
    x, concentration, total : Tensor
        Of one shape.

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

    dF/da is the integral of f(t) (log t - its mean) over t from 0 to x, or, with the other sign, from x to
    1: where t runs away from the mean nothing cancels. Below it t = x exp(-u / a), above it
    1 - t = (1 - x) exp(-u / b), and f(t) dt over f(x) is exp(-u + ...) du.
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
    """Where the exponent of the integrand is -tail: Newton's steps from above, where it is concave."""
    end = np.where(other > 1, tail - (other - 1) * start, tail)
    for _ in range(5):
        part = near * np.exp(-end / own)
        exponent = -end + (other - 1) * (np.log1p(-part) - start)
        slope = -1 + (other - 1) * part / (own * (1 - part))
        end = np.where(other > 1, end - (exponent + tail) / slope, end)
    return end


# the names that programs call
_sample_dirichlet = sample_dirichlet
_dirichlet_grad = dirichlet_grad
