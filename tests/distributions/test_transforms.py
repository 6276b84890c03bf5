"""Transforms and constraints: values, inverses, Jacobians, shapes, caches, texts."""

import pickle

import pytest

from tests.both import compare, like_pytorch

TRANSFORMS = {
    "AbsTransform()": "x",
    "AffineTransform(1.0, 2.0)": "x",
    "AffineTransform(1, -2)": "x",
    "AffineTransform(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([-1.0, 2.0, 0.5]))": "x",
    "AffineTransform(1.0, torch.tensor([-1.0, 2.0, 0.5]), event_dim=1)": "x",
    "CatTransform([T.ExpTransform(), T.AffineTransform(1.0, 2.0)], dim=-1, lengths=[1, 2])": "x",
    "CatTransform([T.ExpTransform(), T.TanhTransform()], dim=0)": "x",
    "CatTransform([T.SoftmaxTransform(), T.AffineTransform(1.0, 2.0, event_dim=1)], dim=0)": "x",
    "ComposeTransform([T.AffineTransform(1.0, 2.0), T.ExpTransform()])": "x",
    "ComposeTransform([T.AffineTransform(1.0, 2.0), T.StickBreakingTransform()])": "x",
    "ComposeTransform([])": "x",
    "CorrCholeskyTransform()": "x",
    "CumulativeDistributionTransform(torch.distributions.Normal(0.0, 1.0))": "x",
    "ExpTransform()": "x",
    "ExpTransform().inv": "x.exp()",
    "IndependentTransform(T.ExpTransform(), 1)": "x",
    "IndependentTransform(T.ExpTransform(), 3)": "x",
    "LowerCholeskyTransform()": "m",
    "PowerTransform(2.0)": "x.exp()",
    "PowerTransform(torch.tensor([1.0, -2.0, 0.5]))": "x.exp()",
    "ReshapeTransform((3,), (3, 1))": "x",
    "ReshapeTransform((2, 3), (6,))": "x",
    "ReshapeTransform((2, 4), (8,))": "x",
    "ReshapeTransform((2, 4), (9,))": "x",
    "SigmoidTransform()": "x",
    "SoftmaxTransform()": "x",
    "SoftplusTransform()": "x",
    "StackTransform([T.ExpTransform(), T.TanhTransform()], dim=0)": "x",
    "StackTransform([T.ExpTransform(), T.TanhTransform()], dim=2)": "x",
    "StackTransform([T.ExpTransform(), T.TanhTransform()], dim=1)": "x",
    "StackTransform([3])": "x",
    "StickBreakingTransform()": "x",
    "TanhTransform()": "x",
    "TanhTransform(cache_size=2)": "x",
    "identity_transform": "x",
}
QUESTIONS = {
    "y": "t(x)",
    "x": "t.inv(t(x))",
    "jacobian": "t.log_abs_det_jacobian(x, t(x))",
    "inverse jacobian": "t.inv.log_abs_det_jacobian(t(x), x)",
    "shape": "tuple(t.forward_shape(x.shape))",
    "inverse shape": "tuple(t.inverse_shape(t.forward_shape(x.shape)))",
    "too small shape": "t.forward_shape(torch.Size())",
    "wrong inverse shape": "t.inverse_shape(torch.Size((2, 4)))",
    "text": "(repr(t), repr(t.inv))",
    "domains": "(repr(t.domain), repr(t.codomain), t.domain.event_dim, t.codomain.event_dim)",
    "event_dim": "t.event_dim",
    "flags": "(t.bijective, t.inv.bijective)",
    "sign": "t.sign",
    "equality": "(t == t, t == T.ExpTransform(), t == eval('T.' + text, names), t.inv == t.inv, t != t)",
    "cache": "cached(t.with_cache(), x)",
    "no cache": "cached(t, x)",
    "pickle": "repr(pickle.loads(pickle.dumps(t.with_cache()))) if text == 'ExpTransform()' else 0",
}


def cached(t, x):
    y = t(x)
    return t.inv(y) is x, t(x) is y, t.with_cache(0) is t, t.inv.with_cache(1)(y)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("text", TRANSFORMS)
def test_transform(text, question):
    def program(torch):
        torch.manual_seed(0)
        names = {"torch": torch, "T": torch.distributions.transforms, "cached": cached}
        names.update(x=torch.randn(2, 3), m=torch.randn(2, 3, 3), text=text, pickle=pickle)
        names["x"] = eval(TRANSFORMS[text], names)
        names["t"] = eval("T." + text, names)
        names["names"] = names
        return eval(QUESTIONS[question], names)

    compare(program, tolerance=1e-5)


@pytest.mark.parametrize("text", [text for text in TRANSFORMS if "3)" not in text[-3:]])
def test_gradients(text):
    def program(torch):
        torch.manual_seed(0)
        T = torch.distributions.transforms
        names = {"torch": torch, "T": T}
        names.update(x=torch.randn(2, 3), m=torch.randn(2, 3, 3))
        x = eval(TRANSFORMS[text], names).requires_grad_()
        t = eval("T." + text, names)
        y = t(x)
        (y.sin().sum() + t.log_abs_det_jacobian(x, y).sum()).backward()
        return x.grad

    compare(program, tolerance=1e-4)


CONSTRAINTS = [
    "boolean", "cat([C.positive, C.real], dim=-1, lengths=[1, 2])", "cat([C.positive], dim=5)",
    "cat([C.positive], lengths=[1, 2])", "cat([3])", "corr_cholesky", "dependent",
    "dependent(is_discrete=True)", "greater_than(0.5)", "greater_than_eq(1)",
    "half_open_interval(0.0, 1.0)", "independent(C.positive, 1)", "independent(C.positive, 3)",
    "independent(C.positive, -1)", "independent(C.positive, 0.5)", "independent(3, 1)",
    "integer_interval(0, 2)", "interval(-0.5, 1.0)",
    "interval(torch.tensor(0.0), torch.tensor([1.0, 2.0, 3.0]))", "less_than(0.5)", "lower_cholesky",
    "lower_triangular", "MixtureSameFamilyConstraint(C.positive)", "MixtureSameFamilyConstraint(3)",
    "multinomial(3)", "nonnegative", "nonnegative_integer", "one_hot", "positive", "positive_integer",
    "real", "real_vector", "simplex", "square", "stack([C.positive, C.real], dim=0)",
    "stack([C.positive, C.real], dim=-2)", "symmetric", "unit_interval",
]  # fmt: skip
VALUES = {
    "numbers": "torch.tensor([[0.5, -1.0, 2.0], [float('nan'), 0.0, 1.0]])",
    "square": "torch.tensor([[1.0, 0.0], [0.6, 0.8]])",
    "simplex": "torch.tensor([[0.2, 0.3, 0.5], [0.0, 1.0, 0.0]])",
    "scalar": "torch.tensor(1.0)",
    "whole": "torch.tensor([0, 1, 2])",
    "half": "torch.tensor([0.5, 1.0]).half()",
}


@pytest.mark.parametrize("text", CONSTRAINTS)
@pytest.mark.parametrize("value", VALUES)
def test_check(text, value):
    def program(torch):
        names = {"C": torch.distributions.constraints, "torch": torch}
        return eval("C." + text, names).check(eval(VALUES[value], names))

    compare(program)


@pytest.mark.parametrize("text", CONSTRAINTS)
@pytest.mark.parametrize(
    "question",
    ["repr(c)", "c.event_dim", "c.is_discrete", "C.is_dependent(c)", "repr(D.biject_to(c))",
     "repr(D.transform_to(c))", "D.transform_to(c)(torch.linspace(-1, 1, 6).reshape(2, 3))",
     "D.biject_to(c)(torch.linspace(-1, 1, 6).reshape(2, 3))"],
)  # fmt: skip
def test_of_constraints(text, question):
    def program(torch):
        D = torch.distributions
        C = D.constraints
        names = {"C": C, "torch": torch, "D": D}
        return eval(question, {"c": eval("C." + text, names), **names})

    compare(program)


@like_pytorch
def test_registering_a_transform(torch):
    D = torch.distributions
    registry = D.constraint_registry.ConstraintRegistry()
    registry.register(D.constraints.positive, lambda c: D.transforms.SoftplusTransform())

    @registry.register(D.constraints.simplex)
    def made(constraint):
        return D.transforms.SoftmaxTransform()

    texts = [repr(registry(D.constraints.greater_than(1.0))), repr(registry(D.constraints.simplex))]
    for mistake in (lambda: registry(D.constraints.real), lambda: registry.register(3, made)):
        try:
            mistake()
        except (NotImplementedError, TypeError) as error:
            texts.append(str(error))
    return texts
