"""`autograd.functional`: Jacobians, Hessians and their products, beside PyTorch's."""

import pytest

import minitorch
from tests.both import compare
from tests.expressions import check, lines

LINES = lines(
    r"""
F.vjp(f, x)
F.vjp(f, 3)
F.vjp(f, [x, 3])
F.vjp(f, (x, 3))
F.vjp(lambda a: 3, x)
F.vjp(f, x, v=torch.ones(2))
F.vjp(f, x, v=(x, x))
F.vjp(lambda a: a.sum(), x)
F.vjp(lambda a: a.sum(), x, create_graph=True)
F.vjp(lambda a: torch.ones(2), x, v=y[:2])
F.vjp(lambda a: torch.ones(2), x, v=y[:2], strict=True)
F.vjp(lambda a: a.detach().requires_grad_(), x, v=y[:3], strict=True)
F.vjp(lambda a, b: a * 1, (x, y), v=y[:3], strict=True)
F.vjp(lambda a, b: (a * 1, b), (x, y), v=(y[:3], y))
F.vjp(lambda a, b: (a * 1, b), (x, y), v=(y[:3],))
F.vjp(lambda a, b: (a * 1, b), (x, y), v=(y[:3], x))
F.jvp(f, x, y[:3])
F.jvp(lambda a: torch.ones(2), x, y[:3])
F.jvp(f, torch.tensor(2.))
F.jvp(f, x)
F.jvp(lambda a, b: (a * b[:3], b.sum()), (x, y), (y[:3], y))
F.jvp(f, x, y[:3], create_graph=True)
F.jacobian(f, x)
F.jacobian(lambda a, b: (a.sum() * b, a), (x, y))
F.jacobian(f, x, create_graph=True)
F.jacobian(lambda a: torch.ones(2), x)
F.jacobian(lambda a: torch.ones(2), x, strict=True)
F.jacobian(f, x, strategy='a')
F.jacobian(f, x, strategy='forward-mode')
F.jacobian(f, x, strategy='forward-mode', create_graph=True)
F.jacobian(f, x, strict=True, vectorize=True)
F.jacobian(f, x, vectorize=True)
F.jacobian(lambda a: a.sum(), m)
F.jacobian(lambda a: a[:0], x).shape
F.hessian(lambda a: (a**3).sum(), x)
F.hessian(f, x)
F.hessian(lambda a: (a, a), x)
F.hessian(lambda a, b: a.sum() * b.pow(2).sum(), (x, y))
F.hessian(lambda a: a.sum(), x)
F.hessian(lambda a: a.sum(), x, strict=True)
F.hessian(lambda a: (a**3).sum(), x, create_graph=True)
F.hessian(lambda a: (a**3).sum(), x, outer_jacobian_strategy='b')
F.vhp(lambda a: (a**3).sum(), x, y[:3])
F.vhp(f, x, y[:3])
F.vhp(lambda a: (a**3).sum(), x)
F.vhp(lambda a: a.sum(), x, y[:3], strict=True)
F.vhp(lambda a, b: (a**3).sum() * b.sum(), (x, y), (y[:3], y))
F.hvp(lambda a: (a**3).sum(), x, y[:3])
F.hvp(lambda a: (a, a), x, y[:3])
F.hvp(f, x, y[:3])
F.hvp(lambda a: (a**3).sum(), x, y[:3], create_graph=True)
F.hvp(lambda a: a.sum(), x, y[:3])
F.hvp(lambda a: a.exp().prod(), torch.tensor(2.))
"""
)

NAMES = "import importlib;; F = importlib.import_module(torch.__name__ + '.autograd.functional')"


@pytest.mark.parametrize("line", LINES)
def test_line_does_what_it_does_in_pytorch(line):
    check(f"{NAMES};; f = lambda a: a**3;; y = torch.arange(4.);; {line}")


def test_results_are_recorded_when_asked_for():
    def program(torch):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        functional = torch.autograd.functional
        results = []
        for value in (
            functional.jacobian(lambda a: a**3, x, create_graph=True),
            functional.hessian(lambda a: (a**4).sum(), x, create_graph=True),
            functional.vhp(lambda a: (a**4).sum(), x, torch.ones(2), create_graph=True)[1],
            functional.jvp(lambda a: a**3, x, torch.ones(2), create_graph=True)[1],
        ):
            results.append(torch.autograd.grad(value.sum(), x)[0])
        return results

    compare(program)


def test_a_captured_tensor_is_not_taken_for_an_input():
    x = minitorch.tensor(3.0, requires_grad=True)
    assert minitorch.autograd.functional.jacobian(lambda a: a * x, x).item() == 3.0
    assert x.grad is None
