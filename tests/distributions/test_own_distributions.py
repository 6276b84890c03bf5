"""Classes that users derive, arguments that are wrong, and copies."""

import copy
import pickle

import pytest

from tests.both import compare, like_pytorch


@like_pytorch
def test_a_class_that_says_nothing(torch):
    D = torch.distributions

    class Mine(D.Distribution):
        pass

    texts = []
    d = D.Distribution(validate_args=False)
    for name in "arg_constraints support mean variance stddev".split():
        try:
            getattr(d, name)
        except NotImplementedError as error:
            texts.append((name, str(error)))
    for name in "log_prob cdf icdf".split():
        try:
            getattr(d, name)(torch.ones(2))
        except NotImplementedError as error:
            texts.append((name, str(error)))
    for name in "sample rsample enumerate_support entropy perplexity".split():
        try:
            getattr(d, name)()
        except NotImplementedError as error:
            texts.append((name, str(error)))
    return texts


@like_pytorch
def test_a_class_of_a_user(torch):
    D = torch.distributions

    class Mine(D.Distribution):
        arg_constraints = {"rate": D.constraints.positive}
        support = D.constraints.positive
        has_rsample = True

        def __init__(self, rate, validate_args=None):
            self.rate = rate
            super().__init__(rate.shape, validate_args=validate_args)

        def rsample(self, sample_shape=()):
            return torch.rand(self._extended_shape(sample_shape)) / self.rate

        def log_prob(self, value):
            if self._validate_args:
                self._validate_sample(value)
            return value * self.rate

    torch.manual_seed(0)
    d = Mine(torch.tensor([1.0, 2.0]))
    texts = [repr(d)]
    for call in (
        lambda: d.log_prob(torch.tensor([-1.0, 2.0])),
        lambda: d.log_prob(torch.ones(3)),
        lambda: Mine(torch.tensor([1.0, -2.0])),
        lambda: d.expand((3, 2)),
    ):
        try:
            call()
        except (ValueError, NotImplementedError) as error:
            texts.append(str(error).replace("minitorch.", "torch."))
    return texts, d.sample((2,)), d.log_prob(torch.ones(2))


@like_pytorch
def test_expand_of_derived_classes(torch):
    D = torch.distributions

    class Renamed(D.Normal):
        pass

    class Other(D.Normal):
        def __init__(self, loc):
            super().__init__(loc, 1.0)

    class Proper(Other):
        def expand(self, batch_shape, _instance=None):
            new = self._get_checked_instance(Proper, _instance)
            return super().expand(batch_shape, new)

    class Scaled(D.Gamma):
        def __init__(self, rate):
            super().__init__(2.0, rate)

    texts = [repr(Renamed(0.0, 1.0).expand((2,))), repr(Proper(0.0).expand((2,)))]
    for d in (Other(0.0), Scaled(1.0)):
        try:
            d.expand((2,))
        except NotImplementedError as error:
            texts.append(str(error))
    return texts


@like_pytorch
def test_checks_can_be_turned_off(torch):
    D = torch.distributions
    D.Distribution.set_default_validate_args(False)
    try:
        quiet = D.Normal(0.0, -1.0)
        loud = "no error"
        try:
            D.Normal(0.0, -1.0, validate_args=True)
        except ValueError as error:
            loud = str(error)
    finally:
        D.Distribution.set_default_validate_args(True)
    expanded = D.Normal(0.0, 1.0, validate_args=False).expand((2,))
    return (
        repr(quiet),
        loud,
        expanded._validate_args,
        repr(expanded.log_prob(torch.ones(5, 1)).shape),
    )


@pytest.mark.parametrize(
    "text",
    [
        "D.Normal('a', 1.0)",
        "D.Normal(0.0, -1.0)",
        "D.Normal(torch.tensor([0.0, float('nan')]), 1.0)",
        "D.Normal(torch.zeros(2), torch.ones(3))",
        "D.Bernoulli()",
        "D.Bernoulli(0.5, 0.5)",
        "D.Bernoulli(1.5)",
        "D.Binomial(-1, 0.5)",
        "D.Binomial(3, torch.tensor([0.5, 2.0]))",
        "D.Binomial(torch.tensor([3.0, 4.0]), 0.5).entropy()",
        "D.Binomial(torch.tensor([3.0, 4.0]), 0.5).enumerate_support()",
        "D.Categorical()",
        "D.Categorical(torch.tensor(0.5))",
        "D.Categorical(logits=torch.tensor(0.5))",
        "D.Categorical(torch.tensor([-0.5, 1.0]))",
        "D.Categorical(logits=torch.tensor([float('nan'), 1.0]))",
        "D.ContinuousBernoulli(1.5, validate_args=True)",
        "D.ContinuousBernoulli(1.5)",
        "D.Dirichlet(torch.tensor(1.0))",
        "D.Dirichlet(torch.tensor([1.0, -1.0]))",
        "D.Geometric(0.0)",
        "D.Geometric(torch.tensor([0.5, 0.0]))",
        "D.Independent(D.Normal(0.0, 1.0), 1)",
        "D.Independent(D.Bernoulli(torch.ones(2)), 1).enumerate_support()",
        "D.LKJCholesky(1)",
        "D.MixtureSameFamily(D.Normal(0.0, 1.0), D.Normal(torch.ones(2), 1.0))",
        "D.MixtureSameFamily(D.Categorical(torch.ones(2)), 3)",
        "D.MixtureSameFamily(D.Categorical(torch.ones(3)), D.Normal(torch.ones(2), 1.0))",
        "D.MixtureSameFamily(D.Categorical(torch.ones(5, 2)), D.Normal(torch.ones(3, 2), 1.0))",
        "D.Multinomial(torch.tensor(3), torch.ones(2))",
        "D.NegativeBinomial(-1, 0.5)",
        "D.Poisson(-1.0)",
        "D.TransformedDistribution(D.Normal(0.0, 1.0), 3)",
        "D.TransformedDistribution(D.Normal(0.0, 1.0), [3])",
        "D.TransformedDistribution(D.Normal(0.0, 1.0), D.StickBreakingTransform())",
        "D.Uniform(1.0, 0.0)",
        "D.Uniform(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 1.0]))",
        "D.VonMises(0.0, -1.0)",
        "D.MultivariateNormal(torch.tensor(1.0), torch.eye(2))",
        "D.MultivariateNormal(torch.ones(2))",
        "D.MultivariateNormal(torch.ones(2), torch.eye(2), torch.eye(2))",
        "D.MultivariateNormal(torch.ones(2), torch.ones(2))",
        "D.MultivariateNormal(torch.ones(2), scale_tril=torch.ones(2))",
        "D.MultivariateNormal(torch.ones(2), scale_tril=torch.ones(2, 2))",
        "D.LowRankMultivariateNormal(torch.tensor(1.0), torch.ones(2, 1), torch.ones(2))",
        "D.LowRankMultivariateNormal(torch.ones(2), torch.ones(2), torch.ones(2))",
        "D.LowRankMultivariateNormal(torch.ones(2), torch.ones(3, 1), torch.ones(2))",
        "D.LowRankMultivariateNormal(torch.ones(2), torch.ones(2, 1), torch.ones(3))",
        "D.LowRankMultivariateNormal(torch.ones(3, 2), torch.ones(4, 2, 1), torch.ones(2))",
        "D.Wishart(3.0)",
        "D.Wishart(3.0, torch.ones(2))",
        "D.Wishart(0.5, torch.eye(2))",
    ],
)
def test_wrong_arguments(text):
    def program(torch):
        return repr(eval(text, {"D": torch.distributions, "torch": torch}))

    compare(program)


@like_pytorch
def test_lazy_attributes_are_computed_once_and_with_gradients(torch):
    D = torch.distributions
    p = torch.tensor([0.2, 0.7], requires_grad=True)
    d = D.Bernoulli(p)
    before = "logits" in d.__dict__
    with torch.no_grad():
        logits = d.logits
    logits.sum().backward()
    return before, logits is d.logits, p.grad, isinstance(type(d).logits, property), repr(d)


@pytest.mark.parametrize("how", ["copy", "deepcopy", "pickle"])
@pytest.mark.parametrize(
    "text", ["Normal(torch.zeros(2), 1.0)", "LogNormal(0.0, 1.0)", "Categorical(torch.ones(3))"]
)
def test_copies(how, text):
    def program(torch):
        d = eval("torch.distributions." + text, {"torch": torch})
        made = {
            "copy": copy.copy,
            "deepcopy": copy.deepcopy,
            "pickle": lambda x: pickle.loads(pickle.dumps(x)),
        }[how](d)
        torch.manual_seed(0)
        return made.sample((3,)), repr(made)

    compare(program)


def test_a_copy_of_an_inverse_has_its_transform():
    # in PyTorch it has lost it, and fails
    import minitorch as torch

    d = pickle.loads(pickle.dumps(torch.distributions.Gumbel(0.0, 1.0)))
    torch.manual_seed(0)
    first = d.sample((3,))
    torch.manual_seed(0)
    assert torch.equal(first, torch.distributions.Gumbel(0.0, 1.0).sample((3,)))


@like_pytorch
def test_shapes_of_triangles(torch):
    U = torch.distributions.utils
    vec = torch.arange(6.0)
    mats = [U.vec_to_tril_matrix(vec), U.vec_to_tril_matrix(vec, -1), U.vec_to_tril_matrix(vec[:3])]
    texts = []
    for call in (
        lambda: U.vec_to_tril_matrix(vec[:4]),
        lambda: U.tril_matrix_to_vec(mats[0], 3),
        lambda: U.tril_matrix_to_vec(mats[0], -4),
    ):
        try:
            call()
        except ValueError as error:
            texts.append(str(error))
    return mats, [U.tril_matrix_to_vec(m, k) for m in mats for k in (-1, 0)], texts


@like_pytorch
def test_a_distribution_keeps_the_very_tensors_it_is_given(torch):
    loc, scale = torch.zeros(3, requires_grad=True), torch.ones(3)
    D = torch.distributions
    normal = D.Normal(loc, scale)
    copied = copy.deepcopy(normal)
    return (
        normal.loc is loc,
        normal.scale is scale,
        copied.loc.is_leaf,
        D.Normal(loc, 1.0).loc is loc,
    )


@like_pytorch
def test_helpers_that_programs_look_for(torch):
    D = torch.distributions
    x, a = torch.tensor([0.25, 0.75]), torch.tensor([1.0, 2.0])
    gradient = D.dirichlet._Dirichlet_backward(x, a, torch.tensor([1.0, 0.0]))
    p, q = D.Gamma(1.0, 2.0), D.Gamma(2.0, 2.0)
    inverse = isinstance(D.ExpTransform().inv, D.transforms._InverseTransform)
    return gradient, D.kl._kl_expfamily_expfamily(p, q), inverse


def test_every_public_name_is_there():
    import minitorch
    from tests.both import real

    theirs, ours = real.distributions, minitorch.distributions
    assert set(theirs.__all__) == set(ours.__all__)
    for module in ("constraints", "transforms", "utils", "kl", "constraint_registry"):
        names = getattr(theirs, module).__all__
        assert set(names) <= set(dir(getattr(ours, module))), module
