"""Every method of every distribution does what PyTorch's does, and draws the same numbers."""

import importlib.util

import pytest

from tests.both import compare
from tests.distributions.cases import CASES, METHODS, NEEDS, environment

TEXTS = [(name, text) for name, texts in CASES.items() for text in texts]


def need(name):
    module = NEEDS.get(name)
    if module and importlib.util.find_spec(f"minitorch.{module}") is None:
        pytest.skip(f"minitorch.{module} is not there")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name, text", TEXTS, ids=[text for _, text in TEXTS])
def test_method(name, text, method):
    need(name)

    def program(torch):
        torch.manual_seed(5)
        names = environment(torch)
        names["d"] = eval(text, names)
        return eval(METHODS[method], names)

    compare(program, tolerance=2e-5)


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
    need(name)

    def program(torch):
        torch.manual_seed(5)
        leaves = []
        names = environment(torch, leaves)
        names["d"] = eval(text, names)
        result = eval(GRADIENTS[method], names)
        if result.requires_grad and leaves:
            (result * torch.linspace(1, 2, result.numel()).reshape(result.shape)).sum().backward()
        return result.detach(), [leaf.grad for leaf in leaves]

    # PyTorch's slope of Dirichlet numbers is an approximation, right to two or three digits
    compare(program, tolerance=1e-2 if name in ("Beta", "Dirichlet", "Independent") else 1e-4)
