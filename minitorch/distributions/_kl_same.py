"""Divergences between two distributions of the same class."""

from math import inf

from minitorch.autograd.functions.creation import full_like
from minitorch.distributions.bernoulli import Bernoulli
from minitorch.distributions.beta import Beta
from minitorch.distributions.binomial import Binomial
from minitorch.distributions.categorical import Categorical
from minitorch.distributions.cauchy import Cauchy
from minitorch.distributions.continuous_bernoulli import ContinuousBernoulli
from minitorch.distributions.dirichlet import Dirichlet
from minitorch.distributions.exponential import Exponential
from minitorch.distributions.gamma import Gamma
from minitorch.distributions.geometric import Geometric
from minitorch.distributions.gumbel import Gumbel
from minitorch.distributions.half_normal import HalfNormal
from minitorch.distributions.independent import Independent
from minitorch.distributions.kl import _batch_trace_XXT, kl_divergence, register_kl
from minitorch.distributions.laplace import Laplace
from minitorch.distributions.lowrank_multivariate_normal import LowRankMultivariateNormal
from minitorch.distributions.multivariate_normal import (
    MultivariateNormal,
    half_log_det,
    solve_lower,
    squared_length,
)
from minitorch.distributions.normal import Normal
from minitorch.distributions.one_hot_categorical import OneHotCategorical
from minitorch.distributions.pareto import Pareto
from minitorch.distributions.poisson import Poisson
from minitorch.distributions.transformed_distribution import TransformedDistribution
from minitorch.distributions.uniform import Uniform
from minitorch.distributions.utils import euler_constant, sum_rightmost
from minitorch.nn.functional import softplus


def between(kind):
    """Return a decorator that registers a divergence between two distributions of one class."""
    return register_kl(kind, kind)


# -- of any family ---------------------------------------------------------------------------------


@between(TransformedDistribution)
def _transformed(p, q):
    # the divergence is invariant under a common invertible change of variables
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@between(Independent)
def _independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


# -- discrete --------------------------------------------------------------------------------------


@between(Bernoulli)
def _bernoulli(p, q):
    one = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    one[q.probs == 0] = inf
    one[p.probs == 0] = 0
    zero = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    zero[q.probs == 1] = inf
    zero[p.probs == 1] = 0
    return one + zero


@between(Binomial)
def _binomial(p, q):
    if (p.total_count < q.total_count).any():
        raise NotImplementedError(
            "KL between Binomials where q.total_count > p.total_count is not implemented"
        )
    of_one = p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p()
    result = p.total_count * of_one
    impossible = p.total_count > q.total_count
    result[impossible] = full_like(result[impossible], inf)
    return result


@between(Categorical)
def _categorical(p, q):
    terms = p.probs * (p.logits - q.logits)
    terms[(q.probs == 0).expand_as(terms)] = inf
    terms[(p.probs == 0).expand_as(terms)] = 0
    return terms.sum(-1)


@between(OneHotCategorical)
def _one_hot(p, q):
    return _categorical(p._categorical, q._categorical)


@between(Geometric)
def _geometric(p, q):
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


@between(Poisson)
def _poisson(p, q):
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


# -- of numbers ------------------------------------------------------------------------------------


@between(Beta)
def _beta(p, q):
    p1, p0, q1, q0 = p.concentration1, p.concentration0, q.concentration1, q.concentration0
    normalizers = (q1.lgamma() + q0.lgamma() + (p1 + p0).lgamma()) - (
        p1.lgamma() + p0.lgamma() + (q1 + q0).lgamma()
    )
    means = (p1 - q1) * p1.digamma() + (p0 - q0) * p0.digamma()
    return normalizers + means + ((q1 + q0) - (p1 + p0)) * (p1 + p0).digamma()


@between(Cauchy)
def _cauchy(p, q):
    # Chyzak and Nielsen, A closed-form formula for the Kullback-Leibler divergence between Cauchy
    # distributions, 2019
    apart = (p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)
    return apart.log() - (4 * p.scale * q.scale).log()


@between(ContinuousBernoulli)
def _continuous_bernoulli(p, q):
    of_p, of_q = (d._log_norm() + (-d.probs).log1p() for d in (p, q))
    return p.mean * (p.logits - q.logits) + of_p - of_q


@between(Exponential)
def _exponential(p, q):
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@between(Gamma)
def _gamma(p, q):
    a, b = p.concentration, q.concentration
    return (
        b * (p.rate / q.rate).log()
        + (b.lgamma() - a.lgamma())
        + (a - b) * a.digamma()
        + (q.rate - p.rate) * (a / p.rate)
    )


@between(Gumbel)
def _gumbel(p, q):
    ratio, away = p.scale / q.scale, q.loc / q.scale - p.loc / q.scale
    tail = (away + (1 + ratio).lgamma()).exp()
    return -ratio.log() - away + ratio * euler_constant + tail - (1 + euler_constant)


@between(HalfNormal)
def _half_normal(p, q):
    return _normal(p.base_dist, q.base_dist)


@between(Laplace)
def _laplace(p, q):
    ratio, away = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + away / q.scale + ratio * (-away / p.scale).exp() - 1


@between(Normal)
def _normal(p, q):
    ratio = (p.scale / q.scale).pow(2)
    away = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + away - 1 - ratio.log())


@between(Pareto)
def _pareto(p, q):
    ratio = q.alpha / p.alpha
    result = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
    result[p.scale < q.scale] = inf
    return result


@between(Uniform)
def _uniform(p, q):
    result = ((q.high - q.low) / (p.high - p.low)).log()
    result[(q.low > p.low) | (q.high < p.high)] = inf
    return result


# -- of vectors ------------------------------------------------------------------------------------


@between(Dirichlet)
def _dirichlet(p, q):
    a, b = p.concentration, q.concentration
    total = a.sum(-1)
    normalizers = total.lgamma() - b.sum(-1).lgamma() - (a.lgamma() - b.lgamma()).sum(-1)
    return normalizers + ((a - b) * (a.digamma() - total.digamma().unsqueeze(-1))).sum(-1)


def _same_event(p, q, kind):
    if p.event_shape != q.event_shape:
        raise ValueError(
            f"KL-divergence between two {kind} with                          different event shapes "
            "cannot be computed"
        )


@between(MultivariateNormal)
def _multivariate(p, q):
    _same_event(p, q, "Multivariate Normals")
    p_scale, q_scale = p._unbroadcasted_scale_tril, q._unbroadcasted_scale_tril
    traced = _batch_trace_XXT(solve_lower(q_scale, p_scale))
    length = squared_length(q_scale, q.loc - p.loc)
    logs = half_log_det(q_scale) - half_log_det(p_scale)
    return logs + 0.5 * (traced + length - p.event_shape[0])


@between(LowRankMultivariateNormal)
def _low_rank(p, q):
    _same_event(p, q, "Low Rank Multivariate Normals")
    factor, diag = p._unbroadcasted_cov_factor, p._unbroadcasted_cov_diag
    q_diag = q._unbroadcasted_cov_diag
    part = solve_lower(q._capacitance_tril, q._weighted)
    traced = (
        (diag / q_diag).sum(-1)
        + _batch_trace_XXT(factor * q_diag.rsqrt().unsqueeze(-1))
        - _batch_trace_XXT(part * diag.sqrt().unsqueeze(-2))
        - _batch_trace_XXT(part @ factor)
    )
    return _of_normals(q._log_det() - p._log_det(), traced, p, q)


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def _multivariate_low_rank(p, q):
    _same_event(p, q, "(Low Rank) Multivariate Normals")
    scale = p._unbroadcasted_scale_tril
    part = solve_lower(q._capacitance_tril, q._weighted)
    whitened = scale * q._unbroadcasted_cov_diag.rsqrt().unsqueeze(-1)
    traced = _batch_trace_XXT(whitened) - _batch_trace_XXT(part @ scale)
    return _of_normals(q._log_det() - 2 * half_log_det(scale), traced, p, q)


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _low_rank_multivariate(p, q):
    _same_event(p, q, "(Low Rank) Multivariate Normals")
    scale = q._unbroadcasted_scale_tril
    root = p._unbroadcasted_cov_diag.sqrt().diag_embed()
    traced = _batch_trace_XXT(solve_lower(scale, p._unbroadcasted_cov_factor)) + _batch_trace_XXT(
        solve_lower(scale, root)
    )
    logs = 2 * half_log_det(scale) - p._log_det()
    length = squared_length(scale, q.loc - p.loc)
    return 0.5 * (logs + traced + length - p.event_shape[0])


def _of_normals(logs, traced, p, q):
    return 0.5 * (logs + traced + q._squared_length(q.loc - p.loc) - p.event_shape[0])
