"""Divergences between distributions of two kinds: the mean of -log q under p, less the entropy of p."""

import math
from math import inf

from minitorch.autograd.functions.creation import full_like
from minitorch.composed.comparisons import where
from minitorch.distributions.bernoulli import Bernoulli
from minitorch.distributions.beta import Beta
from minitorch.distributions.binomial import Binomial
from minitorch.distributions.continuous_bernoulli import ContinuousBernoulli
from minitorch.distributions.exponential import Exponential
from minitorch.distributions.gamma import Gamma
from minitorch.distributions.gumbel import Gumbel
from minitorch.distributions.kl import register_kl
from minitorch.distributions.laplace import Laplace
from minitorch.distributions.normal import Normal
from minitorch.distributions.pareto import Pareto
from minitorch.distributions.poisson import Poisson
from minitorch.distributions.uniform import Uniform
from minitorch.distributions.utils import euler_constant

# -- where p gives values that q cannot ------------------------------------------------------------

_INFINITE = [
    (Beta, "concentration1", (Pareto,)),
    (ContinuousBernoulli, "probs", (Pareto,)),
    (Exponential, "rate", (Beta, ContinuousBernoulli, Pareto, Uniform)),
    (Gamma, "concentration", (Beta, ContinuousBernoulli, Pareto, Uniform)),
    (Gumbel, "loc", (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)),
    (Laplace, "loc", (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)),
    (Normal, "loc", (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)),
    (Pareto, "scale", (Beta, ContinuousBernoulli, Uniform)),
    (Poisson, "rate", (Bernoulli, Binomial)),
]


def _infinite(name):
    return lambda p, q: full_like(getattr(p, name), inf)


for _kind, _name, _others in _INFINITE:
    _function = _infinite(_name)
    for _other in _others:
        register_kl(_kind, _other)(_function)


# -- the mean of -log q, for some q, from moments of p ---------------------------------------------


def _x_log_x(x):
    return x.xlogy(x)


def _under_normal(q, mean, variance):
    """Return the mean of -log q under a distribution with the given mean and variance."""
    spread = q.scale.pow(2)
    away = (variance + (mean - q.loc).pow(2)) / (2 * spread)
    return 0.5 * (2 * math.pi * spread).log() + away


def _under_gamma(q, mean, mean_log):
    a = q.concentration
    return a.lgamma() - a * q.rate.log() - (a - 1) * mean_log + q.rate * mean


def _under_exponential(q, mean):
    return -q.rate.log() + q.rate * mean


def _under_continuous_bernoulli(q, mean):
    return -mean * q.logits - (-q.probs).log1p() - q._log_norm()


# -- of each p -------------------------------------------------------------------------------------


@register_kl(Bernoulli, Poisson)
def _bernoulli_poisson(p, q):
    return -p.entropy() - (p.probs * q.rate.log() - q.rate)


@register_kl(Beta, ContinuousBernoulli)
def _beta_continuous_bernoulli(p, q):
    return -p.entropy() + _under_continuous_bernoulli(q, p.mean)


@register_kl(Beta, Exponential)
def _beta_exponential(p, q):
    return -p.entropy() + _under_exponential(q, p.mean)


@register_kl(Beta, Gamma)
def _beta_gamma(p, q):
    mean_log = p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma()
    return -p.entropy() + _under_gamma(q, p.mean, mean_log)


@register_kl(Beta, Normal)
def _beta_normal(p, q):
    return -p.entropy() + _under_normal(q, p.mean, p.variance)


@register_kl(Beta, Uniform)
def _beta_uniform(p, q):
    result = -p.entropy() + (q.high - q.low).log()
    result[(q.low > 0) | (q.high < 1)] = inf
    return result


@register_kl(ContinuousBernoulli, Exponential)
def _continuous_bernoulli_exponential(p, q):
    return -p.entropy() + _under_exponential(q, p.mean)


@register_kl(ContinuousBernoulli, Normal)
def _continuous_bernoulli_normal(p, q):
    return -p.entropy() + _under_normal(q, p.mean, p.variance)


@register_kl(ContinuousBernoulli, Uniform)
def _continuous_bernoulli_uniform(p, q):
    result = -p.entropy() + (q.high - q.low).log()
    # as PyTorch has it: infinite at the bounds themselves too
    return where((q.low >= 0) | (q.high <= 1), full_like(result, inf), result)


@register_kl(Exponential, Gamma)
def _exponential_gamma(p, q):
    mean_log = -euler_constant - p.rate.log()
    return -p.entropy() + _under_gamma(q, p.mean, mean_log)


@register_kl(Exponential, Gumbel)
def _exponential_gumbel(p, q):
    product, away = p.rate * q.scale, q.loc / q.scale
    tail = away.exp() * product / (product + 1)
    return product.log() - 1 - away + tail + product.reciprocal()


@register_kl(Exponential, Normal)
def _exponential_normal(p, q):
    return -p.entropy() + _under_normal(q, p.mean, p.variance)


@register_kl(Gamma, Exponential)
def _gamma_exponential(p, q):
    return -p.entropy() + _under_exponential(q, p.mean)


@register_kl(Gamma, Gumbel)
def _gamma_gumbel(p, q):
    a, product, away = p.concentration, p.rate * q.scale, q.loc / q.scale
    tail = away.exp() * (1 + product.reciprocal()).pow(-a)
    of_p = (a - 1) * a.digamma() - a.lgamma() - a
    return of_p + product.log() + a / product + tail - away


@register_kl(Gamma, Normal)
def _gamma_normal(p, q):
    return -p.entropy() + _under_normal(q, p.mean, p.variance)


@register_kl(Gumbel, Normal)
def _gumbel_normal(p, q):
    return -p.entropy() + _under_normal(q, p.mean, p.variance)


@register_kl(Laplace, Normal)
def _laplace_normal(p, q):
    return -p.entropy() + _under_normal(q, p.mean, p.variance)


@register_kl(Normal, Gumbel)
def _normal_gumbel(p, q):
    away, ratio = (p.loc - q.loc) / q.scale, (p.scale / q.scale).pow(2)
    tail = (-away + 0.5 * ratio).exp()
    return -0.5 * ratio.log() + away + tail - 0.5 * (1 + math.log(2 * math.pi))


@register_kl(Normal, Laplace)
def _normal_laplace(p, q):
    away = p.loc - q.loc
    scaled = away / p.scale
    # the mean of |x - q.loc|: Leone et al., The folded normal distribution, 1961
    mean = (
        math.sqrt(2 / math.pi) * p.scale * (-0.5 * scaled.pow(2)).exp()
        + away * (math.sqrt(0.5) * scaled).erf()
    )
    ratio = p.scale / q.scale
    return -ratio.log() + mean / q.scale - 0.5 * (1 + math.log(0.5 * math.pi))


def _where_moments(result, p, order):
    """Infinite where p has no moment of an order."""
    result[p.alpha <= order] = inf
    return result


@register_kl(Pareto, Exponential)
def _pareto_exponential(p, q):
    product = p.scale * q.rate
    mean = p.alpha * product / (p.alpha - 1)
    result = (p.alpha / product).log() - p.alpha.reciprocal() + mean - 1
    return _where_moments(result, p, 1)


@register_kl(Pareto, Gamma)
def _pareto_gamma(p, q):
    mean, mean_log = p.alpha * p.scale / (p.alpha - 1), p.scale.log() + p.alpha.reciprocal()
    result = p.alpha.log() - mean_log - 1 + _under_gamma(q, mean, mean_log)
    return _where_moments(result, p, 1)


@register_kl(Pareto, Normal)
def _pareto_normal(p, q):
    alpha, part = p.alpha, p.scale / (p.alpha - 1)
    variance = alpha * part.pow(2) / (alpha - 2)
    away = (variance + (alpha * part - q.loc).pow(2)) / (2 * q.scale.pow(2))
    density = (math.sqrt(2 * math.pi) * q.scale * alpha / p.scale).log()
    return _where_moments(density - alpha.reciprocal() + away - 1, p, 2)


# -- of uniform numbers ----------------------------------------------------------------------------


def _mean_log(low, high):
    """Return the mean of log x for x uniform between two numbers."""
    return (_x_log_x(high) - _x_log_x(low) - (high - low)) / (high - low)


@register_kl(Uniform, Beta)
def _uniform_beta(p, q):
    a, b = q.concentration1, q.concentration0
    log_beta = a.lgamma() + b.lgamma() - (a + b).lgamma()
    mean_logs = (a - 1) * _mean_log(p.low, p.high) + (b - 1) * _mean_log(1 - p.high, 1 - p.low)
    result = log_beta - p.entropy() - mean_logs
    result[(p.high > 1) | (p.low < 0)] = inf
    return result


@register_kl(Uniform, ContinuousBernoulli)
def _uniform_continuous_bernoulli(p, q):
    result = -p.entropy() + _under_continuous_bernoulli(q, p.mean)
    # as PyTorch has it: infinite at the bounds themselves too
    return where((p.high >= 1) | (p.low <= 0), full_like(result, inf), result)


@register_kl(Uniform, Exponential)
def _uniform_exponential(p, q):
    result = q.rate * (p.high + p.low) / 2 - ((p.high - p.low) * q.rate).log()
    result[p.low < 0] = inf
    return result


@register_kl(Uniform, Gamma)
def _uniform_gamma(p, q):
    result = -p.entropy() + _under_gamma(q, p.mean, _mean_log(p.low, p.high))
    result[p.low < 0] = inf
    return result


@register_kl(Uniform, Gumbel)
def _uniform_gumbel(p, q):
    part = q.scale / (p.high - p.low)
    high, low = (p.high - q.loc) / q.scale, (p.low - q.loc) / q.scale
    return part.log() + 0.5 * (high + low) - part * ((-high).exp() - (-low).exp())


@register_kl(Uniform, Normal)
def _uniform_normal(p, q):
    return -p.entropy() + _under_normal(q, p.mean, p.variance)


@register_kl(Uniform, Pareto)
def _uniform_pareto(p, q):
    density = (q.alpha * q.scale.pow(q.alpha) * (p.high - p.low)).log()
    result = _mean_log(p.low, p.high) * (q.alpha + 1) - density
    result[p.low < q.scale] = inf
    return result
