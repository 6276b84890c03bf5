"""`jacrev`, `jacfwd`, `hessian`: values, structures and errors, as PyTorch's."""

import pytest

from tests.both import compare, like_pytorch
from tests.func.inputs import numbers

BOTH = ["jacrev", "jacfwd"]


@pytest.mark.parametrize("name", BOTH)
def test_shapes_and_argnums(name):
    def program(torch):
        jacobian = getattr(torch.func, name)
        x, y = numbers(torch, 3), numbers(torch, 2, 3)

        def f(x, y):
            return (x * y.sin()).t()

        return [
            jacobian(f)(x, y),
            jacobian(f, 1)(x, y),
            # PyTorch's jacfwd gives zeros for it
            jacobian(f, argnums=-1)(x, y) if name == "jacrev" else None,
            jacobian(f, argnums=(1, 0))(x, y),
            jacobian(f, argnums=(0,))(x, y),
            jacobian(lambda x, y: x.sum())(x, y),
            jacobian(lambda x: x * y)(x.sum()),
            jacobian(lambda x: torch.ones(2))(x),
            jacobian(lambda x: x.new_zeros(0))(x) if name == "jacfwd" else None,
        ]

    compare(program)


@pytest.mark.parametrize("name", BOTH)
def test_trees_and_aux(name):
    def program(torch):
        jacobian = getattr(torch.func, name)
        x = {"a": numbers(torch, 2), "b": (numbers(torch, 1, 3),)}

        def f(tree, k):
            p = tree["a"].sum() * tree["b"][0]
            return {"p": p, "q": [tree["a"].exp() * k]}

        def with_aux(tree, k):
            out = f(tree, k)
            return out, {"twice": out["p"] * 2}

        k = torch.tensor(2.0)
        return (
            jacobian(f)(x, k),
            jacobian(f, argnums=(0, 1))(x, k),
            jacobian(with_aux, has_aux=True)(x, k),
        )

    compare(program)


@pytest.mark.parametrize("chunk_size", [None, 1, 2, 4, 5, 6, 100])
@pytest.mark.parametrize("preallocate", [False, True])
def test_chunks(chunk_size, preallocate):
    def program(torch):
        x, y = numbers(torch, 3), numbers(torch, 2, 3)
        return torch.func.jacrev(
            lambda x, y: (x * y.exp(), x.cos()),
            argnums=(0, 1),
            chunk_size=chunk_size,
            _preallocate_and_copy=preallocate,
        )(x, y)

    compare(program)


@like_pytorch(tolerance=1e-5)
def test_hessians(torch):
    x = numbers(torch, 3)

    def f(x, y):
        return (x.sin() * x.prod() * y).sum()

    func = torch.func
    return [
        func.hessian(f)(x, x),
        func.hessian(f, argnums=(0, 1))(x, x),
        func.jacrev(func.jacrev(f))(x, x),
        func.jacfwd(func.jacfwd(f))(x, x),
        func.jacrev(func.jacfwd(f))(x, x),
        func.jacrev(func.grad(f))(x, x),
        func.jacfwd(func.grad(f))(x, x),
        func.jacrev(func.jacrev(func.jacrev(f)))(x, x),
        func.jacfwd(func.hessian(f))(x, x),
    ]


@like_pytorch
def test_batched_jacobians(torch):
    x = numbers(torch, 4, 3)
    func = torch.func
    return [
        func.vmap(func.jacrev(lambda x: x * x.sum()))(x),
        func.vmap(func.jacfwd(lambda x: x * x.sum()))(x),
        func.vmap(func.hessian(lambda x: x.prod()))(x),
        func.jacrev(func.vmap(lambda x: x.exp() * x[0]))(x),
        func.jacfwd(func.vmap(lambda x: x.exp() * x[0]))(x),
    ]


@like_pytorch
def test_a_layer(torch):
    w, b = numbers(torch, 4, 3), numbers(torch, 4)
    x = numbers(torch, 2, 3)

    def layer(w, b, x):
        return torch.tanh(torch.nn.functional.linear(x, w, b))

    return (
        torch.func.jacrev(layer, argnums=(0, 1, 2))(w, b, x),
        torch.func.jacfwd(layer, argnums=(0, 1, 2))(w, b, x),
    )


@like_pytorch
def test_history_outside(torch):
    w = numbers(torch, 3).requires_grad_()
    x = numbers(torch, 3)
    rev = torch.func.jacrev(lambda x: x * x * w)(x)
    fwd = torch.func.jacfwd(lambda x: x * x * w)(x)
    return torch.autograd.grad(rev.sum(), w), torch.autograd.grad(fwd.sum(), w), rev, fwd


@like_pytorch
def test_no_grad_outside(torch):
    x = numbers(torch, 3)
    with torch.no_grad():
        return torch.func.jacrev(torch.exp)(x), torch.func.hessian(torch.prod)(x)


ERRORS = {
    "chunk size": lambda torch, f, x: f.jacrev(torch.sin, chunk_size=0),
    "chunk size negative": lambda torch, f, x: f.jacrev(torch.sin, chunk_size=-1),
    "complex input": lambda torch, f, x: f.jacrev(torch.sin)(x + 1j),
    "complex output": lambda torch, f, x: f.jacrev(lambda x: (x, x * 1j))(x),
    "complex input forward": lambda torch, f, x: f.jacfwd(torch.sin)(x + 1j),
    "complex output forward": lambda torch, f, x: f.jacfwd(lambda x: (x, x * 1j))(x),
    "argnums": lambda torch, f, x: f.jacrev(torch.sin, argnums=1)(x),
    "argnums forward": lambda torch, f, x: f.jacfwd(torch.sin, argnums=1)(x),
    "argnums list": lambda torch, f, x: f.jacrev(torch.sin, argnums=[0])(x),
    "argnums list forward": lambda torch, f, x: f.jacfwd(torch.sin, argnums=[0])(x),
    "argnums twice": lambda torch, f, x: f.jacrev(torch.mul, argnums=(0, 0))(x, x),
    "argnums empty forward": lambda torch, f, x: f.jacfwd(torch.mul, argnums=())(x, x),
    "integer input": lambda torch, f, x: f.jacrev(torch.sin)(x.long()),
    "integer input forward": lambda torch, f, x: f.jacfwd(torch.sin)(x.long()),
    "integer output": lambda torch, f, x: f.jacrev(lambda x: x.long())(x),
    "returns None": lambda torch, f, x: f.jacrev(lambda x: None)(x),
    "returns None forward": lambda torch, f, x: f.jacfwd(lambda x: None)(x),
    "returns a float": lambda torch, f, x: f.jacfwd(lambda x: (x, 1.0))(x),
    "aux": lambda torch, f, x: f.jacrev(lambda x: x, has_aux=True)(x),
    "aux forward": lambda torch, f, x: f.jacfwd(lambda x: x, has_aux=True)(x),
    "randomness": lambda torch, f, x: f.jacfwd(lambda x: x * torch.rand_like(x))(x),
    "randomness name": lambda torch, f, x: f.jacfwd(torch.sin, randomness="no")(x),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors(case):
    compare(lambda torch: ERRORS[case](torch, torch.func, numbers(torch, 3)))


@like_pytorch
def test_the_jacobian_of_a_batch_of_prelus(torch):
    weight = torch.full((1,), 0.3)

    def f(x):
        return torch.nn.functional.prelu(x, weight)

    return torch.func.jacrev(torch.func.vmap(f))(numbers(torch, 2, 3))


@pytest.mark.parametrize("wanted", [0, 1])
@pytest.mark.parametrize("name", ["conv1d", "conv_transpose1d"])
def test_the_jacobian_of_a_convolution_is_a_constant(name, wanted):
    def program(torch):
        convolution = getattr(torch.nn.functional, name)
        arguments = [numbers(torch, 1, 2, 4), numbers(torch, 2, 2, 3)]
        arguments[wanted].requires_grad_()
        jacobian = torch.func.jacrev(convolution, argnums=wanted)(*arguments)
        return jacobian.requires_grad, jacobian.contiguous()

    compare(program)


@like_pytorch
def test_the_jacobian_of_a_convolution_of_both_arguments(torch):
    x, weight = numbers(torch, 1, 2, 4), numbers(torch, 2, 2, 3).requires_grad_()
    jacobian = torch.func.jacrev(torch.nn.functional.conv1d, argnums=(0, 1))
    found = jacobian(x, weight)
    second = torch.func.jacrev(lambda w: jacobian(x, w)[0].sum())(weight)
    return [part.requires_grad for part in found], found[0], second.contiguous()
