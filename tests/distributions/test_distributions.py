"""Every method of every distribution does what PyTorch's does, and draws the same numbers."""

import warnings

import pytest

import minitorch
from tests.both import compare
from tests.distributions.cases import CASES, METHODS, NEEDS, environment

TEXTS = [(name, text) for name, texts in CASES.items() for text in texts]


def need(name, method=""):
    for names, part, needed in NEEDS:
        if name in names and part in method and not hasattr(minitorch, needed):
            pytest.skip(f"needs {needed}")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name, text", TEXTS, ids=[text for _, text in TEXTS])
def test_method(name, text, method):
    need(name, method)

    def program(torch):
        torch.manual_seed(5)
        names = environment(torch)
        names["d"] = eval(text, names)
        return eval(METHODS[method], names)

    compare(program, tolerance=2e-5)


def dense(torch, grad):
    """In order: how a gradient lies in memory follows from the order of the operators."""
    return None if grad is None else grad.clone(memory_format=torch.contiguous_format)


# of which gradient
GRADIENTS = {
    "rsample": "d.rsample((3,))",
    "log_prob": "d.log_prob(d.sample((3,)).detach())",
    "entropy": "d.entropy()",
    "cdf": "d.cdf(d.sample((3,)).detach())",
    "icdf": "d.icdf(torch.tensor([[0.1], [0.5], [0.9]]))",
    "mean": "d.mean",
}


@pytest.mark.parametrize("method", GRADIENTS)
@pytest.mark.parametrize("name, text", TEXTS, ids=[text for _, text in TEXTS])
def test_gradients(name, text, method):
    need(name, method)
    if (name, method) == ("Wishart", "rsample"):
        pytest.skip("PyTorch writes to a mask that its backward pass needs, and fails")

    def program(torch):
        torch.manual_seed(5)
        leaves = []
        names = environment(torch, leaves)
        names["d"] = eval(text, names)
        result = eval(GRADIENTS[method], names)
        if result.requires_grad and leaves:
            (result * torch.linspace(1, 2, result.numel()).reshape(result.shape)).sum().backward()
        return result.detach(), [dense(torch, leaf.grad) for leaf in leaves]

    # PyTorch's slope of Dirichlet numbers is an approximation, right to two or three digits
    compare(program, tolerance=1e-2 if name in ("Beta", "Dirichlet", "Independent") else 1e-4)


def test_gradients_flow_through_wishart_matrices():
    need("Wishart")
    torch = minitorch
    scale = torch.tensor([[2.0, 0.0], [0.5, 1.0]], dtype=torch.float64, requires_grad=True)

    def draw(scale):
        torch.manual_seed(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return torch.distributions.Wishart(3.5, scale_tril=scale).rsample((3,))

    assert torch.autograd.gradcheck(lambda s: draw(s.tril()), (scale,))
