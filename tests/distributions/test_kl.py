"""Divergences: every pair, how a function is found, and what is refused."""

import warnings

import pytest

from tests.both import compare, like_pytorch
from tests.distributions.cases import CASES, environment
from tests.distributions.test_distributions import dense, need

# two of each kind, whose divergence is finite if the kinds allow it
PAIRS = {
    "Bernoulli": ("Bernoulli(t(0.2, 0.5, 0.0))", "Bernoulli(t(0.5, 1.0, 0.3))"),
    "Beta": ("Beta(t(0.5, 2.0), t(1.5, 0.7))", "Beta(t(1.0, 3.0), 2.0)"),
    "Binomial": ("Binomial(5, t(0.2, 0.7))", "Binomial(t(5.0, 3.0), t(0.4, 0.1))"),
    "Categorical": (
        "Categorical(t(0.1, 0.2, 0.7))",
        "Categorical(t([0.3, 0.3, 0.4], [1.0, 0.0, 1.0]))",
    ),
    "Cauchy": ("Cauchy(t(1.0, -2.0), t(0.5, 2.0))", "Cauchy(0.0, 1.0)"),
    "Chi2": ("Chi2(t(1.0, 3.0))", "Chi2(2.0)"),
    "ContinuousBernoulli": ("ContinuousBernoulli(t(0.2, 0.5))", "ContinuousBernoulli(t(0.5, 0.7))"),
    "Dirichlet": ("Dirichlet(t(0.5, 1.0, 4.0))", "Dirichlet(t([2.0, 3.0, 0.4], [1.0, 1.0, 1.0]))"),
    "Exponential": ("Exponential(t(0.5, 3.0))", "Exponential(2.0)"),
    "Gamma": ("Gamma(t(0.5, 4.0), t(0.5, 0.7))", "Gamma(2.0, 3.0)"),
    "Geometric": ("Geometric(t(0.2, 0.9))", "Geometric(0.4)"),
    "Gumbel": ("Gumbel(t(1.0, -2.0), t(0.5, 2.0))", "Gumbel(0.0, 1.0)"),
    "HalfNormal": ("HalfNormal(t(0.5, 2.0))", "HalfNormal(1.0)"),
    "Independent": (
        "Independent(D.Normal(t([0.0, 1.0], [2.0, 3.0]), t(1.0, 2.0)), 1)",
        "Independent(D.Normal(t(0.0, 1.0), t(1.0, 2.0)), 1)",
    ),
    "Laplace": ("Laplace(t(1.0, -2.0), t(0.5, 2.0))", "Laplace(0.0, 1.0)"),
    "LogNormal": ("LogNormal(t(1.0, -2.0), t(0.5, 2.0))", "LogNormal(0.0, 1.0)"),
    "LowRankMultivariateNormal": (
        "LowRankMultivariateNormal(t(1.0, 2.0), t([1.0], [0.5]), t(1.0, 3.0))",
        "LowRankMultivariateNormal(t([1.0, 2.0], [3.0, 4.0]), t([0.1], [0.5]), t(1.0, 2.0))",
    ),
    "MultivariateNormal": (
        "MultivariateNormal(t(1.0, 2.0), t([2.0, 0.5], [0.5, 1.0]))",
        "MultivariateNormal(t([1.0, 2.0], [3.0, 4.0]), scale_tril=t([2.0, 0.0], [0.5, 1.0]))",
    ),
    "Normal": ("Normal(t(1.0, -2.0), t(0.5, 2.0))", "Normal(0.0, 1.0)"),
    "OneHotCategorical": ("OneHotCategorical(t(0.1, 0.9))", "OneHotCategorical(t(0.5, 0.5))"),
    "Pareto": ("Pareto(t(0.5, 2.0), t(0.9, 2.5))", "Pareto(1.0, 3.0)"),
    "Poisson": ("Poisson(t(0.5, 3.0))", "Poisson(2.0)"),
    "Uniform": ("Uniform(t(0.1, 0.0), t(0.5, 1.0))", "Uniform(-1.0, 2.0)"),
    "Weibull": ("Weibull(1.0, 2.0)", "Weibull(1.0, 2.0)"),
    "Wishart": (
        "Wishart(3.0, t([2.0, 0.5], [0.5, 1.0]))",
        "Wishart(4.0, t([1.0, 0.0], [0.0, 1.0]))",
    ),
}


@pytest.mark.parametrize("p", PAIRS)
@pytest.mark.parametrize("q", PAIRS)
def test_every_pair(p, q):
    need(p), need(q)

    def program(torch):
        leaves = []
        names = environment(torch, leaves)
        both = eval(PAIRS[p][0], names), eval(PAIRS[q][1], names)
        result = torch.distributions.kl_divergence(*both)
        if result.requires_grad:
            result.clamp(max=1e6).sum().backward()
        return result.detach(), [dense(torch, leaf.grad) for leaf in leaves]

    compare(program, tolerance=1e-4)


def test_every_kind_is_known():
    import minitorch

    for name in CASES:
        assert name in environment(minitorch), name


@like_pytorch
def test_the_nearest_registered_classes_are_taken(torch):
    D = torch.distributions

    class A(D.Normal):
        pass

    class B(A):
        pass

    class C(B):
        pass

    @D.register_kl(A, D.Normal)
    def first(p, q):
        return "first"

    @D.register_kl(A, B)
    def second(p, q):
        return "second"

    @D.register_kl(B, A)
    def third(p, q):
        return "third"

    a, b, c = (kind(0.0, 1.0) for kind in (A, B, C))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pairs = [(p, q) for p in (a, b, c) for q in (a, b, c)]
        results = [D.kl_divergence(p, q) for p, q in pairs]
    return results, sorted(str(w.message) for w in caught)


@like_pytorch
def test_what_is_no_class_is_not_registered(torch):
    torch.distributions.register_kl(3, torch.distributions.Normal)


@like_pytorch
def test_families_without_a_formula_of_their_own(torch):
    D = torch.distributions

    class Mine(D.Gamma):
        pass

    return D.kl_divergence(Mine(2.0, 3.0), D.Gamma(1.0, 2.0)), D.kl_divergence(
        D.Chi2(2.0), D.Chi2(3.0)
    )


@pytest.mark.parametrize(
    "text",
    [
        "(D.Independent(n, 1), D.Independent(n, 0))",
        "(D.LogNormal(0.0, 1.0), D.HalfNormal(1.0))",
        "(D.Normal(0.0, 1.0), D.Poisson(1.0))",
        "(D.Normal(0.0, 1.0), D.VonMises(0.0, 1.0))",
        "(D.Binomial(3, 0.5), D.Binomial(4, 0.5))",
    ],
)
def test_what_is_refused(text):
    def program(torch):
        D = torch.distributions
        n = D.Normal(torch.zeros(2), torch.ones(2))
        return D.kl_divergence(*eval(text, {"D": D, "n": n}))

    compare(program)


@like_pytorch
def test_the_table_of_divergences_has_pytorchs_name(torch):
    kl = torch.distributions.kl
    normal = torch.distributions.Normal
    formula = kl._KL_REGISTRY[normal, normal]
    return formula(normal(0.0, 1.0), normal(1.0, 1.0)), kl._dispatch_kl(normal, normal) is formula
