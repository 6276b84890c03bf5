"""Custom Functions in forward mode: what `jvp` is given and what it may return; PyTorch is the oracle."""

import pytest

from tests.both import compare


def function(torch, forward, jvp, materialize=True):
    class Given(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *inputs):
            ctx.set_materialize_grads(materialize)
            return forward(ctx, *inputs)

        @staticmethod
        def backward(ctx, *gradients):
            return gradients

    Given.jvp = staticmethod(jvp)
    return Given.apply


def dual(torch):
    return torch.autograd.forward_ad.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))


def parts(torch, results):
    unpack = torch.autograd.forward_ad.unpack_dual
    results = results if isinstance(results, tuple) else (results,)
    return [tuple(unpack(r)) if isinstance(r, torch.Tensor) else r for r in results]


def in_place(ctx, x):
    ctx.mark_dirty(x)
    return x.mul_(2)


def constant(ctx, x):
    y = x * 2
    ctx.mark_non_differentiable(y)
    return y


CASES = {
    "one": (lambda ctx, x: x * 3, lambda ctx, v: v * 3),
    "wrong value is believed": (lambda ctx, x: x * 3, lambda ctx, v: v * 5),
    "two results": (lambda ctx, x: (x * 3, x * 4), lambda ctx, v: (v * 3, v * 4)),
    "too few": (lambda ctx, x: (x * 3, x * 4), lambda ctx, v: v),
    "too many": (lambda ctx, x: x * 3, lambda ctx, v: (v, v)),
    "wrong shape": (lambda ctx, x: x * 3, lambda ctx, v: v[0]),
    "wrong dtype": (lambda ctx, x: x * 3, lambda ctx, v: v.double()),
    "no tensor": (lambda ctx, x: x * 3, lambda ctx, v: 3),
    "in place": (in_place, lambda ctx, v: v.mul_(2)),
    "in place, out of place": (in_place, lambda ctx, v: v * 2),
    "view": (lambda ctx, x: x.view_as(x), lambda ctx, v: v.view_as(v)),
    "view, but a copy": (lambda ctx, x: x.view_as(x), lambda ctx, v: v * 1),
    "input as it is": (lambda ctx, x: x, lambda ctx, v: v.view_as(v)),
    "input as it is, the same": (lambda ctx, x: x, lambda ctx, v: v),
    "not differentiable": (constant, lambda ctx, v: v),
    "not differentiable, None": (constant, lambda ctx, v: None),
    "integers": (lambda ctx, x: (x * 2).long(), lambda ctx, v: v),
    "beside a number": (lambda ctx, x: (x * 2, 5), lambda ctx, v: (v * 2, None)),
    "a tangent for a number": (lambda ctx, x: (x * 2, 5), lambda ctx, v: (v * 2, 3)),
}


@pytest.mark.parametrize("name", CASES)
def test_what_jvp_returns(name):
    def program(torch):
        with torch.autograd.forward_ad.dual_level():
            return parts(torch, function(torch, *CASES[name])(dual(torch) * 1))

    compare(program)


@pytest.mark.parametrize("materialize", [True, False])
def test_what_jvp_is_given(materialize):
    def program(torch):
        seen = []

        def forward(ctx, x, number, y):
            ctx.save_for_forward(x)
            return x * y

        def jvp(ctx, v, number, w):
            seen.extend([v, number, w, ctx.saved_tensors, torch.is_grad_enabled()])
            return v

        with torch.autograd.forward_ad.dual_level():
            function(torch, forward, jvp, materialize)(dual(torch), 2, torch.ones(2))
        return seen

    compare(program)


def test_operators_of_the_forward_compute_no_tangents():
    def program(torch):
        seen = []

        def forward(ctx, x):
            y = x * 2
            seen.append(torch.autograd.forward_ad.unpack_dual(y).tangent)
            return y

        with torch.autograd.forward_ad.dual_level():
            function(torch, forward, lambda ctx, v: v)(dual(torch))
        return seen

    compare(program)


def test_a_function_without_jvp():
    def program(torch):
        class Plain(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

        with torch.autograd.forward_ad.dual_level():
            return Plain.apply(dual(torch))

    compare(program)


def test_setup_context():
    def program(torch):
        class Square(torch.autograd.Function):
            @staticmethod
            def forward(x):
                return x * x

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.save_for_backward(*inputs)
                ctx.save_for_forward(*inputs)

            @staticmethod
            def backward(ctx, grad):
                (x,) = ctx.saved_tensors
                return 2 * x * grad

            @staticmethod
            def jvp(ctx, v):
                (x,) = ctx.saved_tensors
                return 2 * x * v

        x = torch.tensor([1.0, 2.0], requires_grad=True)
        with torch.autograd.forward_ad.dual_level():
            y = Square.apply(torch.autograd.forward_ad.make_dual(x, torch.ones(2)))
            first = torch.autograd.forward_ad.unpack_dual(y).tangent
            return (
                parts(torch, y),
                torch.autograd.grad(first.sum(), x, retain_graph=True),
                torch.autograd.grad(y.sum(), x),
            )

    compare(program)


def test_jvp_raises():
    def program(torch):
        def jvp(ctx, v):
            raise ValueError("mine")

        with torch.autograd.forward_ad.dual_level():
            function(torch, lambda ctx, x: x * 2, jvp)(dual(torch))

    compare(program)


@pytest.mark.parametrize("kind", ("view", "copy", "view of a copy", "view of a view's copy"))
def test_the_tangent_of_a_view_is_a_view(kind):
    def program(torch):
        class First(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x.narrow(0, 0, 2)

            @staticmethod
            def jvp(ctx, tangent):
                part = tangent.narrow(0, 0, 2)
                if kind != "view":
                    part = part.clone()
                return part.view_as(part) if kind.startswith("view of") else part

        fw = torch.autograd.forward_ad
        with fw.dual_level():
            x = fw.make_dual(torch.ones(3, 2), torch.ones(3, 2))
            if kind == "view of a view's copy":
                x = x.view_as(x)
            return fw.unpack_dual(First.apply(x)).tangent

    compare(program)


def _doubled(ctx, x):
    ctx.mark_dirty(x)
    return x.mul_(2)


# of a function in place, what its jvp does with the tangent
IN_PLACE = {
    "in place": lambda ctx, v: v.mul_(2),
    "not at all": lambda ctx, v: v,
    "another tensor": lambda ctx, v: v * 2,
    "a copy of what is in place": lambda ctx, v: (v.mul_(2), v.clone())[1],
    "nothing": lambda ctx, v: None,
}


@pytest.mark.parametrize("case", IN_PLACE)
def test_a_function_in_place_changes_the_tangent_in_place(case):
    def program(torch):
        with torch.autograd.forward_ad.dual_level():
            y = function(torch, _doubled, IN_PLACE[case])(dual(torch).clone())
            return torch.autograd.forward_ad.unpack_dual(y)

    compare(program)


RETURNED = {
    "two for one": (lambda ctx, x: x * 2, lambda ctx, v: (v, v)),
    "one for two": (lambda ctx, x: (x * 1, x * 2), lambda ctx, v: v),
    "a string": (lambda ctx, x: x * 2, lambda ctx, v: "a"),
    "another shape": (lambda ctx, x: x * 2, lambda ctx, v: v[:1]),
    "of a view a copy": (lambda ctx, x: x.view(-1), lambda ctx, v: v.clone()),
    "of the input a copy": (lambda ctx, x: x, lambda ctx, v: v * 2),
    "of integers": (lambda ctx, x: x.long(), lambda ctx, v: v),
}


@pytest.mark.parametrize("case", RETURNED)
def test_a_tangent_that_does_not_fit(case):
    def program(torch):
        forward, jvp = RETURNED[case]
        with torch.autograd.forward_ad.dual_level():
            function(torch, forward, jvp)(dual(torch))

    compare(program)
