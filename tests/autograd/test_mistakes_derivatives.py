"""What `gradcheck` and `autograd.functional` say of a mistake, beside PyTorch."""

import pytest

from tests.mistakes import check_mistake, mistakes, named

PRELUDE = """
import importlib

check, twice = torch.autograd.gradcheck, torch.autograd.gradgradcheck
inside = importlib.import_module(torch.__name__ + ".autograd.gradcheck")
func = torch.autograd.functional
torch.manual_seed(0)

def double(*shape, grad=True):
    return torch.linspace(0.5, 2.0, torch.Size(shape).numel()).double().reshape(shape).requires_grad_(grad)

def function(**methods):
    plain = dict(forward=lambda ctx, a: a * 2, backward=lambda ctx, g: g * 2)
    members = {name: staticmethod(m) for name, m in {**plain, **methods}.items()}
    return type("Mine", (torch.autograd.Function,), members).apply

def tangents(jvp, **options):
    modes = dict(check_forward_ad=True, check_backward_ad=False, check_undefined_grad=False)
    return check(function(jvp=jvp), (x,), **{**modes, **options})

def noisy(v, calls=[0]):
    calls[0] += 1
    return v * (2 + 0.001 * calls[0])

def by_call(first, later):
    "A function of as many outputs as is said, in the first call and in those after it."
    calls = []

    def function(x):
        calls.append(x)
        return tuple(x * 2 for _ in range(first if len(calls) == 1 else later))

    return function

forward_only = dict(check_forward_ad=True, check_backward_ad=False)
x, c = double(2), (double(2) * 1j).detach().requires_grad_()
v, w = torch.arange(3.0), torch.ones(4, requires_grad=True)
a, b = torch.tensor([1.0, 2.0, 3.0]), torch.arange(4.0)

def cube(x, *others):
    return (x**3).sum()

def linear_in_the_second(x, y):
    return (x**3).sum() + (w * y).sum()

def square(x):
    return (x * x).sum()

def leafy():
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
"""

GRADCHECK = r"""
check(lambda x: x, (3,))
check(lambda x: x, (x.detach(),))
check(lambda x: x, (torch.ones(1).double().expand(3).requires_grad_(),))
check(lambda x: x * 2, (torch.ones(2, requires_grad=True),), eps=1e-2, atol=1e-2)
check(lambda x: x.to_sparse(), (double(2, 2),))
check(lambda x: x.to_sparse(), (double(2, 2),), fast_mode=True, raise_exception=False)
check(lambda x: x, (x,), check_backward_ad=False)
check(lambda x: x, (x,), check_backward_ad=False, check_forward_ad=True, check_batched_grad=True)
check(lambda x: x, (x,), check_batched_forward_grad=True)
check(3, (x,))
check(lambda x: 3, (x,))
check(lambda x: x * 2, (x,), eps=0)
check(by_call(2, 1), (x,))
check(by_call(2, 1), (x,), fast_mode=True)
check(by_call(1, 2), (x,), fast_mode=True)
check(by_call(2, 1), (x,), **forward_only)
check(by_call(1, 2), (x,), **forward_only)
check(by_call(1, 2), (x,), **forward_only, fast_mode=True)
twice(lambda x: x, (x,), check_rev_over_rev=False)
twice(lambda x: x, (x,), check_rev_over_rev=False, check_fwd_over_rev=True)
twice(lambda x: x, (x,), check_rev_over_rev=False, check_fwd_over_rev=True, check_undefined_grad=False, check_batched_grad=True)
twice(lambda x: x * 2, (x,), (3,))
twice(lambda x: x * 2, (x,), (double(5),))
inside.get_numerical_jacobian(lambda x: x[0] * 1j, (x,))
inside.get_numerical_jacobian(lambda x: x[0], (x,), grad_out=2.0)
inside.get_numerical_jacobian_wrt_specific_input(lambda x: x, 0, (x.detach(),), (x,), 1e-6)
inside.get_analytical_jacobian((x,), x * 1j)
inside.get_analytical_jacobian((x,), x, grad_out=2.0)
inside._get_analytical_jacobian_forward_ad(lambda x: x, (c,), (x,))
inside._test_backward_mul_by_grad_output((), (x.detach(),), False)
inside._test_undefined_backward_mode(lambda x: x, (), (x.detach(),))
inside._test_batched_grad_forward_ad(lambda x: x, [x])
tangents(lambda ctx, v: v * (2 + 0j), check_grad_dtypes=True)
tangents(lambda ctx, v: v * (2 + 0j), check_grad_dtypes=True, fast_mode=True)
tangents(lambda ctx, v: v * 2 + 0 * v.sum().item(), check_batched_forward_grad=True)
tangents(lambda ctx, v: noisy(v), check_batched_forward_grad=True, atol=1.0)
"""

FUNCTIONAL = r"""
func.vjp(cube, 3)
func.vjp(cube, (a, 3))
func.vjp(lambda x: 3, a)
func.vjp(lambda x: (x, 3), a)
func.vjp(lambda x: x * 2, a)
func.vjp(lambda x: x * 2, a, (a, a))
func.vjp(lambda x: (x * 2, x), a, (a,))
func.vjp(lambda x: x * 2, a, b)
func.vjp(lambda x: (x * 2, x), a, (a, b))
func.vjp(lambda x: torch.ones(3), a, a, strict=True)
func.vjp(lambda x, y: x * 2, (a, b), a, strict=True)
func.vjp(lambda x: x * 2, leafy(), a, strict=True, create_graph=True)
func.jvp(cube, a)
func.jvp(function(backward=lambda ctx, g: torch.ones(3)), a, a, strict=True)
func.jvp(lambda x: (x * 2, w), a, a, strict=True)
func.jvp(lambda x: x * 2, leafy(), a, strict=True, create_graph=True)
func.vhp(cube, a)
func.vhp(lambda x: (cube(x),), a, a)
func.vhp(lambda x: x, a, a)
func.vhp(lambda x: x.sum(), a, a, strict=True)
func.vhp(linear_in_the_second, (a, b), (a, b), strict=True)
func.vhp(square, leafy(), a, strict=True, create_graph=True)
func.hvp(cube, a)
func.hvp(lambda x: (cube(x),), a, a)
func.hvp(lambda x: x, a, a)
func.hvp(linear_in_the_second, (a, b), (a, b), strict=True)
func.hvp(square, leafy(), a, strict=True, create_graph=True)
func.jacobian(cube, a, strategy="b")
func.jacobian(cube, a, strategy="forward-mode")
func.jacobian(cube, a, strategy="forward-mode", create_graph=True)
func.jacobian(cube, a, strategy="forward-mode", strict=True)
func.jacobian(cube, a, vectorize=True, strict=True)
func.jacobian(lambda x: x * 2, leafy(), strict=True, create_graph=True)
func.jacobian(lambda x, y: (x * 2, y * 2), (a, b), strict=True)
func.hessian(cube, a, outer_jacobian_strategy="b")
func.hessian(cube, a, outer_jacobian_strategy="forward-mode")
func.hessian(lambda x: (cube(x),), a)
func.hessian(lambda x: x, a)
func._construct_standard_basis_for((a,), ())
func._construct_standard_basis_for((), ())
func._tuple_postprocess((a,), (True, False, True))
"""


@pytest.mark.parametrize("mistake", mistakes(PRELUDE, GRADCHECK + FUNCTIONAL), ids=named)
def test_a_mistake_raises_as_in_pytorch(mistake):
    check_mistake(mistake)
