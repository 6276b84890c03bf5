"""Samples of the Dirichlet distribution, and how they move with its parameters.

References
----------
.. [1] Figurnov, Mohamed and Mnih, Implicit reparameterization gradients, 2018.
"""

import numpy as np
from scipy.special import digamma

from minitorch._type_info import finfo
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.from_data import from_numpy

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(96)
_NODES, _WEIGHTS = (_NODES + 1) / 2, _WEIGHTS / 2
# crowded at 0, where an integrand of a small parameter bends
_NODES, _WEIGHTS = _NODES**4, 4 * _NODES**3 * _WEIGHTS
# where an integrand is exp(-_TAIL) of its value at the start it is taken for zero
_TAIL = 40.0


def sample_dirichlet(concentration):
    """Gamma numbers, drawn in float64, in proportion to their sum; never quite 0 or 1."""
    drawn = _ops._standard_gamma(concentration.detach().double())
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
    x64, a, sums = (np.asarray(t.detach().double().numpy()) for t in (x, concentration, total))
    b = sums - a
    result = np.empty(x64.shape)
    is_low = x64 * sums < a
    for part, function in ((is_low, _from_below), (~is_low, _from_above)):
        if part.any():
            result[part] = function(x64[part], a[part], b[part])
    return from_numpy(-result / (1 - x64)).to(x.dtype)


def _from_below(x, a, b):
    """(dF/da) / f as an integral over t from 0 to x, with t = x exp(-u / a)."""

    def exponent(u):
        # of the integrand over its value at x
        return -u + (b - 1) * (np.log1p(-x * np.exp(-u / a)) - np.log1p(-x))

    mean_log = digamma(a) - digamma(a + b)
    return x / a * _integral(exponent, lambda u: np.log(x) - u / a - mean_log)


def _from_above(x, a, b):
    """The same over t from x to 1, with 1 - t = (1 - x) exp(-u / b)."""

    def log_t(u):
        return np.log1p(-(1 - x) * np.exp(-u / b))

    mean_log = digamma(a) - digamma(a + b)
    return (
        -(1 - x)
        / b
        * _integral(lambda u: -u + (a - 1) * (log_t(u) - np.log(x)), lambda u: log_t(u) - mean_log)
    )


def _integral(exponent, factor):
    """The integral of exp(exponent(u)) factor(u) over the positive u, for vectors of functions."""
    end = _TAIL
    while np.any(exponent(end) > -_TAIL):
        end = 2 * end
    # each has its own end: as far as it is not zero yet
    below, above = 0.0, end
    for _ in range(30):
        middle = (below + above) / 2
        high = exponent(middle) > -_TAIL
        below, above = np.where(high, middle, below), np.where(high, above, middle)
    result = 0.0
    for node, weight in zip(_NODES, _WEIGHTS, strict=True):
        u = above * node
        result = result + weight * np.exp(exponent(u)) * factor(u)
    return above * result
