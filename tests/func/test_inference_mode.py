"""Transforms inside of inference mode, and of inference tensors."""

import pytest

from tests.both import compare


def f(x):
    return x.sin() * x


PROGRAMS = {
    "jacfwd": lambda torch, x: torch.func.jacfwd(f)(x),
    "jacrev": lambda torch, x: torch.func.jacrev(f)(x),
    "hessian": lambda torch, x: torch.func.hessian(lambda x: f(x).sum())(x),
    "jvp": lambda torch, x: torch.func.jvp(f, (x,), (torch.ones(3),)),
    "jvp of itself": lambda torch, x: torch.func.jvp(f, (x,), (x,)),
    "vmap of jvp": lambda torch, x: torch.func.vmap(
        lambda x: torch.func.jvp(f, (x,), (torch.ones(()),))
    )(x),
    "grad": lambda torch, x: torch.func.grad(lambda x: f(x).sum())(x),
    "vjp": lambda torch, x: torch.func.vjp(f, x)[1](torch.ones(3)),
    "vmap": lambda torch, x: torch.func.vmap(f)(x),
    "jacfwd of jacfwd": lambda torch, x: torch.func.jacfwd(torch.func.jacfwd(f))(x),
    "jacfwd of jacrev": lambda torch, x: torch.func.jacfwd(torch.func.jacrev(f))(x),
    "jacrev of jacfwd": lambda torch, x: torch.func.jacrev(torch.func.jacfwd(f))(x),
    "vmap of jacfwd": lambda torch, x: torch.func.vmap(torch.func.jacfwd(f))(x.expand(2, 3)),
    "matmul": lambda torch, x: torch.func.jacfwd(lambda x: x @ torch.ones(3, 2))(x),
    "in place": lambda torch, x: torch.func.jacfwd(lambda x: x.clone().mul_(2).add_(x))(x),
    "views": lambda torch, x: torch.func.jacfwd(lambda x: torch.stack([x, x]).sum(0)[1:])(x),
    "softmax": lambda torch, x: torch.func.jacfwd(lambda x: torch.softmax(x, 0))(x),
    "made inside": lambda torch, x: torch.func.jacfwd(f)(torch.ones(3)),
    "captured": lambda torch, x: torch.func.jacfwd(lambda y: y * x)(torch.ones(3)),
    "captured, reverse": lambda torch, x: torch.func.jacrev(lambda y: y * x)(torch.ones(3)),
    "detached": lambda torch, x: torch.func.jvp(lambda x: (x * 2).detach(), (x,), (torch.ones(3),)),
    "functional_call": lambda torch, x: torch.func.jacfwd(
        lambda w: torch.func.functional_call(torch.nn.Linear(3, 1, bias=False), {"weight": w}, (x,))
    )(torch.ones(1, 3)),
    "conv1d": lambda torch, x: torch.func.jacfwd(
        lambda w: torch.nn.functional.conv1d(x.view(1, 1, 3), w)
    )(torch.ones(1, 1, 2)),
    "is_inference": lambda torch, x: [
        t.is_inference() for t in torch.func.jvp(f, (x,), (torch.ones(3),))
    ],
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_transforms_in_inference_mode(name):
    def program(torch):
        x = torch.tensor([1.0, 2.0, 3.0])
        with torch.inference_mode():
            result = PROGRAMS[name](torch, x)
        return list(result) if isinstance(result, tuple) else result

    compare(program)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("inside", [False, True])
def test_transforms_of_inference_tensors(inside, name):
    def program(torch):
        with torch.inference_mode():
            x = torch.ones(3) * 2
        with torch.inference_mode(inside):
            result = PROGRAMS[name](torch, x)
        return list(result) if isinstance(result, tuple) else result

    compare(program)


VIEWS = {
    "squeeze": lambda x: x.squeeze(),
    "view": lambda x: x.view(4),
    "view_as": lambda x: x.view_as(x),
    "select": lambda x: x[0],
    "t": lambda x: x.t(),
    "unbind": lambda x: x.unbind()[0],
    "chunk": lambda x: x.chunk(2)[1],
    "detach": lambda x: x.detach(),
    "a product": lambda x: x * 2,
    "a view of a view": lambda x: x.t()[1],
}


@pytest.mark.parametrize("view", VIEWS)
def test_views_made_in_inference_mode_keep_their_tangents(view):
    def program(torch):
        x = torch.arange(4, dtype=torch.float64).reshape(2, 2)

        def function(x):
            with torch.inference_mode():
                y = VIEWS[view](x)
            return y * 3

        with torch.autograd.forward_ad.dual_level():
            y = function(torch.autograd.forward_ad.make_dual(x, x.cos()))
            tangent = torch.autograd.forward_ad.unpack_dual(y).tangent
        jacobian = torch.autograd.functional.jacobian
        return tangent, jacobian(function, x, vectorize=True, strategy="forward-mode")

    compare(program)
