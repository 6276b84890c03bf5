"""Tensors that a transformed function finds outside of itself: they may be read, and not written to."""

import pytest

from tests.both import compare, like_pytorch

WRITES = {
    "copy": lambda torch, held, x: held.copy_(x),
    "add": lambda torch, held, x: held.add_(x),
    "zero": lambda torch, held, x: held.zero_() * x,
    "item": lambda torch, held, x: held.__setitem__(0, x[0]) or held,
    "view": lambda torch, held, x: held[:3].copy_(x),
}


@pytest.mark.parametrize("transform", ["grad", "vjp", "jacrev", "grad_and_value"])
@pytest.mark.parametrize("write", WRITES)
def test_writes_to_captured_tensors(write, transform):
    def program(torch):
        held = torch.zeros(3)
        apply = getattr(torch.func, transform)

        def f(x):
            return WRITES[write](torch, held, x).sum()

        x = torch.tensor([1.0, 2.0, 3.0])
        return apply(f, x)[0] if transform == "vjp" else apply(f)(x)

    compare(program)


WRITES_TO_DETACHED = {
    "copy": lambda held, x: held.detach().copy_(x),
    "add": lambda held, x: held.detach().add_(x),
    "zero": lambda held, x: held.detach().zero_() * x,
    "slice": lambda held, x: held.detach()[:2].copy_(x[:2]),
    "of a slice": lambda held, x: held[:2].detach().copy_(x[:2]),
    "in place": lambda held, x: held.detach_().zero_() * x,
}


@pytest.mark.parametrize("transform", ["grad", "jvp", "vmap", "vmap(grad)", "grad(vmap)"])
@pytest.mark.parametrize("write", WRITES_TO_DETACHED)
def test_writes_to_what_was_detached_of_captured_tensors(write, transform):
    def program(torch):
        held, x = torch.zeros(3), torch.arange(6.0).view(2, 3)
        func = torch.func

        def f(x):
            return WRITES_TO_DETACHED[write](held, x).sum()

        return {
            "grad": lambda: func.grad(f)(x[0]),
            "jvp": lambda: func.jvp(f, (x[0],), (x[1],)),
            "vmap": lambda: func.vmap(f)(x),
            "vmap(grad)": lambda: func.vmap(func.grad(f))(x),
            "grad(vmap)": lambda: func.grad(lambda x: func.vmap(f)(x).sum())(x),
        }[transform]()

    compare(program)


@pytest.mark.parametrize("transform", ["vmap", "grad", "grad(vmap)"])
def test_what_is_detached_in_place(transform):
    def program(torch):
        func = torch.func
        x = torch.arange(6.0).view(2, 3)

        def f(x):
            return ((x * 3).detach_() * x).sum()

        return {
            "vmap": lambda: func.vmap(f)(x),
            "grad": lambda: func.grad(f)(x),
            "grad(vmap)": lambda: func.grad(lambda x: func.vmap(f)(x).sum())(x),
        }[transform]()

    compare(program)


SECOND_NAMES = {
    "absolute_": (),
    "clip_": (0, 1),
    "detach_": (),
    "divide_": (2.0,),
    "fix_": (),
    "float_power_": (2,),
    "greater_": (0,),
    "not_equal_": ("held",),
    "resize_": (2,),
    "resize_as_": ("held",),
    "set_": (),
    "square_": (),
    "subtract_": (1.0,),
    "swapaxes_": (0, 0),
    "swapdims_": (0, 0),
}


@pytest.mark.parametrize("name", SECOND_NAMES)
@pytest.mark.parametrize("of", ["itself", "detached", "view"])
def test_the_name_by_which_a_captured_tensor_was_written_to(name, of):
    def program(torch):
        held = torch.ones(3)
        values = [held if value == "held" else value for value in SECOND_NAMES[name]]

        def f(x):
            written = {"itself": held, "detached": held.detach(), "view": held[:]}[of]
            return getattr(written, name)(*values).sum() * x

        return torch.func.grad(f)(torch.tensor(1.0))

    compare(program)


@pytest.mark.parametrize("in_dim", [0, 1, 2])
@pytest.mark.parametrize("method", ["unsqueeze_", "transpose_", "t_"])
def test_the_name_by_which_a_batch_was_reshaped(method, in_dim):
    dims = {"unsqueeze_": (0,), "transpose_": (0, 1), "t_": ()}[method]

    def program(torch, captured):
        x = torch.arange(24.0).reshape(2, 3, 4)
        change = torch.func.vmap(lambda x: getattr(x, method)(*dims), in_dims=in_dim)
        return torch.func.grad(lambda c: change(x).sum())(torch.ones(2)) if captured else change(x)

    compare(lambda torch: program(torch, captured=True))
    compare(lambda torch: program(torch, captured=False))


MADE = {
    "zeros": lambda torch, x: torch.zeros(3).copy_(x),
    "ones": lambda torch, x: torch.ones(3, dtype=torch.float64).mul_(x),
    "full": lambda torch, x: torch.full((3,), 2.0).mul_(x),
    "tensor": lambda torch, x: torch.tensor([1.0, 2.0, 3.0]).mul_(x),
    "new_zeros": lambda torch, x: x.new_zeros(3).add_(x),
    "zeros_like": lambda torch, x: torch.zeros_like(x).add_(x),
    "arange": lambda torch, x: torch.arange(3.0).mul_(x),
    "of_captured": lambda torch, x: (torch.ones(3) + 1).mul_(x),
    "item": lambda torch, x: torch.zeros(3).index_copy_(0, torch.tensor([0, 1, 2]), x),
}


@pytest.mark.parametrize("make", MADE)
def test_writes_to_what_was_made_inside(make):
    def program(torch):
        def f(x):
            return (MADE[make](torch, x) * x).sum()

        x = torch.tensor([1.0, 2.0, 3.0])
        func = torch.func
        return [
            func.grad(f)(x),
            func.hessian(f)(x),
            func.vmap(func.grad(f))(torch.stack([x, x * 2])),
        ]

    compare(program)


IN_PLACE = {
    "add_": lambda a, b: a.add_(b),
    "sub_": lambda a, b: a.sub_(b),
    "pow_": lambda a, b: a.pow_(b),
    "fill_": lambda a, b: a.fill_(b[0]),
    "lerp_": lambda a, b: a.lerp_(b, 0.5),
    "masked_fill_": lambda a, b: a.masked_fill_(b > 0, 1.0),
    "masked_fill_value": lambda a, b: a.masked_fill_(a > 0, b[0]),
    "clamp_min_": lambda a, b: a.clamp_min_(b),
    "logical_or_": lambda a, b: a.logical_or_(b),
    "atan2_": lambda a, b: a.atan2_(b),
    "scatter_add_": lambda a, b: a.scatter_add_(0, b.long(), b),
    "addcmul_": lambda a, b: a.addcmul_(b, b),
    "addmv_": lambda a, b: a.addmv_(a.diag(), b),
}


@pytest.mark.parametrize("write", IN_PLACE)
def test_writes_to_what_all_samples_share(write):
    batch = [[0.0, 1.0, 2.0], [1.0, 1.0, 0.0]]
    compare(
        lambda torch: torch.vmap(IN_PLACE[write], in_dims=(None, 0))(
            torch.ones(3), torch.tensor(batch)
        )
    )


@pytest.mark.parametrize("transform", ["vmap", "grad"])
def test_data_is_not_set(transform):
    def program(torch):
        def f(x):
            x.data = torch.ones(3)
            return x.sum()

        apply = torch.vmap if transform == "vmap" else torch.func.grad
        return apply(f)(torch.ones(2, 3))

    compare(program)


@like_pytorch
def test_distributions_check_all_samples(torch):
    x = torch.tensor([[0.5, 1.0], [2.0, 1.5]])
    dist = torch.distributions
    return [
        torch.vmap(lambda x: dist.Normal(x, x).log_prob(x))(x),
        torch.vmap(torch._is_all_true)(x > 1),
        torch.vmap(torch._is_any_true)(x > 1),
        torch.vmap(lambda x: dist.Categorical(probs=x).sample().shape, (0,), None, "different")(x),
    ]


@like_pytorch(tolerance=1e-5)
def test_tangents_of_captured_tensors(torch):
    func = torch.func

    def f(outer):
        def inner(x):
            return (outer.softmax(0) * x.prod() + outer.cumprod(0)[1:].sum() * outer[0]).sum()

        return func.grad(inner)(outer * 2)

    x = torch.tensor([0.5, 1.0, 1.5])
    return [func.jacfwd(f)(x), func.jacrev(f)(x), func.jvp(f, (x,), (torch.ones(3),))]


@like_pytorch(tolerance=1e-4)
def test_second_derivatives_of_batched_norms(torch):
    x = torch.tensor([[0.5, 1.0], [2.0, -1.0], [0.3, 0.4]])
    return torch.vmap(torch.func.hessian(torch.linalg.norm))(x)


@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("transform", ["none", "vjp", "jvp"])
def test_statistics_of_samples_are_updated(transform, dim):
    def program(torch):
        x = torch.arange(24.0).view(2, 4, 3)
        mean, var = torch.zeros(2, 3).movedim(0, dim), torch.ones(2, 3).movedim(0, dim)
        mean, var = mean.contiguous(), var.contiguous()

        def normalised(x, mean, var):
            return torch.nn.functional.batch_norm(x, mean, var, training=True)

        def f(x):
            return torch.vmap(normalised, (0, dim, dim))(x, mean, var)

        if transform == "vjp":
            torch.func.vjp(f, x)
        elif transform == "jvp":
            torch.func.jvp(f, (x,), (x,))
        else:
            f(x)
        return mean, var

    compare(program)


@pytest.mark.parametrize("batched", [(0, None), (None, 0), (0, 0)])
def test_statistics_of_one_channel(batched):
    def program(torch):
        x, statistics = torch.arange(8.0).view(2, 4, 1), torch.ones(2, 1)

        def f(x, mean):
            return torch.nn.functional.batch_norm(x, mean, torch.ones(1), torch.ones(1))

        given = [t if d == 0 else t[0] for t, d in zip((x, statistics), batched, strict=True)]
        return torch.vmap(f, batched)(*given).flatten()

    compare(program)


LOOKS = {
    "view": lambda held: held.view(3),
    "transposed": lambda held: held.movedim(0, -1),
    "a slice": lambda held: held[:2],
    "all": lambda held: held[...],
    "an element": lambda held: held[0],
    "elements": lambda held: held.unbind()[1],
    "expanded": lambda held: held.expand(2, 3),
    "a view of a view": lambda held: held.unsqueeze(0).mT,
    "detached": lambda held: held.detach(),
    "conjugate": lambda held: held.conj(),
    "the same": lambda held: held.contiguous(),
    "data": lambda held: held.data,
}


@pytest.mark.parametrize("requires_grad", [False, True])
@pytest.mark.parametrize("transform", ["grad", "jvp", "vmap", "vmap(grad)", "grad(grad)"])
@pytest.mark.parametrize("look", LOOKS)
def test_views_of_captured_tensors(look, transform, requires_grad):
    def program(torch):
        held = torch.ones(3, requires_grad=requires_grad)
        seen = []

        def f(x):
            view = LOOKS[look](held)
            seen.append((repr(view), view.requires_grad, view is held, view.is_leaf))
            try:
                view.add_(x[0])
            except RuntimeError as error:
                seen.append(str(error))
            return (x * view.sum()).sum()

        func, x = torch.func, torch.arange(6.0).view(2, 3)
        found = {
            "grad": lambda: func.grad(f)(x[0]),
            "jvp": lambda: func.jvp(f, (x[0],), (x[1],)),
            "vmap": lambda: func.vmap(f)(x),
            "vmap(grad)": lambda: func.vmap(func.grad(f))(x),
            "grad(grad)": lambda: func.grad(lambda x: func.grad(f)(x).sum())(x[0]),
        }[transform]
        try:
            result = found()
        except RuntimeError as error:
            result = str(error)
        return seen, result

    compare(program)
