"""`functionalize`: values, gradients and inputs afterwards, as in PyTorch."""

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
