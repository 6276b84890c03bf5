"""`functionalize`: values, gradients and inputs afterwards, as in PyTorch."""

import importlib

import pytest

from tests.both import compare, like_pytorch
from tests.func.inputs import numbers


def _writes(torch, x):
    y = x.clone()
    y.add_(1)
    y.view(-1).mul_(2)
    return y


def _row(torch, x):
    row = x[0]
    row.zero_()
    return x.sum(0), row


def _tree(torch, x):
    parts = x.split(1)
    parts[0].fill_(3)
    return {"sum": [x.sum(), 3, None], "view": x.t(), "text": "x"}


def _itself(torch, x):
    return x.exp_()


FUNCTIONS = [_writes, _row, _tree, _itself]


@pytest.mark.parametrize("remove", ["mutations", "mutations_and_views"])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_values_and_inputs(f, remove):
    def program(torch):
        x = numbers(torch, 2, 3)
        result = torch.func.functionalize(lambda x: f(torch, x), remove=remove)(x)
        return result, x, x._version

    compare(program)


@pytest.mark.parametrize("outer", ["vmap", "jacrev", "jacfwd", "hessian"])
def test_inside_and_outside_of_transforms(outer):
    def program(torch):
        x = numbers(torch, 2, 3)
        transform = getattr(torch.func, outer)
        f = torch.func.functionalize
        return [
            transform(f(lambda x: _writes(torch, x).sin()))(x),
            f(transform(lambda x: _writes(torch, x).sin()))(x),
        ]

    compare(program)


@like_pytorch
def test_arguments_of_every_kind(torch):
    x, kept = numbers(torch, 2, 3), [numbers(torch, 2), "text"]

    def f(a, b=None, *, c):
        a.mul_(2)
        c[0].add_(a.sum())
        return {"a": a, "c": c}

    wrapped = torch.func.functionalize(f)
    return wrapped(x, c=kept), x, kept, wrapped.__name__, wrapped.__wrapped__ is f


@like_pytorch
def test_gradients(torch):
    x = numbers(torch, 2, 3).requires_grad_()
    torch.func.functionalize(lambda x: _writes(torch, x))(x * 2).sum().backward()
    return x.grad, torch.func.grad(torch.func.functionalize(lambda x: _writes(torch, x).sum()))(x)


@like_pytorch
def test_a_leaf_is_not_written_to(torch):
    torch.func.functionalize(lambda x: x.add_(1))(numbers(torch, 2).requires_grad_())


REFUSED = {
    "requires_grad_": lambda torch, x: x.clone().requires_grad_(),
    "jacobian": lambda torch, x: torch.autograd.functional.jacobian(torch.sin, x),
    "a Function without setup_context": lambda torch, x: _without_setup_context(torch).apply(x),
    "grad inside": lambda torch, x: torch.func.grad(lambda y: y.mul_(2).sum())(x),
    "vmap inside": lambda torch, x: torch.vmap(lambda y: y.clone().mul_(y))(x),
}


def _without_setup_context(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    return Doubled


@pytest.mark.parametrize("case", REFUSED)
def test_what_a_transform_refuses_is_refused(case):
    def program(torch):
        return torch.func.functionalize(lambda x: REFUSED[case](torch, x))(torch.ones(3))

    compare(program)


@like_pytorch
def test_it_is_a_level(torch):
    functorch = importlib.import_module(f"{torch.__name__}._C")._functorch
    seen = []

    def f(x):
        seen.append(functorch.maybe_current_level())
        torch.func.grad(lambda y: (seen.append(functorch.maybe_current_level()), y.sum())[1])(x)
        return x

    torch.func.functionalize(f)(torch.ones(3))
    return seen, functorch.maybe_current_level()


@like_pytorch
def test_the_level_as_an_object(torch):
    pyfunctorch = importlib.import_module(f"{torch.__name__}._functorch.pyfunctorch")
    seen = []

    def f(x):
        seen.extend(i.get_state() for i in pyfunctorch.retrieve_all_functorch_interpreters())
        return x

    torch.func.functionalize(f)(torch.ones(3))
    return seen
