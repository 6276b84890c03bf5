"""Every distribution with several parameters: name -> text of a call, with D for the module and t(...)."""

CASES = {
    "Bernoulli": [
        "Bernoulli(0.3)",
        "Bernoulli(t(0.1, 0.5, 0.9))",
        "Bernoulli(logits=t(-1.0, 0.0, 2.0))",
        "Bernoulli(t(0.0, 1.0))",
        "Bernoulli(logits=0.25)",
    ],
    "Beta": ["Beta(2.0, 3.0)", "Beta(t(0.5, 1.0, 4.0), t(0.5, 3.0, 0.7))", "Beta(t(2.0), 0.5)"],
    "Binomial": [
        "Binomial(5, t(0.2, 0.7))",
        "Binomial(t(3.0, 30.0), t(0.2, 0.7))",
        "Binomial(4, logits=t(-1.0, 1.0))",
        "Binomial(10, 0.5)",
    ],
    "Categorical": [
        "Categorical(t(0.1, 0.2, 0.7))",
        "Categorical(t([1.0, 3.0], [0.0, 2.0]))",
        "Categorical(logits=t([1.0, 3.0, 2.0], [0.0, 2.0, -5.0]))",
    ],
    "Cauchy": ["Cauchy(0.0, 1.0)", "Cauchy(t(1.0, -2.0), t(0.5, 2.0))"],
    "Chi2": ["Chi2(3.0)", "Chi2(t(1.0, 2.0, 5.0))"],
    "ContinuousBernoulli": [
        "ContinuousBernoulli(0.3)",
        "ContinuousBernoulli(t(0.1, 0.4999, 0.5, 0.9))",
        "ContinuousBernoulli(logits=t(-1.0, 0.001, 2.0))",
        "ContinuousBernoulli(t(0.1, 0.9), lims=(0.4, 0.6))",
    ],
    "Dirichlet": ["Dirichlet(t(0.5, 1.0, 4.0))", "Dirichlet(t([2.0, 3.0], [0.3, 0.4]))"],
    "Exponential": ["Exponential(2.0)", "Exponential(t(0.5, 3.0))"],
    "FisherSnedecor": ["FisherSnedecor(3.0, 5.0)", "FisherSnedecor(t(1.0, 6.0), t(2.0, 7.0))"],
    "Gamma": ["Gamma(2.0, 3.0)", "Gamma(t(0.5, 1.0, 4.0), t(0.5, 3.0, 0.7))"],
    "GeneralizedPareto": [
        "GeneralizedPareto(0.0, 1.0, 0.5)",
        "GeneralizedPareto(t(0.0, 1.0, 2.0), t(1.0, 2.0, 3.0), t(-0.3, 0.0, 0.7))",
        "GeneralizedPareto(t(0.0), 1.0, t(1.5, 0.4))",
    ],
    "Geometric": [
        "Geometric(0.3)",
        "Geometric(t(0.2, 1.0))",
        "Geometric(logits=t(-1.0, 1.0))",
    ],
    "Gumbel": ["Gumbel(0.0, 1.0)", "Gumbel(t(1.0, -2.0), t(0.5, 2.0))", "Gumbel(t(1.0, 2.0), 3.0)"],
    "HalfCauchy": ["HalfCauchy(1.0)", "HalfCauchy(t(0.5, 2.0))"],
    "HalfNormal": ["HalfNormal(1.0)", "HalfNormal(t(0.5, 2.0))"],
    "Independent": [
        "Independent(D.Normal(t([0.0, 1.0], [2.0, 3.0]), t(1.0, 2.0)), 1)",
        "Independent(D.Normal(t([0.0, 1.0], [2.0, 3.0]), t(1.0, 2.0)), 2)",
        "Independent(D.Bernoulli(t(0.2, 0.3)), 0)",
        "Independent(D.Bernoulli(t(0.2, 0.3)), 1)",
        "Independent(D.Dirichlet(t([2.0, 3.0], [0.3, 0.4])), 1)",
    ],
    "InverseGamma": ["InverseGamma(2.0, 3.0)", "InverseGamma(t(0.5, 4.0), t(0.5, 0.7))"],
    "Kumaraswamy": ["Kumaraswamy(2.0, 3.0)", "Kumaraswamy(t(0.5, 4.0), t(2.0, 0.7))"],
    "Laplace": ["Laplace(0.0, 1.0)", "Laplace(t(1.0, -2.0), t(0.5, 2.0))"],
    "LKJCholesky": ["LKJCholesky(3, 0.5)", "LKJCholesky(2, t(1.0, 2.0))"],
    "LogNormal": ["LogNormal(0.0, 1.0)", "LogNormal(t(1.0, -2.0), t(0.5, 2.0))"],
    "LogisticNormal": [
        "LogisticNormal(t(0.0, 1.0), t(1.0, 0.5))",
        "LogisticNormal(t([0.0, 1.0], [1.0, 2.0]), t(1.0, 0.5))",
        "LogisticNormal(0.0, 1.0)",
    ],
    "LogitRelaxedBernoulli": [
        "LogitRelaxedBernoulli(t(0.7), t(0.2, 0.6))",
        "LogitRelaxedBernoulli(t(2.0), logits=t(-1.0, 1.0))",
    ],
    "LowRankMultivariateNormal": [
        "LowRankMultivariateNormal(t(1.0, 2.0), t([1.0], [0.5]), t(1.0, 3.0))",
        "LowRankMultivariateNormal(t([1.0, 2.0], [3.0, 4.0]), t([1.0], [0.5]), t(1.0, 3.0))",
    ],
    "MixtureSameFamily": [
        "MixtureSameFamily(D.Categorical(t(0.3, 0.7)), D.Normal(t(-1.0, 1.0), t(0.5, 2.0)))",
        "MixtureSameFamily(D.Categorical(t(0.3, 0.7)), D.Independent(D.Normal(t([0.0, 1.0], [2.0, 3.0]), 1.0), 1))",
        "MixtureSameFamily(D.Categorical(t([0.3, 0.7], [1.0, 1.0])), D.Poisson(t([1.0, 2.0], [3.0, 9.0])))",
    ],
    "Multinomial": [
        "Multinomial(5, t(0.1, 0.2, 0.7))",
        "Multinomial(3, logits=t([1.0, 3.0], [0.0, 2.0]))",
    ],
    "MultivariateNormal": [
        "MultivariateNormal(t(1.0, 2.0), t([2.0, 0.5], [0.5, 1.0]))",
        "MultivariateNormal(t(1.0, 2.0), precision_matrix=t([2.0, 0.5], [0.5, 1.0]))",
        "MultivariateNormal(t([1.0, 2.0], [3.0, 4.0]), scale_tril=t([2.0, 0.0], [0.5, 1.0]))",
        "MultivariateNormal(t(1.0, 2.0), scale_tril=t([[2.0, 0.0], [0.5, 1.0]], [[1.0, 0.0], [0.0, 1.0]]))",
    ],
    "NegativeBinomial": [
        "NegativeBinomial(5, 0.3)",
        "NegativeBinomial(t(1.0, 2.5, 0.0), t(0.2, 0.7, 0.5))",
        "NegativeBinomial(3, logits=t(-1.0, 1.0))",
    ],
    "Normal": [
        "Normal(0.0, 1.0)",
        "Normal(t(1.0, -2.0), t(0.5, 2.0))",
        "Normal(0, t(0.5, 2.0))",
        "Normal(t([1.0], [2.0]), t(0.5, 2.0))",
        "Normal(t(1.0, 2.0).double(), 3.0)",
    ],
    "OneHotCategorical": [
        "OneHotCategorical(t(0.1, 0.2, 0.7))",
        "OneHotCategorical(logits=t([1.0, 3.0], [0.0, 2.0]))",
    ],
    "OneHotCategoricalStraightThrough": ["OneHotCategoricalStraightThrough(t(0.1, 0.2, 0.7))"],
    "Pareto": ["Pareto(1.0, 3.0)", "Pareto(t(0.5, 2.0), t(0.9, 2.5))"],
    "Poisson": ["Poisson(3.0)", "Poisson(t(0.0, 0.5, 30.0))"],
    "RelaxedBernoulli": [
        "RelaxedBernoulli(t(0.7), t(0.2, 0.6))",
        "RelaxedBernoulli(t(2.0), logits=t(-1.0, 1.0))",
    ],
    "RelaxedOneHotCategorical": [
        "RelaxedOneHotCategorical(t(0.7), t(0.1, 0.2, 0.7))",
        "RelaxedOneHotCategorical(t(2.0), logits=t([1.0, 3.0], [0.0, 2.0]))",
    ],
    "StudentT": ["StudentT(3.0)", "StudentT(t(0.5, 1.5, 4.0), t(1.0, 2.0, 3.0), 2.0)"],
    "TransformedDistribution": [
        "TransformedDistribution(D.Normal(0.0, 1.0), [D.AffineTransform(1.0, -2.0), D.SigmoidTransform()])",
        "TransformedDistribution(D.Normal(t(0.0, 1.0), 1.0), D.AffineTransform(t([1.0], [2.0]), 2.0))",
        "TransformedDistribution(D.Normal(t(0.0, 1.0), 1.0), [D.StickBreakingTransform()])",
        "TransformedDistribution(D.Normal(0.0, 1.0), [])",
    ],
    "Uniform": ["Uniform(0.0, 2.0)", "Uniform(t(-1.0, 1.0), t(0.0, 4.0))"],
    "VonMises": ["VonMises(0.0, 1.0)", "VonMises(t(1.0, -2.0, 0.0), t(0.5, 20.0, 1e-6))"],
    "Weibull": ["Weibull(1.0, 2.0)", "Weibull(t(0.5, 2.0), t(1.0, 3.0))"],
    "Wishart": [
        "Wishart(3.0, t([2.0, 0.5], [0.5, 1.0]))",
        "Wishart(t(3.0, 4.0), scale_tril=t([2.0, 0.0], [0.5, 1.0]))",
    ],
}

# what needs a module or an operator of another part: (distributions, methods, name)
NEEDS = [
    (("MultivariateNormal", "LowRankMultivariateNormal", "Wishart"), "", "linalg"),
    (("Gamma", "Chi2", "InverseGamma"), "cdf", "igamma"),
    (("LKJCholesky",), "log_prob", "mvlgamma"),
    (("Wishart",), "", "mvlgamma"),
]

METHODS = {
    "repr": "repr(d)",
    "shapes": "(tuple(d.batch_shape), tuple(d.event_shape))",
    "flags": "(d.has_rsample, d.has_enumerate_support)",
    "support": "repr(d.support)",
    "constraints": "sorted((k, repr(v)) for k, v in d.arg_constraints.items())",
    "parameters": "{k: getattr(d, k) for k in sorted(d.arg_constraints)}",
    "sample": "d.sample()",
    "samples": "d.sample((3, 2))",
    "many samples": "d.sample((20,))",
    "rsample": "d.rsample((3,))",
    "log_prob": "d.log_prob(d.sample((3,)))",
    "entropy": "d.entropy()",
    "perplexity": "d.perplexity()",
    "mean": "d.mean",
    "variance": "d.variance",
    "stddev": "d.stddev",
    "mode": "mode_of(d)",
    "cdf": "d.cdf(d.sample((3,)))",
    "icdf": "d.icdf(torch.tensor([[0.1], [0.5], [0.9]]))",
    "enumerate": "d.enumerate_support()",
    "enumerate unexpanded": "d.enumerate_support(expand=False)",
    "expand": "[d.expand((4,) + tuple(d.batch_shape)).sample(), d.expand((4,) + tuple(d.batch_shape)).mean]",
    "expand repr": "repr(d.expand((2, 1) + tuple(d.batch_shape)))",
    "expand log_prob": "d.expand((2,) + tuple(d.batch_shape)).log_prob(d.sample())",
    "expand entropy": "d.expand((2,) + tuple(d.batch_shape)).entropy()",
    "wrong shape": "d.log_prob(torch.ones(7, 5))",
    "wrong value": "d.log_prob(torch.full(tuple(d.batch_shape) + tuple(d.event_shape), -1.5))",
    "no tensor": "d.log_prob('a')",
    "nan": "d.log_prob(torch.full(tuple(d.batch_shape) + tuple(d.event_shape), float('nan')))",
    "sample_n": "d.sample_n(2)",
}


def environment(torch, leaves=None):
    """The names that the texts use; tensors require gradients when `leaves` collects them."""

    def t(*values):
        made = torch.tensor(values[0] if len(values) == 1 else list(values))
        if leaves is not None:
            leaves.append(made.requires_grad_())
        return made

    D = torch.distributions
    names = {name: getattr(D, name) for name in CASES if hasattr(D, name)}
    relaxed = D.relaxed_bernoulli
    names["LogitRelaxedBernoulli"] = relaxed.LogitRelaxedBernoulli
    return {"t": t, "D": D, "torch": torch, "mode_of": mode_of, **names}


def mode_of(d):
    """The mode, or why there is none: that text names the class, with the library it is of."""
    try:
        return d.mode
    except NotImplementedError as error:
        return str(error).replace("minitorch.", "torch.")
