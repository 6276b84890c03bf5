"""Tensors that are known to be zeros."""

import pytest

from tests.both import compare

PROGRAMS = {
    "made": lambda torch, z: (z, z._is_zerotensor(), torch.zeros(2)._is_zerotensor()),
    "dtype": lambda torch, z: torch._efficientzerotensor((2,), dtype=torch.float64),
    "product": lambda torch, z: both(z * torch.tensor([float("inf"), 1.0, float("nan")])),
    "product of numbers": lambda torch, z: both(z * 2),
    "shape of a product": lambda torch, z: both(z * torch.ones(2, 3, dtype=torch.float64)),
    "quotient": lambda torch, z: both(z / torch.zeros(3)),
    "sum": lambda torch, z: both(torch.ones(2, 3) + z),
    "sum of two": lambda torch, z: both(z + z),
    "quotient of two": lambda torch, z: both(z / z),
    "divisor": lambda torch, z: both(torch.tensor([1.0, -1.0, 0.0]) / z),
    "rounded quotient": lambda torch, z: both(z.div(torch.zeros(3), rounding_mode="floor")),
    "dot": lambda torch, z: both(torch.dot(torch.full((3,), float("nan")), z)),
    "vdot": lambda torch, z: both(torch.vdot(z, torch.full((3,), float("inf")))),
    "conjugate": lambda torch, z: both(z.conj_physical()),
    "factor of the second term": lambda torch, z: both(
        torch.add(torch.ones(3), z, alpha=float("nan"))
    ),
    "difference": lambda torch, z: both(torch.sub(z, torch.ones(3), alpha=2)),
    "others": lambda torch, z: both(z.exp()),
    "view": lambda torch, z: both(z.view(1, 3).t()),
    "clone": lambda torch, z: both(z.clone()),
    "written": lambda torch, z: z.add_(1),
    "list": lambda torch, z: (torch.cat([z, torch.ones(1)]), z.sum().item()),
    "gradient": lambda torch, z: torch.autograd.grad(
        (torch.ones(3).requires_grad_() * z).sum(), []
    ),
}


def both(t):
    return t, t._is_zerotensor(), t.shape, str(t.dtype)


@pytest.mark.parametrize("program", PROGRAMS)
def test_zeros(program):
    compare(lambda torch: PROGRAMS[program](torch, torch._efficientzerotensor(3)))


def test_gradient_of_a_factor():
    def program(torch):
        x = torch.ones(3, requires_grad=True)
        y = x * torch._efficientzerotensor(3)
        (grad,) = torch.autograd.grad(y.sum(), x)
        return y.requires_grad, grad

    compare(program)
