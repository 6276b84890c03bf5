"""Tensors that are known to be zeros."""

import pytest

import minitorch
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


def numbers(torch):
    return torch.tensor([1.0, -2.0, 0.0], dtype=torch.float64)


def of_sgn(torch, x, y):
    """Return the gradient of `x` and whether it is known to be zeros."""
    (grad,) = torch.autograd.grad(y.sum(), x)
    return grad, grad._is_zerotensor()


# of x, which requires a gradient; its logarithm has an infinite slope, or none, at two of the numbers
OF_SGN = {
    "alone": lambda torch, x: of_sgn(torch, x, x.sgn()),
    "of a logarithm": lambda torch, x: of_sgn(torch, x, x.log().sgn()),
    "of an expanded": lambda torch, x: of_sgn(torch, x, x.expand(2, 3).sgn()),
    "of a part": lambda torch, x: of_sgn(torch, x, x[1:].sgn()),
    "twice": lambda torch, x: of_sgn(torch, x, x.log().sgn() + x.log().sgn()),
    "and another": lambda torch, x: of_sgn(torch, x, x.log().sgn() + x),
    "another and": lambda torch, x: of_sgn(torch, x, x + x.log().sgn()),
    "in place": lambda torch, x: of_sgn(torch, x, x.log().sgn_()),
    "in place in a view": lambda torch, x: inside(torch, x),
    "complex": lambda torch, x: of_sgn(torch, x, x.to(torch.complex128).sgn().real),
    "create_graph": lambda torch, x: torch.autograd.grad(x.log().sgn().sum(), x, create_graph=True),
    "twice derived": lambda torch, x: of_sgn(
        torch, x, torch.autograd.grad((x.log().sgn() * x).sum(), x, create_graph=True)[0]
    ),
    "batched": lambda torch, x: torch.autograd.grad(
        x.log().sgn(), x, torch.eye(3, dtype=x.dtype), is_grads_batched=True
    ),
    "hook": lambda torch, x: hooked(torch, x),
    "func.grad": lambda torch, x: torch.func.grad(lambda x: x.log().sgn().sum())(x.detach()),
    "vmap": lambda torch, x: torch.func.vmap(
        torch.func.grad(lambda x: x.log().sgn().sum()), out_dims=1
    )(x.detach().expand(2, 3)),
    "product in vmap": lambda torch, x: torch.func.vmap(
        lambda x: torch.func.grad(lambda x: x.sgn().sum())(x) * x.log()
    )(x.detach().expand(2, 3)),
    "jacrev": lambda torch, x: torch.func.jacrev(lambda x: x.log().sgn())(x.detach()),
    "jacfwd": lambda torch, x: torch.func.jacfwd(lambda x: x.log().sgn() * x)(x.detach()),
    "hessian": lambda torch, x: torch.func.hessian(lambda x: (x.log().sgn() * x).sum())(x.detach()),
    "tangent": lambda torch, x: torch.func.jvp(
        lambda x: x.sgn() * float("nan"), (x.detach(),), (x.detach(),)
    ),
}


def inside(torch, x):
    y = x * 1
    y[:2].sgn_()
    return of_sgn(torch, x, y)


def hooked(torch, x):
    seen, y = [], x.log()
    y.register_hook(lambda grad: seen.append((grad, grad._is_zerotensor())))
    y.sgn().sum().backward()
    return seen, x.grad


@pytest.mark.parametrize("case", OF_SGN)
def test_gradients_of_real_sgn_are_known_to_be_zeros(case):
    compare(lambda torch: OF_SGN[case](torch, numbers(torch).requires_grad_()))


def test_the_gradient_of_sgn_is_added_to_another():
    def program(torch):
        x = numbers(torch).requires_grad_()
        (x * 2).sum().backward()
        x.log().sgn().sum().backward()
        return x.grad

    compare(program)


def test_grad_can_be_written_to_after_sgn():
    x = numbers(minitorch).requires_grad_()
    for _ in range(2):
        x.log().sgn().sum().backward()
    assert not x.grad._is_zerotensor()
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2, 2, 2]
