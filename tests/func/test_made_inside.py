"""Programs inside of transforms that make tensors, fill them and write to parts of them."""

import pytest

from tests.both import compare, like_pytorch


def filled(torch, x):
    out = torch.empty(2, 3)
    out[0] = x
    out[1] = x * 2
    out.add_(1)
    return (out**2).sum()


def scattered(torch, x):
    z = torch.zeros(5)
    z[torch.tensor([0, 2])] = x[torch.tensor([0, 2])]
    z[1:3] += x[:2]
    total = torch.zeros(())
    for k in range(3):
        total += (z[k] * x[k]) ** 2
    return total


def stepped(torch, x):
    w = torch.zeros(3)
    for _ in range(2):
        w = w - 0.1 * torch.func.grad(lambda w: ((w - x) ** 2).sum())(w)
    return (w * x).sum()


@pytest.mark.parametrize("program", [filled, scattered, stepped])
@pytest.mark.parametrize("transform", ["grad", "jacrev", "jacfwd", "hessian", "batched"])
def test_what_is_made_inside(program, transform):
    def run(torch):
        x = torch.tensor([1.0, 2.0, -1.0])
        func = torch.func
        if transform == "batched":
            return func.vmap(func.grad(lambda x: program(torch, x)))(torch.stack([x, x * 2]))
        return getattr(func, transform)(lambda x: program(torch, x))(x)

    compare(run, 1e-5)


@pytest.mark.parametrize("save", ["save_for_backward", "save_for_forward"])
@pytest.mark.parametrize("how", ["plain", "without grad", "grad"])
def test_an_input_that_is_returned_is_not_saved(save, how):
    def program(torch):
        class Same(torch.autograd.Function):
            @staticmethod
            def forward(x):
                return x

            @staticmethod
            def setup_context(ctx, inputs, output):
                getattr(ctx, save)(inputs[0])

            @staticmethod
            def backward(ctx, grad):
                return grad

        x = torch.ones(2, requires_grad=how == "plain")
        if how == "grad":
            return torch.func.grad(lambda x: Same.apply(x).sum())(x)
        return Same.apply(x)

    compare(program)


@like_pytorch
def test_duals_of_duals(torch):
    fwAD = torch.autograd.forward_ad
    texts = []
    with fwAD.dual_level():
        dual = fwAD.make_dual(torch.ones(2), torch.ones(2))
        for call in (lambda: fwAD.make_dual(torch.ones(2), dual), lambda: fwAD.unpack_dual(2)):
            try:
                call()
            except Exception as error:
                texts.append([type(error).__name__, str(error)])
    return texts


@like_pytorch
def test_parameters_of_classes_of_their_own(torch):
    class Own(torch.Tensor):
        pass

    made = torch.nn.Parameter(torch.ones(2).as_subclass(Own))
    with torch.device("cpu"):
        there = torch.ones(2).device.type
    return [type(made).__name__, isinstance(made, torch.nn.Parameter), made.requires_grad, there]


@like_pytorch
def test_a_contiguous_sample(torch):
    x = torch.arange(18.0).view(3, 3, 2)
    return [
        torch.vmap(lambda a: a.contiguous().view(9), in_dims=2)(x),
        torch.vmap(lambda a: a.t().contiguous(), in_dims=2)(x),
        torch.vmap(lambda a: a.clone(memory_format=torch.contiguous_format), in_dims=2)(x),
    ]


LIKE = {
    "new_zeros": lambda torch, t: t.new_zeros(3, 2),
    "zeros_like": lambda torch, t: torch.zeros_like(t),
    "empty_like": lambda torch, t: torch.empty_like(t),
    "clone": lambda torch, t: t.clone(),
}


@pytest.mark.parametrize("make", LIKE)
def test_what_is_made_like_a_sample_is_of_every_level_further_in(make):
    def program(torch):
        func = torch.func
        samples = []

        def f(x):
            z = LIKE[make](torch, samples[-1])
            z.fill_(1)
            z.diagonal().mul_(2)
            z[0].copy_(z[0] + x)
            return z.sum() + x.sum()

        def over_samples(f):
            def g(x):
                def h(sample):
                    samples.append(sample)
                    try:
                        return f(x)
                    finally:
                        samples.pop()

                return func.vmap(h)(torch.ones(3, 3, 2)).sum()

            return g

        wrappers = {
            "jvp": lambda f: lambda x: func.jvp(f, (x,), (x,))[1],
            "grad": lambda f: func.grad(lambda x: f(x).sum()),
            "vmap": lambda f: lambda x: func.vmap(f)(x.expand(2, 2)).sum(),
        }
        found = []
        for inner in wrappers.values():
            for outer in wrappers.values():
                for g in (inner(outer(over_samples(f))), inner(over_samples(outer(f)))):
                    found.append(g(torch.ones(2)))
        return found

    compare(program)


@like_pytorch
def test_a_jacobian_of_a_constant_of_several_levels(torch):
    func, x, y = torch.func, torch.ones(2), torch.ones(2, 3)

    def hessian(x):
        return func.jacfwd(func.jacrev(lambda x, y: y))(x, y)

    return func.jvp(hessian, (x,), (x,))
