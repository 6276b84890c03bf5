"""`autograd.Function` under transforms."""

import itertools

import pytest

from tests.both import compare, like_pytorch
from tests.func.inputs import numbers


def cube(torch, rule="generated"):
    """x -> x**3 with the square saved; how it is batched, `rule` says."""

    class Cube(torch.autograd.Function):
        generate_vmap_rule = rule == "generated"

        @staticmethod
        def forward(x):
            assert not torch._C._functorch.is_functorch_wrapped_tensor(x) or rule == "generated"
            return x**3, x**2

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0], output[1])
            ctx.save_for_forward(inputs[0], output[1])
            ctx.factor = 3

        @staticmethod
        def backward(ctx, grad, grad_of_square):
            x, square = ctx.saved_tensors
            return grad * square * ctx.factor + grad_of_square * 2 * x

        @staticmethod
        def jvp(ctx, tangent):
            x, square = ctx.saved_tensors
            return tangent * square * ctx.factor, tangent * 2 * x

    if torch.__name__ == "torch":
        # the same without a Function: in PyTorch, jvp of jvp of a Function that saves an output is 0
        return lambda x: x**3
    if rule == "written":

        class CubeWithRule(Cube):
            @staticmethod
            def vmap(info, in_dims, x):
                assert info._fields == ("batch_size", "randomness")
                assert info.batch_size == x.shape[in_dims[0]]
                return CubeWithRule.apply(x), in_dims[0]

        CubeWithRule.__name__ = "Cube"
        return lambda x: CubeWithRule.apply(x)[0]
    return lambda x: Cube.apply(x)[0]


def _derivative(torch, kind):
    func = torch.func
    return {
        "grad": lambda f: func.grad(f),
        "jvp": lambda f: lambda x: func.jvp(f, (x,), (torch.ones_like(x),))[1],
        "vmap": lambda f: lambda x: func.vmap(f)(torch.stack([x, x * 2])).sum(),
        "jacrev": lambda f: func.jacrev(f),
        "jacfwd": lambda f: func.jacfwd(f),
    }[kind]


KINDS = ["grad", "jvp", "vmap", "jacrev", "jacfwd"]


@pytest.mark.parametrize("rule", ["generated", "written"])
@pytest.mark.parametrize("kinds", [(k,) for k in KINDS] + list(itertools.product(KINDS, KINDS)))
def test_under_transforms(kinds, rule):
    def program(torch):
        f = cube(torch, rule)
        for kind in kinds:
            f = _derivative(torch, kind)(f)
        return f(torch.tensor(1.5, dtype=torch.float64))

    compare(program, 1e-9)


@pytest.mark.parametrize("rule", ["generated", "written"])
@pytest.mark.parametrize("kinds", list(itertools.product(["grad", "jvp", "vmap"], repeat=3)))
def test_under_three_transforms_and_backward(kinds, rule):
    def program(torch):
        f = cube(torch, rule)
        for kind in kinds:
            f = _derivative(torch, kind)(f)
        x = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
        y = f(x)
        y = y + 0 * x
        (g,) = torch.autograd.grad(y, x)
        return y.detach(), g + 0

    compare(program, 1e-9)


@pytest.mark.parametrize("rule", ["generated", "written"])
def test_batches_anywhere(rule):
    def program(torch):
        f = cube(torch, rule)
        x = numbers(torch, 2, 3)
        func = torch.func
        return (
            func.vmap(f, in_dims=1, out_dims=1)(x),
            func.vmap(func.vmap(f, in_dims=0), in_dims=1)(x),
            func.vmap(func.grad(lambda x: f(x).sum()), in_dims=1)(x),
            func.grad(lambda x: func.vmap(f, in_dims=1)(x).sum())(x),
            func.vmap(f, in_dims=(1,), chunk_size=2)(x),
        )

    compare(program)


def product(torch):
    class Product(torch.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x, y, scale, names=("a",)):
            return x * y * scale

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, y, ctx.scale, ctx.names = inputs
            ctx.save_for_backward(x, y)
            ctx.save_for_forward(x, y)

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            gx = (grad * y * ctx.scale).sum_to_size(x.shape) if ctx.needs_input_grad[0] else None
            gy = (grad * x * ctx.scale).sum_to_size(y.shape) if ctx.needs_input_grad[1] else None
            return gx, gy, None, None

        @staticmethod
        def jvp(ctx, tx, ty, _, __):
            x, y = ctx.saved_tensors
            return (tx * y + x * ty) * ctx.scale

    return Product


@like_pytorch
def test_several_arguments(torch):
    f = product(torch).apply
    func = torch.func
    x, y = numbers(torch, 4, 3), numbers(torch, 3)
    w = numbers(torch, 3).requires_grad_()
    through = func.vmap(
        func.grad(lambda x, y: f(x, y, 2.0).sum(), argnums=(0, 1)), in_dims=(0, None)
    )
    value = func.grad(lambda v: f(v, w, 2.0).sum())(y)
    return (
        through(x, y),
        func.vmap(lambda x, y: f(x, y, 3.0, ("b",)), in_dims=(0, None))(x, y),
        func.vmap(lambda x, y: f(y, x, 3.0), in_dims=(0, None))(x, y),
        func.vmap(lambda x, y: f(y, y, 3.0), in_dims=(0, None))(x, y),
        func.grad(lambda y: func.vmap(lambda x: f(x, y, 1.0))(x).sum())(y),
        func.jacrev(lambda x, y: f(x, y, 2.0), argnums=(0, 1))(x, y),
        func.jacfwd(lambda x, y: f(x, y, 2.0), argnums=(0, 1))(x, y),
        func.hessian(lambda x, y: f(x, y, 2.0).sum(), argnums=(0, 1))(y, y),
        value.detach(),
        torch.autograd.grad(value.sum(), w),
    )


@like_pytorch
def test_broadcasting_in_samples(torch):
    f = product(torch).apply
    func = torch.func
    x, y = numbers(torch, 4, 1), numbers(torch, 5)
    return func.vmap(func.grad(lambda x, y: f(x, y, 2.0).sum(), argnums=(0, 1)), in_dims=(0, None))(
        x, y
    )


@like_pytorch
def test_marked_outputs(torch):
    class Sorted(torch.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x, dim):
            index = torch.argsort(x, dim=dim)
            return torch.take_along_dim(x, index, dim=dim), index

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, ctx.dim = inputs
            ctx.mark_non_differentiable(output[1])
            ctx.save_for_backward(output[1], torch.argsort(output[1], dim=ctx.dim))

        @staticmethod
        def backward(ctx, grad, _):
            return torch.take_along_dim(grad, ctx.saved_tensors[1], dim=ctx.dim), None

    x = numbers(torch, 3, 4).sin()
    weights = numbers(torch, 4)
    func = torch.func
    return (
        func.grad(lambda x: (Sorted.apply(x, 0)[0] * weights).sum())(x),
        func.vmap(lambda x: Sorted.apply(x, 0))(x),
        func.vmap(func.grad(lambda x: (Sorted.apply(x, 0)[0] * weights).sum()))(x),
    )


@like_pytorch
def test_dirty_inputs(torch):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(x):
            x.mul_(2)
            return x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.mark_dirty(inputs[0])

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

        @staticmethod
        def vmap(info, in_dims, x):
            return Twice.apply(x), in_dims[0]

    def f(x):
        y = x * 1
        assert Twice.apply(y) is y
        return (y * y).sum()

    x = numbers(torch, 2, 3)
    func = torch.func
    return func.grad(f)(x), func.vmap(f)(x), func.vmap(func.grad(f))(x), x


@like_pytorch
def test_modes_inside_of_the_methods(torch):
    seen = []

    class Noted(torch.autograd.Function):
        @staticmethod
        def forward(x):
            seen.append(("forward", torch.is_grad_enabled(), x.requires_grad))
            x.requires_grad_(x.requires_grad)
            return x * torch.rand_like(x)

        @staticmethod
        def setup_context(ctx, inputs, output):
            seen.append(("setup", torch.is_grad_enabled(), ctx.needs_input_grad))

        @staticmethod
        def backward(ctx, grad):
            seen.append(("backward", torch.is_grad_enabled(), ctx.needs_input_grad))
            return grad

        @staticmethod
        def vmap(info, in_dims, x):
            seen.append(("vmap", info.batch_size, info.randomness, in_dims))
            return Noted.apply(x), 0

    torch.func.grad(lambda x: Noted.apply(x).sum())(numbers(torch, 3))
    torch.func.vmap(lambda x: Noted.apply(x).sum(), randomness="different")(numbers(torch, 2, 3))
    torch.func.vmap(torch.func.grad(lambda x: Noted.apply(x).sum()))(numbers(torch, 2, 3))
    with torch.no_grad():
        torch.func.grad(lambda x: Noted.apply(x).sum())(numbers(torch, 3))
    return seen


@like_pytorch
def test_the_name_of_a_node(torch):
    names = []

    def f(x):
        y = product(torch).apply(x, x, 1.0)
        names.append(y.grad_fn.name())
        return y

    torch.func.grad(f)(torch.tensor(2.0))
    return names


@like_pytorch
def test_dead_tensors(torch):
    f = product(torch).apply
    kept = []

    def g(x):
        kept.append(x * 1)
        return x.sum()

    x = numbers(torch, 3)
    torch.func.grad(g)(x)
    w = x.clone().requires_grad_()
    y = f(kept[0], w, 2.0)
    _, vjp_fn = torch.func.vjp(lambda x: f(x, x, 2.0), x)
    return y.detach(), torch.autograd.grad(y.sum(), w), vjp_fn(x)


def functions(torch):
    """By name, a Function that does something wrong."""

    class Old(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    class Base(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    def with_rule(name, rule, generate=False):
        return type(name, (Base,), {"vmap": staticmethod(rule), "generate_vmap_rule": generate})

    class TooMany(Base):
        @staticmethod
        def backward(ctx, grad):
            return grad, grad

    class Both(Base):
        @staticmethod
        def vjp(ctx, grad):
            return grad

    class NoBackward(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

    class NoForward(torch.autograd.Function):
        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

    return {
        "old": Old,
        "no rule": Base,
        "both rules": with_rule("BothRules", lambda info, in_dims, x: (x, 0), True),
        "no tuple": with_rule("NoTuple", lambda info, in_dims, x: x),
        "three": with_rule("Three", lambda info, in_dims, x: (x, 0, 0)),
        "structure": with_rule("Structure", lambda info, in_dims, x: (x * 2, (0, 0))),
        "unbatched": with_rule("Unbatched", lambda info, in_dims, x: (x.sum(0), None)),
        "too many": TooMany,
        "backward and vjp": Both,
        "no backward": NoBackward,
        "no forward": NoForward,
    }


@pytest.mark.parametrize("transform", ["grad", "jvp", "vmap", "jacrev", "plain in grad"])
@pytest.mark.parametrize(
    "name",
    "old|no rule|both rules|no tuple|three|structure|unbatched|too many|backward and vjp|no backward|no forward".split(
        "|"
    ),
)
def test_errors(name, transform):
    def program(torch):
        f = functions(torch)[name].apply
        x, func = numbers(torch, 3), torch.func
        return {
            "grad": lambda: func.grad(lambda x: f(x).sum())(x),
            "jvp": lambda: func.jvp(f, (x,), (x,)),
            "vmap": lambda: func.vmap(f)(numbers(torch, 3, 3)),
            "jacrev": lambda: func.jacrev(f)(x),
            "plain in grad": lambda: func.grad(lambda y: f(x).sum() * y.sum())(x),
        }[transform]()

    compare(program)


@like_pytorch
def test_once_differentiable(torch):
    class Once(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x**2

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, grad):
            return grad * 2 * ctx.saved_tensors[0]

    x = torch.tensor(2.0)
    first = torch.func.grad(Once.apply)(x)
    try:
        torch.func.grad(torch.func.grad(Once.apply))(x)
    except RuntimeError as error:
        return first, str(error)


@like_pytorch
def test_gradients_that_do_not_arrive(torch):
    seen = []

    def function(materialize):
        class Two(torch.autograd.Function):
            generate_vmap_rule = True

            @staticmethod
            def forward(x):
                return x * 2, x * 3

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.set_materialize_grads(materialize)

            @staticmethod
            def backward(ctx, a, b):
                seen.append((a is None, b is None))
                return (0 if a is None else 2 * a) + (0 if b is None else 3 * b)

        return Two

    x = numbers(torch, 2, 3)
    func = torch.func
    found = []
    for materialize in (True, False):
        f = function(materialize).apply
        found.append(func.grad(lambda x, f=f: f(x)[1].sum())(x))
        found.append(func.vmap(func.grad(lambda x, f=f: f(x)[0].sum()))(x))
    return found, seen


@like_pytorch
def test_transforms_inside_of_the_forward(torch):
    class Slope(torch.autograd.Function):
        @staticmethod
        def forward(x):
            slope = torch.func.grad(lambda x: (x**3).sum())(x)
            _, curve = torch.func.jvp(lambda x: x**2, (x,), (torch.ones_like(x),))
            return slope + curve

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx, grad):
            return grad * (6 * ctx.saved_tensors[0] + 2)

        @staticmethod
        def jvp(ctx, tangent):
            return tangent * (6 * ctx.saved_tensors[0] + 2)

        @staticmethod
        def vmap(info, in_dims, x):
            return Slope.apply(x), in_dims[0]

    x = numbers(torch, 2, 3)
    func = torch.func
    return (
        func.grad(lambda x: Slope.apply(x).sum())(x),
        func.jvp(Slope.apply, (x,), (x,)),
        func.vmap(func.grad(lambda x: Slope.apply(x).sum()))(x),
    )


@like_pytorch
def test_what_is_saved_for_forward_is_not_what_is_saved_for_backward(torch):
    class Product(torch.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x, y):
            return x * y

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_forward(inputs[1])
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            return grad * y, grad * x

        @staticmethod
        def jvp(ctx, dx, dy):
            (y,) = ctx.saved_tensors
            return dx * y

    x, y = numbers(torch, 2, 3), numbers(torch, 3)
    leaf = x.clone().requires_grad_()

    def over(t):
        return torch.func.vmap(lambda row: Product.apply(row, y))(t)

    return [
        torch.autograd.grad(Product.apply(leaf, x * 2).sum(), leaf),
        torch.func.grad(lambda t: over(t).sum())(x),
        torch.func.jvp(lambda t: Product.apply(t, x * 2), (x,), (x,)),
    ]


@pytest.mark.parametrize("transform", ["vmap", "jacfwd"])
def test_a_function_that_is_not_batched_needs_a_rule_all_the_same(transform):
    def program(torch):
        class Plain(torch.autograd.Function):
            @staticmethod
            def forward(x):
                return x + 1

            @staticmethod
            def setup_context(ctx, inputs, output):
                pass

        captured = torch.ones(3)
        return getattr(torch.func, transform)(lambda x: x * Plain.apply(captured))(
            numbers(torch, 3)
        )

    compare(program)


def _in_place_exponential(torch):
    class Exponential(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x.exp_()

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.mark_dirty(inputs[0])
            ctx.save_for_backward(output)

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.saved_tensors[0]

        @staticmethod
        def vmap(info, in_dims, x):
            Exponential.apply(x)
            return x, in_dims[0]

    return lambda x: Exponential.apply(x.clone())


NESTED_IN_PLACE = {
    "grad of grad": lambda torch, f, x: torch.func.grad(torch.func.grad(f))(x[0]),
    "grad of grad of grad": lambda torch, f, x: torch.func.grad(
        torch.func.grad(torch.func.grad(f))
    )(x[0]),
    "vjp of vjp": lambda torch, f, x: torch.func.vjp(lambda a: torch.func.vjp(f, a)[1](x)[0], x)[1](
        x
    ),
    "vmap of grad of grad": lambda torch, f, x: torch.vmap(torch.func.grad(torch.func.grad(f)))(x),
    "grad of vmap of grad": lambda torch, f, x: torch.func.grad(
        lambda a: torch.vmap(torch.func.grad(f))(a).sum()
    )(x),
}


@pytest.mark.parametrize("case", NESTED_IN_PLACE)
def test_a_function_in_place_at_several_levels(case):
    def program(torch):
        f = _in_place_exponential(torch)
        return NESTED_IN_PLACE[case](torch, f, torch.tensor([0.5, 1.0]))

    compare(program)


@pytest.mark.parametrize("place", ["dual level", "jvp", "jvp in vmap"])
def test_integers_have_no_tangents(place):
    def program(torch):
        seen = []

        class Taken(torch.autograd.Function):
            generate_vmap_rule = True

            @staticmethod
            def forward(x, index, y):
                return x[index] * y

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.save_for_forward(*inputs)

            @staticmethod
            def jvp(ctx, x, index, y):
                seen.append([t is None for t in (x, index, y)])
                saved_x, saved_index, saved_y = ctx.saved_tensors
                return x[saved_index] * saved_y + saved_x[saved_index] * y

        x, index = torch.tensor([1.0, 2.0]), torch.tensor([1, 0])

        def f(x):
            return Taken.apply(x, index, torch.ones(2))

        if place == "dual level":
            forward_ad = torch.autograd.forward_ad
            with forward_ad.dual_level():
                tangent = forward_ad.unpack_dual(f(forward_ad.make_dual(x, x * 3))).tangent
        elif place == "jvp":
            tangent = torch.func.jvp(f, (x,), (x * 3,))[1]
        else:
            tangent = torch.vmap(lambda x: torch.func.jvp(f, (x,), (x * 3,))[1])(x.repeat(2, 1))
        return tangent, seen

    compare(program)


def test_a_gradient_that_is_too_large_for_a_sample():
    def program(torch):
        class Zeros(torch.autograd.Function):
            generate_vmap_rule = True

            @staticmethod
            def forward(x):
                return x.clone()

            @staticmethod
            def setup_context(ctx, inputs, output):
                pass

            @staticmethod
            def backward(ctx, grad):
                return torch.ones(3, 4, *grad.shape)

        result, pull = torch.func.vjp(torch.vmap(Zeros.apply), torch.ones(2, 5))
        return result, pull(result)[0].clone(memory_format=torch.contiguous_format)

    compare(program)


@pytest.mark.parametrize("dim", [0, 1, -1, -2, 2])
def test_where_a_rule_says_that_its_batch_is(dim):
    def program(torch):
        class Doubled(torch.autograd.Function):
            @staticmethod
            def forward(x):
                return x * 2

            @staticmethod
            def setup_context(ctx, inputs, output):
                pass

            @staticmethod
            def vmap(info, in_dims, x):
                return x * 2, dim

        return torch.vmap(Doubled.apply)(torch.arange(4.0).view(2, 2))

    compare(program)


@pytest.mark.parametrize("given", ["captured", "own", "both"])
def test_no_grad_around_a_transform_holds_for_functions_inside(given):
    def program(torch):
        class Double(torch.autograd.Function):
            generate_vmap_rule = True

            @staticmethod
            def forward(x, y):
                return x * y

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.save_for_backward(*inputs)

            @staticmethod
            def backward(ctx, grad):
                x, y = ctx.saved_tensors
                return grad * y, grad * x

        held = torch.ones(3, requires_grad=True)

        def f(x):
            y = {"captured": (held, held), "own": (x, x), "both": (held, x)}[given]
            product = Double.apply(*y)
            return (product * x).sum(), product

        def both(x):
            return torch.func.grad(f, has_aux=True)(x)

        with torch.no_grad():
            inside = both(held)
        return inside, both(held), torch.func.vmap(both)(held.expand(2, 3))

    compare(program)
