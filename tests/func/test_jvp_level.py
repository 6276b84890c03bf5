"""What a function sees inside of `jvp`: tensors of a level of its own, as inside of `grad`."""

import numpy as np
import pytest

import minitorch
from tests.both import compare, like_pytorch, real, same
from tests.func.inputs import numbers


@like_pytorch
def test_tensors_are_of_a_level(torch):
    x = numbers(torch, 3).requires_grad_()
    seen = []

    def f(x):
        y = x * 2
        seen.extend([x.requires_grad, x.is_leaf, x.grad_fn is None, y.requires_grad, repr(y)])
        seen.append(repr(torch.zeros(2)))
        return y

    torch.func.jvp(f, (x,), (torch.ones(3),))
    return seen


@pytest.mark.parametrize("transform", ["jvp", "grad"])
@pytest.mark.parametrize(
    "call", ["data_ptr", "numpy", "untyped_storage", "requires_grad_", "retain_grad", "tolist"]
)
def test_what_is_refused(call, transform):
    def program(torch):
        def f(x):
            return (getattr(x.detach(), call)() is not None) * x.sum()

        x = torch.ones(3)
        return torch.func.jvp(f, (x,), (x,)) if transform == "jvp" else torch.func.grad(f)(x)

    compare(program)


WRITES = {
    "captured": lambda torch, held, x: held.add_(x),
    "view": lambda torch, held, x: held[:2].zero_() + x[:2],
    "by all samples": lambda torch, held, x: torch.vmap(lambda t: t.sin_())(held) + x,
    "inside a batch": lambda torch, held, x: torch.vmap(lambda t: held.add_(1) + t)(x),
    "made inside": lambda torch, held, x: torch.vmap(lambda t: torch.zeros(()).add_(t))(x),
    "out of a batch": lambda torch, held, x: torch.vmap(lambda t: (held * 1).add_(1) * t)(x),
}


@pytest.mark.parametrize("transform", ["jvp", "jacfwd", "hessian", "grad"])
@pytest.mark.parametrize("write", WRITES)
def test_writes(write, transform):
    def program(torch):
        held, x = torch.zeros(3), numbers(torch, 3)
        func = torch.func

        def f(x):
            return WRITES[write](torch, held, x)

        if transform == "jvp":
            return func.jvp(f, (x,), (torch.ones(3),))
        if transform == "jacfwd":
            return func.jacfwd(f)(x)
        return getattr(func, transform)(lambda x: f(x).sum())(x)

    compare(program)


@like_pytorch
def test_forward_mode_that_is_off_outside(torch):
    x, v = numbers(torch, 3), torch.ones(3)

    def inner(x):
        with torch.autograd.forward_ad._set_fwd_grad_enabled(False):
            return torch.func.jvp(torch.sin, (x,), (v,))

    return torch.func.jvp(inner, (x,), (v,))


FUNCTIONS = {
    "by a number": lambda x, c: x * 2,
    "by a constant": lambda x, c: x * c,
    "of a number": lambda x, c: 2 / x,
    "over a constant": lambda x, c: x / c,
    "sum": lambda x, c: x + c,
    "sine": lambda x, c: x.sin(),
    "power": lambda x, c: x**c,
    "angle": lambda x, c: x.atan2(c),
    "remainder of a number": lambda x, c: x % 2,
    "remainder": lambda x, c: x % c,
    "remainder of bools": lambda x, c: x.fmod(c > 0).detach() + x,
    "sum of products": lambda x, c: (x * c).sum() * 2,
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_which_tangents_have_a_history(function):
    """A product with a constant reads what its tangent is multiplied by, which may require grad."""

    def program(torch):
        x = (numbers(torch, 3).abs() + 0.5).requires_grad_()
        c = torch.tensor([0.5, 1.5, 2.0])
        func = torch.func

        def f(x):
            return FUNCTIONS[function](x, c)

        value, tangent = func.jvp(f, (x,), (torch.ones(3),))
        found = [value, tangent, tangent.requires_grad]
        hessian = func.hessian(lambda x: f(x).sum())(x)
        if tangent.requires_grad:
            found += torch.autograd.grad(tangent.sum(), x)
        return [*found, hessian, hessian.requires_grad]

    compare(program, tolerance=1e-5)


@pytest.mark.parametrize("inner", ["jvp", "vjp", "jacfwd", "jacrev"])
@pytest.mark.parametrize(
    "function",
    [lambda x: x**x, lambda x: x / x.sin(), lambda x: x.logsumexp(0) * x, lambda x: x.cumprod(0)],
)
def test_transforms_inside_of_a_dual_level(function, inner):
    """What is left of the inner level when the tangents further out are read."""

    def program(torch):
        x, v = numbers(torch, 3).abs() + 0.5, torch.tensor([1.0, 2.0, 0.5])
        fw, func = torch.autograd.forward_ad, torch.func

        def derivative(x):
            if inner == "vjp":
                value, back = func.vjp(function, x)
                return back(value.cos())[0]
            if inner == "jvp":
                return func.jvp(function, (x,), (v,))[1]
            return getattr(func, inner)(function)(x)

        with fw.dual_level():
            dual = fw.make_dual(x, v)
            return fw.unpack_dual(derivative(dual)).tangent

    compare(program, tolerance=1e-4)


LAYOUTS = {
    "matrix_exp": lambda torch, x: torch.linalg.matrix_exp(x),
    "transposed": lambda torch, x: x.T * 2,
    "product": lambda torch, x: x.T @ x,
    "where": lambda torch, x: torch.where(x.T > 0, x, 0),
    "permuted": lambda torch, x: (x[None] + x[:, None]).permute(2, 0, 1).exp(),
    "inverse": lambda torch, x: torch.linalg.inv(x),
    "solve": lambda torch, x: torch.linalg.solve(x, x[:, :1]),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_tangent_lies_in_memory_as_its_primal_does(layout):
    def program(torch):
        fw = torch.autograd.forward_ad
        x = numbers(torch, 3, 3) + torch.eye(3) * 2
        with fw.dual_level():
            y = LAYOUTS[layout](torch, fw.make_dual(x, x.cos().T))
            primal, tangent = fw.unpack_dual(y)
            return [primal.stride(), tangent.stride(), tangent]

    compare(program, tolerance=1e-4)


@like_pytorch
def test_a_function_further_out_than_the_level(torch):
    """Its tangents are those of the level that its argument is of."""

    class Cube(torch.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x):
            return x**3

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx, grad):
            return 3 * ctx.saved_tensors[0] ** 2 * grad

        @staticmethod
        def jvp(ctx, tangent):
            return 3 * ctx.saved_tensors[0] ** 2 * tangent

    x, v = numbers(torch, 3), torch.tensor([1.0, 0.5, 2.0])
    func, fw = torch.func, torch.autograd.forward_ad
    with fw.dual_level():
        dual = fw.make_dual(x, v)
        captured = func.grad(lambda y: (Cube.apply(dual) * y).sum())(x)
        found = list(fw.unpack_dual(captured))
    return found, func.jvp(Cube.apply, (x,), (v,)), func.vmap(func.jacfwd(Cube.apply))(x)


@pytest.mark.parametrize("transform", ["grad", "jvp"])
def test_the_state_of_a_generator_is_of_no_level(transform):
    """Chunks with the same randomness save and restore it."""

    def program(torch):
        def f(x):
            return torch.vmap(lambda t: t * 2, randomness="same", chunk_size=2)(x).sum()

        x = torch.ones(3)
        return torch.func.jvp(f, (x,), (x,)) if transform == "jvp" else torch.func.grad(f)(x)

    compare(program)


def test_nested_samples_that_are_drawn_each_for_itself():
    def program(torch):
        x = torch.ones(2, 2, 3, 2, 2)

        def f(t):
            return torch.nn.functional.dropout(t, 0.5)

        inner = torch.vmap(f, in_dims=3, randomness="different")
        return torch.vmap(inner, randomness="different")(x).shape

    compare(program)


SAVING = {
    "an input": lambda torch, x: x.sin(),
    "an output": lambda torch, x: x.exp(),
    "in place": lambda torch, x: x.clone().sin_(),
    "in place, by another": lambda torch, x: (x * 2).mul_(x),
    "in place, a view": lambda torch, x: x.clone()[1:].exp_(),
    "a list": lambda torch, x: torch.stack([x, x * x]),
}


@pytest.mark.parametrize("how", ["hooks", "copying hooks", "checkpoint"])
@pytest.mark.parametrize("case", SAVING)
def test_what_a_hook_had_of_a_dual_tensor_is_dual(case, how):
    def program(torch):
        forward_ad, graph = torch.autograd.forward_ad, torch.autograd.graph
        checkpoint = __import__(f"{torch.__name__}.utils.checkpoint", fromlist="_").checkpoint

        def apply(x):
            return SAVING[case](torch, x)

        def hooked(x):
            with graph.saved_tensors_hooks(
                torch.clone if how == "copying hooks" else torch.detach, lambda t: t
            ):
                return apply(x)

        x = numbers(torch, 3)
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(x.requires_grad_(), x.detach().cos())
            y = (
                checkpoint(apply, dual, use_reentrant=False)
                if how == "checkpoint"
                else hooked(dual)
            )
            (grad,) = torch.autograd.grad((y * y).sum(), dual, create_graph=True)
            return [t.detach() for t in forward_ad.unpack_dual(grad)]

    compare(program, 1e-5)


def test_views_follow_a_base_with_gaps_between_its_elements():
    def program(torch):
        forward_ad = torch.autograd.forward_ad
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(torch.ones(3), numbers(torch, 3))
            base = torch.from_numpy(np.zeros(6, dtype="float32")[::2])
            views = base[1:], base.view(3)
            base.copy_(dual)
            return [forward_ad.unpack_dual(t).tangent for t in (base, *views)]

    compare(program)


@pytest.mark.parametrize("in_dims", [0, -1])
def test_what_is_filled_in_a_batch_follows_its_tangent(in_dims):
    def program(torch):
        def f(x):
            made = torch.zeros_like(x).copy_(x)
            return (made * made * x).sum()

        x = numbers(torch, 3, 3)
        return torch.vmap(torch.func.hessian(f), in_dims=in_dims)(x).contiguous()

    compare(program)


@pytest.mark.parametrize("dtype", ["bool", "int64"])
def test_a_write_to_what_has_no_derivative_gives_no_tangent(dtype):
    def program(torch):
        def f(x):
            return torch.ones(3, dtype=getattr(torch, dtype)).copy_(x)

        x = numbers(torch, 3)
        return torch.func.jvp(f, (x,), (x,))

    compare(program)


# what is written to a sample, whose tangent may be that of all samples
WRITES_TO_SAMPLES = {
    "mul": lambda torch, x: x.clone().mul_(x),
    "zero": lambda torch, x: x.clone().zero_(),
    "clamp": lambda torch, x: (x * 3 + 1).clamp_min_(0),
    "copy": lambda torch, x: x.clone().copy_(x.sin()),
    "the sample": lambda torch, x: x.exp_(),
    "margin": lambda torch, x: torch.nn.functional.margin_ranking_loss(x, x * x, torch.ones(3)),
}


def samples(torch, dim):
    return (torch.arange(6.0).view(2, 3) / 3 - 0.7).movedim(0, dim).contiguous()


@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("write", WRITES_TO_SAMPLES)
def test_a_tangent_of_all_samples_has_a_place_for_each(write, dim):
    def program(torch, of_all):
        def f(x, t):
            value, tangent = torch.func.jvp(
                lambda x: WRITES_TO_SAMPLES[write](torch, x), (x,), (t,)
            )
            return value * 1, tangent * 1

        t = torch.tensor([1.0, 2.0, 3.0])
        if not of_all:
            return torch.vmap(f, (dim, 0))(samples(torch, dim), t.repeat(2, 1))
        return torch.vmap(f, (dim, None))(samples(torch, dim), t)

    # PyTorch refuses some of these writes where the tangent is that of all samples
    same(program(minitorch, True), program(real, False), 1e-6)


@like_pytorch
def test_a_tangent_of_all_samples_lies_in_memory_as_they_do(torch):
    def f(x, t):
        return torch.func.jvp(lambda x: x.as_strided((2,), (1,)), (x,), (t,))

    return torch.vmap(f, (1, None))(samples(torch, 1), torch.tensor([1.0, 2.0, 3.0]))


@like_pytorch
def test_a_tangent_of_all_samples_at_two_levels(torch):
    def f(x, t):
        return torch.func.jvp(lambda x: (x * x).mul_(x), (x,), (t,))

    x = torch.arange(12.0).view(2, 2, 3)
    return torch.vmap(torch.vmap(f, (0, None)), (0, None))(x, torch.ones(3))


TANGENTS = {
    "polygamma_": lambda torch, x: x.clone().polygamma_(1),
    "special.polygamma": lambda torch, x: torch.special.polygamma(2, x),
    "as_strided_copy": lambda torch, x: torch.as_strided_copy(x, (2, 2), (1, 1)),
    "masked_fill of a number": lambda torch, x: x.masked_fill(x > 2, 5.0),
    "masked_fill of an element": lambda torch, x: x.masked_fill(x > 2, x.sum()),
    "masked_fill of another dtype": lambda torch, x: x.masked_fill(x > 2, x.sum().double()),
    "masked_fill of a constant": lambda torch, x: torch.ones(3).masked_fill(x > 2, x[0]),
    "masked_fill_": lambda torch, x: x.clone().masked_fill_(x > 2, x.sum()),
}


@pytest.mark.parametrize("case", TANGENTS)
def test_tangents_of_rare_operators(case):
    def program(torch):
        x = torch.tensor([1.0, 2.5, 4.0])
        return torch.func.jvp(lambda x: TANGENTS[case](torch, x), (x,), (x * x,))

    compare(program, tolerance=1e-5)


@like_pytorch
def test_the_tangent_of_a_strided_copy_of_samples_side_by_side(torch):
    x = torch.arange(6.0).view(3, 2)

    def f(x, t):
        return torch.func.jvp(lambda x: torch.as_strided_copy(x, (2,), (1,)), (x,), (t,))

    return [t.tolist() for t in torch.vmap(f, (1, 1))(x, x * x)]


NESTED = {
    "grad": lambda torch, f: torch.func.grad(lambda x: f(x).sum()),
    "jvp": lambda torch, f: lambda x: torch.func.jvp(f, (x,), (torch.ones(3),))[0],
    "vmap": lambda torch, f: lambda x: torch.func.vmap(f)(x.expand(2, 3)),
}


@pytest.mark.parametrize("inner", NESTED)
@pytest.mark.parametrize("outer", NESTED)
@pytest.mark.parametrize("looked_at", ["captured", "computed", "made"])
def test_what_inner_transforms_see_of_a_dual_tensor(outer, inner, looked_at):
    def program(torch):
        forward_ad = torch.autograd.forward_ad
        seen = []

        def look(x):
            if looked_at == "captured":
                t = dual
            elif looked_at == "computed":
                t = x * dual
            else:
                t = forward_ad.make_dual(x.detach(), torch.ones(3))
            primal, tangent = forward_ad.unpack_dual(t)
            seen.append(torch.tensor(tangent is None))
            return x * primal

        with forward_ad.dual_level():
            dual = forward_ad.make_dual(torch.ones(3), numbers(torch, 3))
            result = NESTED[outer](torch, NESTED[inner](torch, look))(numbers(torch, 3))
            return [*seen, *forward_ad.unpack_dual(result)]

    compare(program)


@pytest.mark.parametrize(
    "batch",
    [
        lambda torch: numbers(torch, 3).expand(2, 3),
        lambda torch: numbers(torch, 6)[:3].expand(2, 3),
        lambda torch: numbers(torch, 5).unfold(0, 3, 1),
        lambda torch: numbers(torch, 3).expand(4, 2, 3),
        lambda torch: numbers(torch, 2, 1, 3).expand(2, 4, 3),
        lambda torch: numbers(torch, 4, 3).expand(2, 4, 3),
    ],
)
def test_one_tangent_for_samples_that_share_memory(batch):
    def program(torch):
        def pushed(x):
            tangent = torch.tensor([1.0, 2.0, 3.0])
            return torch.func.jvp(lambda x: (x.clone(), x * x), (x,), (tangent,))[1]

        x = batch(torch)
        for _ in x.shape[1:]:
            pushed = torch.func.vmap(pushed)
        return [t.contiguous() for t in pushed(x)]

    compare(program)


@pytest.mark.parametrize(
    "primal",
    [
        lambda torch: numbers(torch, 3, 2)[:, 0],
        lambda torch: numbers(torch, 8)[2:5],
        lambda torch: numbers(torch, 3).expand(2, 3),
        lambda torch: numbers(torch, 1).expand(3),
        lambda torch: numbers(torch, 2, 3).t(),
    ],
)
@pytest.mark.parametrize("transform", ["jvp", "jacfwd", "grad", "vmap"])
def test_a_view_of_what_lies_beside_the_primal_has_no_tangent_there(primal, transform):
    def program(torch):
        def f(x):
            beside = x.as_strided((2,), (1,), x.storage_offset())
            return (beside * beside).sum() * x

        def pushed(x):
            return torch.func.jvp(f, (x,), (x.cos(),))[1].sum()

        x = primal(torch)
        if transform == "jacfwd" and x.is_contiguous():
            x = torch.stack([x, x], -1)[..., 0]
        if transform == "jvp":
            return pushed(x)
        if transform == "jacfwd":
            return torch.func.jacfwd(f)(x)
        if transform == "grad":
            return torch.func.grad(pushed)(x)
        return torch.func.vmap(lambda y: pushed(x) * y)(numbers(torch, 2))

    compare(program)
