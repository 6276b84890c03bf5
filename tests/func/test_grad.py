"""`grad`, `grad_and_value`, `vjp`: values, structures and errors, as PyTorch's."""

import pytest

import minitorch
from tests.both import compare, like_pytorch
from tests.func.inputs import numbers


@like_pytorch
def test_grad_by_argnums(torch):
    x, y = numbers(torch, 3), numbers(torch, 2, 3)

    def f(x, y, scale=2.0):
        return (x * y.sin()).sum() * scale

    grad = torch.func.grad
    return [
        grad(f)(x, y),
        grad(f, argnums=1)(x, y),
        grad(f, argnums=-1)(x, y),
        grad(f, argnums=(1, 0))(x, y),
        grad(f, argnums=(0,))(x, y, scale=3.0),
        grad(f, (0, 1))(x, y, scale=x.sum()),
    ]


@like_pytorch
def test_grad_of_trees(torch):
    x = {"a": numbers(torch, 2), "b": [numbers(torch, 3), (numbers(torch, 1),)]}

    def f(tree, k):
        return (tree["a"].sum() * tree["b"][0].prod() + tree["b"][1][0].sum()) * k

    return torch.func.grad(f)(x, 3), torch.func.grad_and_value(f)(x, 2.0)


@like_pytorch
def test_aux_and_values(torch):
    x = numbers(torch, 3)

    def f(x):
        y = x.exp()
        return y.sum(), {"y": y, "more": (y * 2, x)}

    return (
        torch.func.grad(f, has_aux=True)(x),
        torch.func.grad_and_value(f, has_aux=True)(x),
        torch.func.grad_and_value(lambda x: f(x)[0])(x),
    )


@like_pytorch
def test_what_does_not_depend_has_zeros(torch):
    x = numbers(torch, 3)
    return [
        torch.func.grad(lambda x: torch.ones(()))(x),
        torch.func.grad(lambda x, y: y.sum(), argnums=(0, 1))(x, x),
        torch.func.grad(lambda x: x.detach().sum())(x),
        torch.func.grad(lambda x: x.sum().floor())(x),
    ]


@like_pytorch
def test_complex(torch):
    x = torch.complex(numbers(torch, 3), numbers(torch, 3).cos())
    y, vjp_fn = torch.func.vjp(lambda x: x * x, x)
    return torch.func.grad(lambda x: (x * x.conj()).real.sum())(x), y, vjp_fn(x)


@like_pytorch
def test_vjp(torch):
    x, y = numbers(torch, 3), numbers(torch, 2, 3)
    out, vjp_fn = torch.func.vjp(lambda x, y: {"p": x * y, "s": [y.sum(0)]}, x, y)
    first = vjp_fn({"p": torch.ones(2, 3), "s": [x]})
    out1, single, aux = torch.func.vjp(lambda x: (x.sin(), x * 3), x, has_aux=True)
    return (
        out,
        first,
        vjp_fn({"p": y, "s": [x]}),
        out1,
        single(x),
        aux,
        single(x, retain_graph=False),
    )


@like_pytorch
def test_vjp_of_trees(torch):
    x = {"a": numbers(torch, 2), "b": (numbers(torch, 2),)}
    out, vjp_fn = torch.func.vjp(lambda t, u: t["a"] * t["b"][0] + u, x, numbers(torch, 2))
    return out, vjp_fn(torch.ones(2))


@like_pytorch
def test_history_outside(torch):
    w = numbers(torch, 3).requires_grad_()
    x = numbers(torch, 3)
    g = torch.func.grad(lambda x: (x * x * w).sum())(x)
    g.sum().backward()
    h = torch.func.grad(lambda v: (v**3).sum())(w)
    (second,) = torch.autograd.grad(h.sum(), w)
    value, vjp_fn = torch.func.vjp(lambda x: x * w, x)
    (through,) = vjp_fn(x)
    return g, w.grad, h, second, value, through, x.requires_grad, w.is_leaf


@like_pytorch
def test_vjp_in_no_grad(torch):
    w = numbers(torch, 3).requires_grad_()
    value, vjp_fn = torch.func.vjp(lambda x: x * x * w, w)
    with torch.no_grad():
        (inside,) = vjp_fn(torch.ones(3))
    (outside,) = vjp_fn(torch.ones(3))
    return value, inside, outside


@like_pytorch
def test_inputs_are_left_alone(torch):
    x = numbers(torch, 3)

    def f(x):
        y = x * 1
        y.mul_(x)
        y[0] = 0
        return y.sum()

    return torch.func.grad(f)(x), x, x.requires_grad, x._version


ERRORS = {
    "not a tensor": lambda torch, f, x: f.grad(lambda x: 2.0)(x),
    "not a number": lambda torch, f, x: f.grad(lambda x: x)(x),
    "tuple": lambda torch, f, x: f.grad(lambda x: (x.sum(), x))(x),
    "aux missing": lambda torch, f, x: f.grad(lambda x: x.sum(), has_aux=True)(x),
    "aux of three": lambda torch, f, x: f.grad(lambda x: (x.sum(), x, x), has_aux=True)(x),
    "aux no tensor": lambda torch, f, x: f.grad(lambda x: (x.sum(), "no"), has_aux=True)(x),
    "aux None": lambda torch, f, x: f.grad_and_value(lambda x: (x.sum(), None), has_aux=True)(x),
    "argnum out of range": lambda torch, f, x: f.grad(torch.sum, argnums=1)(x),
    "argnum below range": lambda torch, f, x: f.grad(torch.sum, argnums=-2)(x),
    "argnum in tuple": lambda torch, f, x: f.grad(torch.sum, argnums=(0, 3))(x),
    "argnum of float": lambda torch, f, x: f.grad(torch.sum, argnums=0.0)(x),
    "argnum in tuple of float": lambda torch, f, x: f.grad(torch.sum, argnums=(0.0,))(x),
    "argnum list": lambda torch, f, x: f.grad(torch.sum, argnums=[0])(x),
    "argnums empty": lambda torch, f, x: f.grad(torch.sum, argnums=())(x),
    "argnums twice": lambda torch, f, x: f.grad(torch.mul, argnums=(0, 0))(x, x),
    "argnums twice negative": lambda torch, f, x: f.grad(torch.mul, argnums=(1, -1))(x, x),
    "no arguments": lambda torch, f, x: f.grad(torch.sum)(),
    "float argument": lambda torch, f, x: f.grad(torch.sum)(1.0),
    "None in tree": lambda torch, f, x: f.grad(torch.sum)((x, None)),
    "integers": lambda torch, f, x: f.grad(torch.sum)(x.long()),
    "vjp float": lambda torch, f, x: f.vjp(torch.sum, 1.0),
    "vjp integer input": lambda torch, f, x: f.vjp(torch.sum, x.long()),
    "vjp None": lambda torch, f, x: f.vjp(lambda x: None, x),
    "vjp empty": lambda torch, f, x: f.vjp(lambda x: (), x),
    "vjp string": lambda torch, f, x: f.vjp(lambda x: (x, "s"), x),
    "vjp integer output": lambda torch, f, x: f.vjp(lambda x: x.long(), x),
    "vjp bool output": lambda torch, f, x: f.vjp(lambda x: (x, x > 0), x),
    "vjp aux": lambda torch, f, x: f.vjp(lambda x: x, x, has_aux=True),
    "vjp aux no tensor": lambda torch, f, x: f.vjp(lambda x: (x, 1), x, has_aux=True),
    "vjp structure": lambda torch, f, x: f.vjp(lambda x: x, x)[1]((x,)),
    "vjp structure of dict": lambda torch, f, x: f.vjp(lambda x: {"a": x, "b": [x]}, x)[1]([x, x]),
    "vjp shape": lambda torch, f, x: f.vjp(lambda x: x, x)[1](torch.ones(5)),
    "vjp freed": lambda torch, f, x: [
        g(x, retain_graph=False) for g in [f.vjp(lambda x: x.exp(), x)[1]] * 2
    ],
    "functionalize": lambda torch, f, x: f.functionalize(torch.sum, remove="x"),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors(case):
    compare(lambda torch: ERRORS[case](torch, torch.func, numbers(torch, 3)))


@like_pytorch
def test_after_an_error_all_levels_are_left(torch):
    def wrong(x):
        raise KeyError("inside")

    x = numbers(torch, 2)
    for transform in (torch.func.grad, torch.func.jacrev, torch.func.jacfwd, torch.func.hessian):
        for _ in range(2):
            try:
                transform(wrong)(x)
            except KeyError as error:
                assert error.args == ("inside",)
    y = x.clone().requires_grad_()
    (y * y).sum().backward()
    return y.grad, torch.func.grad(torch.sum)(x)


@like_pytorch
def test_the_name_of_a_function_is_kept(torch):
    def named(x):
        """Its text."""
        return x.sum()

    made = [torch.func.grad, torch.func.grad_and_value, torch.func.jacrev, torch.func.jacfwd]
    return [(m(named).__name__, m(named).__doc__) for m in made]


@pytest.mark.parametrize("change", ["mul_", "transpose_", "unsqueeze_", "squeeze_"])
@pytest.mark.parametrize("how", ["vjp", "grad", "jacrev"])
def test_a_view_that_is_returned_has_the_history_of_its_base(how, change):
    def program(torch):
        def f(x):
            base = x.clone()
            view = base.t()
            base.mul_(x)
            getattr(base, change)(
                *{"mul_": (2,), "transpose_": (0, 1), "unsqueeze_": (0,)}.get(change, ())
            )
            return view

        x = numbers(torch, 2, 2)
        if how == "vjp":
            return torch.func.vjp(f, x)[1](torch.ones(2, 2))
        if how == "grad":
            return torch.func.grad(lambda x: f(x).sum())(x)
        return torch.func.jacrev(f)(x).contiguous()

    compare(program)


MATRICES = {
    "regular": [[2.0, 1.0], [0.5, 3.0]],
    "with equal singular values": [[1.0, 0.0], [0.0, 1.0]],
    "singular": [[1.0, 2.0], [2.0, 4.0]],
}


@pytest.mark.parametrize("matrix", MATRICES)
def test_second_derivatives_of_a_determinant(matrix):
    """det is a polynomial of degree 2: its Hessian is the same everywhere."""
    func = minitorch.func
    A = minitorch.tensor(MATRICES[matrix], dtype=minitorch.float64)
    wanted = minitorch.zeros(2, 2, 2, 2, dtype=minitorch.float64)
    wanted[0, 0, 1, 1] = wanted[1, 1, 0, 0] = 1
    wanted[0, 1, 1, 0] = wanted[1, 0, 0, 1] = -1
    for hessian in (
        func.hessian(minitorch.linalg.det),
        func.jacrev(func.jacrev(minitorch.linalg.det)),
        func.jacfwd(func.grad(minitorch.linalg.det)),
    ):
        minitorch.testing.assert_close(hessian(A), wanted)
        both = minitorch.stack([A, minitorch.eye(2, dtype=minitorch.float64)])
        minitorch.testing.assert_close(func.vmap(hessian)(both), wanted.expand(2, 2, 2, 2, 2))
