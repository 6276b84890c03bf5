"""`jvp`, `linearize`: values, structures and errors, as PyTorch's."""

import pytest

from tests.both import compare, like_pytorch
from tests.func.inputs import numbers


@like_pytorch
def test_jvp(torch):
    x, y = numbers(torch, 3), numbers(torch, 2, 3)

    def f(x, y):
        return {"p": x * y.sin(), "q": [x.sum(), y.detach()]}

    return torch.func.jvp(f, (x, y), (y[0], y + 1)), torch.func.jvp(torch.exp, (x,), (x,))


@like_pytorch
def test_aux_has_no_tangent(torch):
    x = numbers(torch, 3)
    return torch.func.jvp(lambda x: (x * x, {"a": x * 2}), (x,), (x,), has_aux=True)


@like_pytorch
def test_trees(torch):
    x = ({"a": numbers(torch, 2)}, [numbers(torch, 2), numbers(torch, 2)])
    return torch.func.jvp(lambda d, s: (d["a"] * s[0], s[1].exp()), x, x)


@like_pytorch
def test_outputs_that_do_not_depend(torch):
    x = numbers(torch, 3)
    return torch.func.jvp(lambda x: (torch.ones(2), x.long(), x), (x,), (x,))


@like_pytorch
def test_complex(torch):
    x = torch.complex(numbers(torch, 3), numbers(torch, 3).cos())
    return torch.func.jvp(lambda x: x * x.conj(), (x,), (x * 1j,))


@like_pytorch
def test_in_place(torch):
    x = numbers(torch, 3)

    def f(x):
        y = x.clone()
        y[1:].mul_(x[1:])
        return y.sin_()

    return torch.func.jvp(f, (x,), (torch.ones(3),))


@like_pytorch
def test_nested_jvp(torch):
    x, v = numbers(torch, 3), torch.tensor([1.0, 0.5, 2.0])
    jvp = torch.func.jvp

    def first(x):
        return jvp(lambda y: y**3 * x, (x,), (v,))[1]

    def second(x):
        return jvp(first, (x,), (v,))[1]

    return jvp(first, (x,), (v,)), jvp(second, (x,), (v,))


@like_pytorch
def test_no_confusion_of_perturbations(torch):
    one = torch.tensor(1.0)

    def outer(x):
        return x * torch.func.jvp(lambda y: x + y, (one,), (one,))[1]

    return torch.func.jvp(outer, (one,), (one,))


@like_pytorch
def test_jvp_with_history_outside(torch):
    w = numbers(torch, 3).requires_grad_()
    y, t = torch.func.jvp(lambda x: x**3 * w, (numbers(torch, 3),), (w,))
    return torch.autograd.grad(t.sum(), w), torch.autograd.grad(y.sum(), w), y.detach(), t.detach()


@like_pytorch
def test_no_grad_does_not_stop_forward_mode(torch):
    x = numbers(torch, 3)
    with torch.no_grad():
        outside = torch.func.jvp(torch.exp, (x,), (x,))

    def f(x):
        with torch.no_grad():
            return x * x

    return outside, torch.func.jvp(f, (x,), (x,))


@like_pytorch
def test_linearize(torch):
    x, y = numbers(torch, 3), numbers(torch, 2, 3)
    calls = []

    def f(x, tree):
        calls.append(1)
        return {"p": x * tree["y"].sin(), "n": [x.sum().floor() * 2, x.exp()]}

    out, jvp_fn = torch.func.linearize(f, x, {"y": y})
    before = len(calls)
    results = [jvp_fn(x, {"y": y}), jvp_fn(x * 2, {"y": torch.zeros(2, 3)})]
    assert len(calls) == before
    return out, results


@like_pytorch
def test_linearize_composes(torch):
    x = numbers(torch, 3)

    def f(x):
        _, jvp_fn = torch.func.linearize(lambda x: x.sin() * x, x + 1)
        return jvp_fn(x).sum()

    return f(x)


ERRORS = {
    "no tuple": lambda torch, f, x: f.jvp(torch.sin, x, (x,)),
    "list": lambda torch, f, x: f.jvp(torch.sin, [x], [x]),
    "structure": lambda torch, f, x: f.jvp(torch.sin, (x,), x),
    "length": lambda torch, f, x: f.jvp(torch.sin, (x,), (x, x)),
    "empty": lambda torch, f, x: f.jvp(lambda: x, (), ()),
    "no tensor": lambda torch, f, x: f.jvp(torch.sin, (1.0,), (x,)),
    "no tensor tangent": lambda torch, f, x: f.jvp(torch.sin, (x,), (1.0,)),
    "shape": lambda torch, f, x: f.jvp(torch.sin, (x,), (torch.ones(2),)),
    "integers": lambda torch, f, x: f.jvp(torch.sin, (x.long(),), (x,)),
    "integer tangent": lambda torch, f, x: f.jvp(torch.sin, (x,), (x.long(),)),
    "returns None": lambda torch, f, x: f.jvp(lambda x: None, (x,), (x,)),
    "returns nothing": lambda torch, f, x: f.jvp(lambda x: [], (x,), (x,)),
    "returns a float": lambda torch, f, x: f.jvp(lambda x: (x, 1.0), (x,), (x,)),
    "aux": lambda torch, f, x: f.jvp(lambda x: x, (x,), (x,), has_aux=True),
    "aux no tensor": lambda torch, f, x: f.jvp(lambda x: (x, "a"), (x,), (x,), has_aux=True),
    "strict": lambda torch, f, x: f.jvp(lambda x: torch.ones(2), (x,), (x,), strict=True),
    "linearize structure": lambda torch, f, x: f.linearize(torch.sin, x)[1]((x,)),
    "linearize count": lambda torch, f, x: f.linearize(torch.sin, x)[1](x, x),
    "linearize shape": lambda torch, f, x: f.linearize(torch.sin, x)[1](torch.ones(2)),
    "linearize dtype": lambda torch, f, x: f.linearize(torch.sin, x)[1](x.double()),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors(case):
    compare(lambda torch: ERRORS[case](torch, torch.func, numbers(torch, 3)))


@like_pytorch
def test_inside_dual_level(torch):
    x = numbers(torch, 3)
    with torch.autograd.forward_ad.dual_level():
        return torch.func.jvp(torch.sin, (x,), (x,))


@like_pytorch
def test_dual_level_inside(torch):
    def f(x):
        with torch.autograd.forward_ad.dual_level():
            return x * 2

    x = numbers(torch, 3)
    return torch.func.jvp(f, (x,), (x,))


def test_linearized_functions_compose():
    import minitorch as torch

    x = numbers(torch, 3)
    _, jvp_fn = torch.func.linearize(torch.exp, x)
    assert torch.equal(torch.func.vmap(jvp_fn)(torch.eye(3)), x.exp().diag())
    assert torch.equal(torch.func.grad(lambda v: jvp_fn(v).sum())(x), x.exp())
    batch = torch.func.vmap(lambda x: torch.func.linearize(torch.exp, x)[1](x))(torch.ones(2, 3))
    assert torch.equal(batch, torch.ones(2, 3).exp())


@pytest.mark.parametrize("keepdim", [True, False])
@pytest.mark.parametrize("size", [1.0, 1e20, 1e-30])
def test_the_tangent_of_a_sum_of_exponentials_that_are_large(size, keepdim):
    def program(torch):
        x = torch.tensor([[1.0, 1.0, 1.0], [2.0, 1.0, -1.0]]) * size
        tangent = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        return torch.func.jvp(lambda x: x.logsumexp(1, keepdim), (x,), (tangent,))

    compare(program)


def test_the_tangent_of_a_sum_of_no_exponentials():
    def program(torch):
        return torch.func.jvp(lambda x: x.logsumexp(0), (torch.ones(2, 0),), (torch.ones(2, 0),))

    compare(program)


@like_pytorch
def test_linearize_at_a_logarithm_that_is_none(torch):
    x = torch.tensor([-1.0, 2.0, 0.5])
    value, jvp_fn = torch.func.linearize(lambda x: torch.xlogy(x, x), x)
    return value, jvp_fn(x)


@pytest.mark.parametrize(
    "call",
    [
        lambda torch, x: torch.logical_not(torch.ones(3), out=x),
        lambda torch, x: torch.logical_and(x, x, out=torch.ones(3)),
        lambda torch, x: torch.eq(x, torch.ones(3), out=torch.ones(3)),
        lambda torch, x: torch.lt(x, 2, out=torch.ones(3)),
        lambda torch, x: torch.signbit(x, out=torch.ones(3, dtype=torch.bool)),
        lambda torch, x: torch.argmax(x, out=torch.zeros((), dtype=torch.int64)),
        lambda torch, x: torch.argmin(x, 0, out=torch.zeros((), dtype=torch.int64)),
        lambda torch, x: torch.histc(x, 3, out=torch.ones(3)),
        lambda torch, x: torch.bucketize(x, x, out=torch.ones(3, dtype=torch.int64)),
        lambda torch, x: torch.searchsorted(x, x, out=torch.ones(3, dtype=torch.int64)),
        lambda torch, x: torch.bitwise_not(torch.arange(3), out=x),
        lambda torch, x: torch.gcd(torch.arange(3), torch.arange(3), out=x),
        lambda torch, x: torch.special.bessel_j0(x, out=torch.ones(3)),
        lambda torch, x: torch.special.bessel_j0(torch.ones(3), out=x),
        lambda torch, x: torch.special.hermite_polynomial_h(x, 2, out=torch.ones(3)),
    ],
)
def test_a_result_that_is_written_to_has_no_tangent(call):
    def program(torch):
        x = torch.ones(3)
        return torch.func.jvp(lambda x: call(torch, x), (x,), (x,))

    compare(program)


def _jacobian_in_inference_mode(torch, x, v):
    return torch.func.jacfwd(torch.sin)(x)


def _hessian_in_inference_mode(torch, x, v):
    return torch.func.hessian(lambda x: (x.sin() * x).sum())(x)


def _nested_in_inference_mode(torch, x, v):
    return torch.func.jvp(lambda x: torch.func.jvp(torch.sin, (x,), (v,))[1], (x,), (v,))


def _gradient_of_jvp_in_inference_mode(torch, x, v):
    return torch.func.grad(lambda x: torch.func.jvp(lambda x: x.sin().sum(), (x,), (v,))[1])(x)


def _batch_of_tangents_in_inference_mode(torch, x, v):
    return torch.vmap(lambda v: torch.func.jvp(torch.sin, (x,), (v,))[1])(torch.eye(3))


def _batch_of_primals_in_inference_mode(torch, x, v):
    return torch.vmap(lambda x, v: torch.func.jvp(torch.mul, (x, v), (v, x)))(x, v)


def _in_place_in_inference_mode(torch, x, v):
    return torch.func.jvp(lambda x: x.clone().mul_(2).exp(), (x,), (v,))


@pytest.mark.parametrize("made_inside", [False, True])
@pytest.mark.parametrize(
    "transform",
    [
        _jacobian_in_inference_mode,
        _hessian_in_inference_mode,
        _nested_in_inference_mode,
        _gradient_of_jvp_in_inference_mode,
        _batch_of_tangents_in_inference_mode,
        _batch_of_primals_in_inference_mode,
        _in_place_in_inference_mode,
    ],
)
def test_forward_mode_inside_inference_mode(transform, made_inside):
    def program(torch):
        x, v = numbers(torch, 3), numbers(torch, 3) + 1
        with torch.inference_mode():
            result = transform(torch, x.clone() if made_inside else x, v)
        leaves = torch.utils._pytree.tree_leaves(result)
        return result, [t.is_inference() for t in leaves], [t.requires_grad for t in leaves]

    compare(program)


@like_pytorch
def test_linearize_needs_a_forward_formula(torch):
    class OnlyBackward(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x.exp()

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(output)

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.saved_tensors[0]

    return torch.func.linearize(OnlyBackward.apply, torch.ones(2))[0]
