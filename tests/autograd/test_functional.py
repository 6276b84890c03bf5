"""`autograd.functional`: Jacobians, Hessians and their products, beside PyTorch's."""

import pytest

import minitorch
from tests.both import compare, like_pytorch
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
F.vjp(lambda a: (a.sum(),), x)
F.vjp(lambda a: [a], x)
F.vjp(lambda a: (a, 1), x)
F.vjp(f, i, v=i)
F.vjp(f, c, v=c)
F.vjp(f, x, v=y[:3].requires_grad_())
F.vjp(f, x.requires_grad_(), v=y[:3], create_graph=True, strict=True)
F.vjp(lambda a: 3 * a, x.requires_grad_(), v=y[:3], create_graph=True, strict=True)
F.vjp(lambda a, b: (a * 2, a * 3), (x, y), v=(y[:3], y[:3]))
F.vjp(f, x, (y[:3], y[:3]))
F.vjp(f, x, 1.0)
F.jvp(f, 3, x)
F.jvp(f, (x, 3), x)
F.jvp(f, x, (x, x))
F.jvp(f, x, y)
F.jvp(lambda a, b: a, (x, y), (x, x))
F.jvp(lambda a, b: a, (x, y), (x, y))
F.jvp(lambda a, b: a, (x, y), (x, y), strict=True)
F.jvp(lambda a: a * 3, x, x, strict=True)
F.jvp(lambda a: a ** 3, x, x, strict=True)
F.jvp(lambda a: a ** 3, x.requires_grad_(), x, strict=True, create_graph=True)
F.jvp(lambda a: a * 3, x.requires_grad_(), x, strict=True, create_graph=True)
F.jvp(lambda a: a.detach().requires_grad_(), x, x, strict=True)
F.jvp(lambda a: (a, torch.ones(2)), x, x, strict=True)
F.jvp(lambda a: (a, torch.ones(2)), x, x)
F.jvp(lambda a: 3, x, x)
F.jvp(f, c, c)
F.jvp(f, i, i)
F.jvp(lambda a: (a > 1), x, x)
F.jacobian(lambda a: [a], x)
F.jacobian(f, (x, 1))
F.jacobian(f, i)
F.jacobian(f, c)
F.jacobian(lambda a, b: (a * b.sum(), b), (x, y), strict=True)
F.jacobian(lambda a, b: (a * 1, b * a.sum()), (x, y), strict=True)
F.jacobian(lambda a: a * 2, x.requires_grad_(), strict=True, create_graph=True)
F.jacobian(lambda a: a ** 2, x.requires_grad_(), strict=True, create_graph=True)
F.jacobian(lambda a: (a ** 2, a * 2), x.requires_grad_(), strict=True, create_graph=True)
F.jacobian(lambda a: a, x[:0])
F.jacobian(lambda a: a.sum(), x[:0])
F.jacobian(lambda a: torch.ones(2), x, strict=True, vectorize=True)
F.jacobian(lambda a: 3, x, strict=True, vectorize=True)
F.jacobian(lambda a: torch.ones(2), x, vectorize=True)
F.jacobian(lambda a: torch.ones(0), x, vectorize=True)
F.jacobian(lambda a: a.sin()[:0], x, vectorize=True)
F.jacobian(lambda a: (a.sin()[:0], torch.ones(0)), x, vectorize=True)
F.jacobian(lambda a: (a.sin()[:0], a), x, vectorize=True)
F.jacobian(lambda a, b: (a.sum() * b, a), (x, y), vectorize=True)
[[block.contiguous() for block in row] for row in F.jacobian(lambda a, b: (a.sum() * b, m * b), (x, y), vectorize=True)]
F.jacobian(f, x.requires_grad_(), vectorize=True, create_graph=True)
F.jacobian(lambda a: a.sum(), m, vectorize=True).contiguous()
F.jacobian(f, c, vectorize=True)
F.jacobian(lambda a: a.double(), x, vectorize=True)
F.jacobian(f, x, strategy='forward-mode', vectorize=True)
F.jacobian(f, 3, strategy='forward-mode')
F.jacobian(f, x, strategy='forward-mode', strict=True)
F.jacobian(f, x, strategy='forward-mode', vectorize=True, create_graph=True)
F.jacobian(lambda a: 3, x, strategy='forward-mode', vectorize=True)
F.jacobian(lambda a: (a, 3), x, strategy='forward-mode', vectorize=True)
F.jacobian(lambda a: torch.ones(2), x, strategy='forward-mode', vectorize=True).contiguous()
F.jacobian(lambda a: a[:0], x, strategy='forward-mode', vectorize=True)
F.jacobian(lambda a, b: (a.sum() * b, a), (x, y), strategy='forward-mode', vectorize=True)
F.jacobian(lambda a, b: (a.sum() * b, m * b), (x, y), strategy='forward-mode', vectorize=True)
F.jacobian(lambda a: a @ a.t(), m, strategy='forward-mode', vectorize=True)
F.jacobian(lambda a: a.double(), x, strategy='forward-mode', vectorize=True)
F.jacobian(f, x.requires_grad_(), strategy='forward-mode', vectorize=True)
F.jacobian(f, c, strategy='forward-mode', vectorize=True)
F.jacobian(f, i, strategy='forward-mode', vectorize=True)
F.hessian(f, 3)
F.hessian(lambda a: 3, x)
F.hessian(lambda a: (a.sum(),), x)
F.hessian(lambda a: a.sum().detach(), x, strict=True)
F.hessian(lambda a: a.sum().detach(), x)
F.hessian(lambda a, b: (a ** 2).sum(), (x, y))
F.hessian(lambda a, b: (a ** 2).sum(), (x, y), strict=True)
F.hessian(lambda a, b: (a ** 2).sum() + (b ** 2).sum(), (x, y), strict=True)
F.hessian(lambda a: (a**3).sum(), x.requires_grad_(), create_graph=True, strict=True)
F.hessian(lambda a: (a**2).sum(), x.requires_grad_(), create_graph=True, strict=True)
F.hessian(lambda a: (a**3).sum(), x, vectorize=True)
F.hessian(lambda a: (a**3).sum(), x, vectorize=True, strict=True)
[[block.contiguous() for block in row] for row in F.hessian(lambda a, b: a.sum() * b.pow(2).sum(), (x, y), vectorize=True)]
F.hessian(lambda a: (a**3).sum(), x, outer_jacobian_strategy='forward-mode')
F.hessian(lambda a: (a**3).sum(), x, outer_jacobian_strategy='forward-mode', create_graph=True)
F.hessian(lambda a: (a**3).sum(), x, vectorize=True, outer_jacobian_strategy='forward-mode')
F.hessian(lambda a, b: a.sum() * b.exp().sum(), (x, y), vectorize=True, outer_jacobian_strategy='forward-mode')
F.hessian(lambda a: (a**3).sum().reshape(1, 1), x)
F.vhp(f, 3)
F.vhp(lambda a: (a.sum(),), x, x)
F.vhp(lambda a: 3, x, x)
F.vhp(lambda a: a.sum(), x, x)
F.vhp(lambda a: a.sum().detach(), x, x, strict=True)
F.vhp(lambda a: a.exp().prod(), torch.tensor(2.))
F.vhp(lambda a: (a**3).sum(), x, y)
F.vhp(lambda a, b: (a**3).sum(), (x, y), (x, y))
F.vhp(lambda a, b: (a**3).sum(), (x, y), (x, y), strict=True)
F.vhp(lambda a: (a**3).sum(), x.requires_grad_(), x, create_graph=True, strict=True)
F.vhp(lambda a: (a**2).sum(), x.requires_grad_(), x, create_graph=True, strict=True)
F.hvp(lambda a: (a.sum(),), x, x)
F.hvp(lambda a: 3, x, x)
F.hvp(lambda a: a.sum(), x, x, strict=True)
F.hvp(lambda a: a.sum().detach(), x, x, strict=True)
F.hvp(lambda a: (a**3).sum(), x)
F.hvp(lambda a: (a**3).sum(), x, (x, x))
F.hvp(lambda a, b: (a**3).sum(), (x, y), (x, y))
F.hvp(lambda a, b: (a**3).sum(), (x, y), (x, y), strict=True)
F.hvp(lambda a, b: (a**3).sum() + (b**2).sum(), (x, y), (x, y), strict=True)
F.hvp(lambda a, b: (a**2).sum() + (b**2).sum(), (x, y), (x, y), strict=True)
F.hvp(lambda a: (a**3).sum(), x.requires_grad_(), x, create_graph=True, strict=True)
F.hvp(lambda a: (a**2).sum(), x.requires_grad_(), x, create_graph=True, strict=True)
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


def test_forward_mode_calls_jvp_and_no_backward():
    def program(torch):
        class Doubled(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def jvp(ctx, tangent):
                return tangent * 2

        return Doubled

    x = minitorch.tensor([1.0, 2.0])
    result = minitorch.autograd.functional.jacobian(
        program(minitorch).apply, x, vectorize=True, strategy="forward-mode"
    )
    assert result.tolist() == [[2.0, 0.0], [0.0, 2.0]]
    with pytest.raises(NotImplementedError, match="backward"):
        minitorch.autograd.functional.jacobian(program(minitorch).apply, x, vectorize=True)


@pytest.mark.parametrize("mode", ["reverse-mode", "forward-mode"])
def test_without_grad_mode(mode):
    def program(torch):
        functional = torch.autograd.functional
        x = torch.tensor([1.0, 2.0])
        with torch.no_grad():
            return [
                functional.jacobian(lambda a: a**3, x, vectorize=True, strategy=mode),
                functional.jacobian(lambda a: a**3, x, create_graph=True),
                functional.hessian(lambda a: (a**3).sum(), x),
                functional.vjp(lambda a: a**3, x, x, create_graph=True),
                functional.jvp(lambda a: a**3, x, x, create_graph=True),
                functional.jvp(lambda a: a**3, x, x),
                functional.vhp(lambda a: (a**3).sum(), x, x),
                functional.hvp(lambda a: (a**3).sum(), x, x, create_graph=True),
            ]

    compare(program)


@pytest.mark.parametrize("sizes", [(), (2,), (3,), (2, 3)])
def test_a_standard_basis_is_cut_between_tensors(sizes):
    def program(torch):
        tensors = (torch.ones(2), torch.ones(3, dtype=torch.float64))[: len(sizes)]
        if sizes == (3,):
            tensors += (torch.ones(1),)
        return torch.autograd.functional._construct_standard_basis_for(tensors, sizes)

    compare(program)


def test_helpers_that_packages_import():
    def program(torch):
        functional = torch.autograd.functional
        x = torch.ones(2, requires_grad=True)
        made = functional._grad_preprocess((x, x * 2), create_graph=False, need_graph=True)
        kept = functional._grad_preprocess((x,), create_graph=True, need_graph=True)
        pairs = (x * 2, x * 3), (x * 4, x * 5)
        return (
            functional._as_tuple(x, "inputs", "f"),
            functional._as_tuple((x, x), "inputs", "f"),
            functional._as_tuple_nocheck(3),
            [(m.is_leaf, m.requires_grad) for m in made],
            (kept[0] is x, kept[0].is_leaf),
            functional._grad_postprocess(pairs, create_graph=False),
            functional._grad_postprocess((x * 2,), create_graph=True)[0].requires_grad,
            functional._tuple_postprocess((x,), False),
            functional._tuple_postprocess(((x,), (x,)), (True, False)),
            functional._tuple_postprocess(((x, x),), (False, True)),
        )

    compare(program)


def test_an_argument_that_is_no_tensor_is_named():
    compare(lambda torch: torch.autograd.functional._as_tuple(3, "inputs", "f"))
    compare(lambda torch: torch.autograd.functional._as_tuple((3,), "inputs", "f"))


@like_pytorch
def test_a_forward_mode_hessian_at_tensors_that_require_grad(torch):
    x, y = torch.linspace(-1, 1, 3, requires_grad=True), torch.linspace(1, 2, 3)
    return torch.autograd.functional.hessian(
        lambda x, y: (x * x * y).sum(),
        (x, y),
        vectorize=True,
        outer_jacobian_strategy="forward-mode",
    )
