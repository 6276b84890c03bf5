"""`grad_dtype`: of which dtype the gradient of a leaf is."""

import copy
import pickle

import pytest

from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core

DTYPES = ["none", "float32", "float64", "float16"]


def named(torch, name):
    return None if name == "none" else getattr(torch, name)


def widened(torch):
    class Widened(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            return grad.double()

    return Widened.apply


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("before", [True, False])
def test_gradients_are_cast_to_it(name, before):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        if before:
            x.grad_dtype = named(torch, name)
        y = widened(torch)(x)
        x.grad_dtype = named(torch, name)
        (found,) = torch.autograd.grad(y.sum(), x, retain_graph=True)
        sink = y.grad_fn.next_functions[0][0]
        y.sum().backward()
        first = x.grad.clone()
        y = widened(torch)(x * 1)
        y.sum().backward()
        return found, first, x.grad, x.grad_dtype is None, str(sink._input_metadata[0].dtype)

    compare(program)


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("assigned", DTYPES[1:])
def test_what_may_be_assigned(name, assigned):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        x.grad_dtype = named(torch, name)
        x.grad = torch.ones(2, dtype=named(torch, assigned))
        return x.grad

    compare(program)


@like_pytorch
def test_copies_do_not_have_it(torch):
    x = torch.ones(2, requires_grad=True)
    x.grad_dtype = torch.float64
    others = copy.deepcopy(x), pickle.loads(pickle.dumps(x)), x.detach(), torch.ones(2)
    x.sum().backward()
    return [str(t.grad_dtype) for t in (x, *others)], x.grad, x.grad_fn is None


@like_pytorch
def test_it_goes_with_the_tensor(torch):
    for _ in range(50):
        x = torch.ones(2, requires_grad=True)
        x.grad_dtype = torch.float64
        del x
        y = torch.ones(2, requires_grad=True)
        y.sum().backward()
        assert y.grad.dtype is y.grad_dtype is torch.float32


def grown(torch, value):
    x = torch.ones(2, requires_grad=True)
    x.sum().backward()
    x.grad_dtype = value


WRONG = {
    "a number": lambda torch: setattr(torch.ones(2), "grad_dtype", 3),
    "no leaf": lambda torch: setattr(
        torch.ones(2, requires_grad=True) * 2, "grad_dtype", torch.float64
    ),
    "of no leaf": lambda torch: (torch.ones(2, requires_grad=True) * 2).grad_dtype,
    "of integers": lambda torch: str(torch.ones(2, dtype=torch.int64).grad_dtype),
    "another gradient": lambda torch: grown(torch, torch.float64),
    "the same gradient": lambda torch: grown(torch, torch.float32),
    "any gradient": lambda torch: grown(torch, None),
}


@pytest.mark.parametrize("case", WRONG)
def test_errors(case):
    compare(WRONG[case])
