"""Outputs of a custom Function: marks, views, several of them; PyTorch is the oracle."""

import warnings
from typing import Any, NamedTuple

import pytest

import minitorch
from tests.both import compare, like_pytorch


def leaf(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


def function(torch, run, gradient=None):
    """A Function whose forward is ``run(ctx, *inputs)`` and whose backward is ``gradient(*gradients)``."""

    class Made(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *inputs):
            return run(ctx, *inputs)

        @staticmethod
        def backward(ctx, *gradients):
            return gradients[0] if gradient is None else gradient(*gradients)

    return Made


def double_in_place(ctx, x):
    x.mul_(2)
    ctx.mark_dirty(x)
    return x


def twice(grad):
    return grad * 2


@like_pytorch
def test_a_dirty_input_gets_the_node(torch):
    x = leaf(torch)
    a = x * 1
    b = function(torch, double_in_place, twice).apply(a)
    b.sum().backward()
    return x.grad, b is a, a.grad_fn.name(), a._version


@like_pytorch
def test_a_dirty_leaf(torch):
    function(torch, double_in_place, twice).apply(leaf(torch))


@like_pytorch
def test_a_dirty_tensor_without_gradient(torch):
    a = torch.ones(2)
    b = function(torch, double_in_place, twice).apply(a)
    return b is a, a, a._version, a.grad_fn


@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("view", [lambda a: a.view(2), lambda a: (a * 1).unbind()[0]])
def test_a_dirty_view_that_cannot_be_written_loses_its_gradient(view, outputs):
    def run(ctx, x):
        y = double_in_place(ctx, x)
        return y if outputs == 1 else (y, y * 2)

    def program(torch):
        x = view(leaf(torch))
        x.retain_grad()
        x.sum().backward()
        with pytest.raises(RuntimeError) as caught:
            function(torch, run).apply(x)
        return str(caught.value), x.grad

    compare(program)


@like_pytorch
def test_a_dirty_tensor_must_be_returned(torch):
    def run(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x * 1

    function(torch, run).apply(leaf(torch) * 1)


@like_pytorch
def test_a_dirty_tensor_should_be_an_input(torch):
    def run(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y

    return function(torch, run).apply(leaf(torch) * 1)


@pytest.mark.parametrize("mark", ["mark_dirty", "mark_non_differentiable"])
def test_marks_take_tensors(mark):
    @like_pytorch
    def program(torch):
        def run(ctx, x):
            getattr(ctx, mark)(1)
            return x * 2

        function(torch, run).apply(leaf(torch))

    program()


@like_pytorch
def test_a_dirty_view_changes_its_base(torch):
    x = leaf(torch)
    a = x * 1
    v = a[:1]
    function(torch, double_in_place, twice).apply(v)
    a.sum().backward()
    return x.grad, a, a.grad_fn.name(), v.grad_fn.name()


@like_pytorch
def test_a_dirty_view_beside_another_output(torch):
    def run(ctx, x):
        return double_in_place(ctx, x), x * 1

    a = leaf(torch) * 1
    function(torch, run, lambda g, h: g * 2).apply(a[:1])


@like_pytorch
def test_an_input_that_is_returned_becomes_a_view(torch):
    x = leaf(torch)
    y = function(torch, lambda ctx, x: x, lambda g: g * 3).apply(x)
    y.sum().backward()
    return x.grad, y is x, y._is_view(), y.grad_fn.name(), y._base is x


@like_pytorch
def test_writing_to_an_input_that_was_returned(torch):
    function(torch, lambda ctx, x: x).apply(leaf(torch) * 1).add_(1)


@like_pytorch
def test_a_view_of_the_input(torch):
    x = leaf(torch)
    y = function(torch, lambda ctx, x: x[:1], lambda g: torch.cat([g, g])).apply(x * 1)
    is_view = y._is_view()
    y.sum().backward()
    return x.grad, is_view


@like_pytorch
def test_writing_to_a_view_of_the_input(torch):
    function(torch, lambda ctx, x: x[:1]).apply(leaf(torch) * 1).add_(1)


@like_pytorch
def test_writing_to_one_of_two_views_of_the_input(torch):
    y, _ = function(torch, lambda ctx, x: (x[:1], x[1:])).apply(leaf(torch) * 1)
    y.add_(1)


@like_pytorch
def test_a_tensor_from_outside_gets_the_node(torch):
    w = leaf(torch)
    y = function(torch, lambda ctx, x: w).apply(leaf(torch))
    return y is w, y.requires_grad, y.is_leaf


@pytest.mark.parametrize("kind", ["float", "bool"])
def test_an_output_without_derivative(kind):
    @like_pytorch
    def program(torch):
        seen = []

        def run(ctx, x):
            mask = x > 1 if kind == "bool" else x * 3
            ctx.mark_non_differentiable(mask)
            return x * 2, mask

        def gradient(g, h):
            seen.append(h)
            return g

        x = leaf(torch)
        y, mask = function(torch, run, gradient).apply(x)
        y.sum().backward()
        return x.grad, mask, mask.requires_grad, mask.grad_fn, seen

    program()


@like_pytorch
def test_an_input_marked_as_without_derivative(torch):
    def run(ctx, x):
        ctx.mark_non_differentiable(x)
        return x, x * 1

    x = leaf(torch)
    y, z = function(torch, run, lambda g, h: h).apply(x)
    return y.requires_grad, y is x, y._is_view(), z.requires_grad


@like_pytorch
def test_all_outputs_without_derivative(torch):
    def run(ctx, x):
        y = x * 2
        ctx.mark_non_differentiable(y)
        return y

    y = function(torch, run).apply(leaf(torch))
    return y, y.is_leaf, y.grad_fn


@pytest.mark.parametrize("materialize", [True, False])
def test_gradients_that_did_not_arrive(materialize):
    @like_pytorch
    def program(torch):
        seen = []

        def run(ctx, x):
            ctx.set_materialize_grads(materialize)
            return x * 1, x * 2, x.long()

        def gradient(*gradients):
            seen.append(gradients)
            return gradients[1]

        x = leaf(torch)
        _, z, _ = function(torch, run, gradient).apply(x)
        z.sum().backward()
        return seen, x.grad

    program()


@like_pytorch
def test_outputs_that_are_no_tensors(torch):
    seen = []

    def gradient(*gradients):
        seen.append(gradients)
        return gradients[0]

    x = leaf(torch)
    outputs = function(torch, lambda ctx, x: (x * 1, 5, None, "a"), gradient).apply(x)
    outputs[0].sum().backward()
    return seen, outputs[1:]


@like_pytorch
def test_only_an_output_that_is_no_tensor(torch):
    return function(torch, lambda ctx, x: 5).apply(leaf(torch))


@like_pytorch
def test_an_integer_output_has_no_gradient(torch):
    x = leaf(torch)
    y, n = function(torch, lambda ctx, x: (x * 1, x.long())).apply(x)
    y.sum().backward()
    return x.grad, n.requires_grad


@like_pytorch
def test_the_same_output_twice(torch):
    def run(ctx, x):
        y = x * 2
        return y, y

    x = leaf(torch)
    a, b = function(torch, run, lambda g, h: g * 2 + h * 3).apply(x)
    (a + b).sum().backward()
    return x.grad, a is b, a.output_nr, b.output_nr


@like_pytorch
def test_a_list_is_one_output_that_is_no_tensor(torch):
    result = function(torch, lambda ctx, x: [x * 2, x * 3]).apply(leaf(torch))
    return type(result).__name__, result


@like_pytorch
def test_nothing_is_recorded_without_grad_mode(torch):
    with torch.no_grad():
        y = function(torch, lambda ctx, x: x * 2).apply(leaf(torch))
    return y.requires_grad, y.grad_fn


@like_pytorch
def test_needs_input_grad(torch):
    seen = []

    def run(ctx, *inputs):
        seen.append(ctx.needs_input_grad)
        return inputs[0] * 2

    def gradient(g):
        return g, None, None

    constant = function(torch, run).apply(torch.ones(2))
    y = function(torch, run, gradient).apply(leaf(torch), 3, torch.ones(2))
    y.sum().backward()
    return seen, constant, y.grad_fn.needs_input_grad, len(y.grad_fn.next_functions)


@like_pytorch
def test_edges_of_inputs_without_gradient(torch):
    def run(ctx, *inputs):
        return inputs[0] * 2

    y = function(torch, run).apply(leaf(torch), 3, torch.ones(2), leaf(torch) * 2)
    return [(n and n.name(), k) for n, k in y.grad_fn.next_functions]


@like_pytorch
def test_once_differentiable(torch):
    class Once(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, grad):
            assert not torch.is_grad_enabled()
            return grad * 2

    x = leaf(torch)
    (g,) = torch.autograd.grad(Once.apply(x).sum(), x)
    seed = torch.ones(2, requires_grad=True)
    (h,) = torch.autograd.grad(Once.apply(x), x, seed, create_graph=True)
    try:
        h.sum().backward()
    except RuntimeError as error:
        return g, h, h.grad_fn.name(), str(error)


@like_pytorch
def test_instances_are_deprecated(torch):
    class Legacy(torch.autograd.Function):
        def forward(self, x):
            return x

    Legacy.__module__, Legacy.__qualname__ = "legacy", "Legacy"
    Legacy()(leaf(torch))


@like_pytorch
def test_the_context_is_the_node(torch):
    contexts = []

    def run(ctx, x):
        contexts.append(ctx)
        ctx.note = "kept"
        return x * 2

    y = function(torch, run).apply(leaf(torch))
    return (
        contexts[0] is y.grad_fn,
        y.grad_fn.note,
        [c.__name__ for c in type(y.grad_fn).__mro__[:2]],
    )


@like_pytorch
def test_undefined_gradients_are_materialized(torch):
    seen = []

    def gradient(g):
        seen.append(g)
        return g

    x = leaf(torch)
    y = function(torch, lambda ctx, x: x * 1, gradient).apply(x)
    torch._C._functions.UndefinedGrad()(y).sum().backward()
    return seen, x.grad


@like_pytorch
def test_functions_inside_of_functions(torch):
    inner = function(torch, lambda ctx, x: x * 2, lambda g: g * 5)

    def run(ctx, x):
        with torch.enable_grad():
            y = inner.apply(x.detach().requires_grad_())
        return y.detach() * 3

    def gradient(g):
        return inner.apply(g) * 7

    x = leaf(torch)
    y = function(torch, run, gradient).apply(x)
    seed = torch.ones(2, requires_grad=True)
    (g,) = torch.autograd.grad(y, x, seed, create_graph=True)
    return y, g, torch.autograd.grad(g.sum(), seed)


def test_a_function_of_nested_arguments():
    # PyTorch's NestedIOFunction.apply raises AttributeError since long
    class Nested(minitorch.autograd.function.NestedIOFunction):
        def forward_extended(self, pair, scale):
            self.scale = scale
            return [pair[0][0] * scale, (pair[1] * scale,)], pair[0][1] * 1

        def backward_extended(self, first, second):
            return ((first[0] * 2, second), first[1][0] * 3), None

    a, b, c = leaf(minitorch), leaf(minitorch), leaf(minitorch)
    (first, (second,)), third = Nested.apply(((a, b), c), minitorch.tensor(2.0))
    (first + second + third * 5).sum().backward()
    assert [t.grad.tolist() for t in (a, b, c)] == [[2, 2], [5, 5], [3, 3]]
    assert first.tolist() == second.tolist() == [2, 4]


def test_whether_gradients_are_materialized_is_a_bool():
    def program(torch):
        class F(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.set_materialize_grads(1)

        F.apply(torch.ones(1))

    compare(program)


def test_a_gradient_for_an_argument_that_is_no_tensor_raises_first():
    def program(torch):
        class F(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, number):
                return x * number

            @staticmethod
            def backward(ctx, grad):
                return grad * 1j, grad

        F.apply(torch.ones(1, requires_grad=True), 2.0).backward()

    compare(program)


@like_pytorch
def test_operators_that_are_there_to_try_out_derivatives(torch):
    x = torch.ones(2, 2, requires_grad=True)
    y = torch._test_autograd_multiple_dispatch(x)
    (grad,) = torch.autograd.grad(y.sum(), x)
    others = [
        torch._test_autograd_multiple_dispatch(x, True),
        torch._test_autograd_multiple_dispatch_view(x),
        torch._test_autograd_multiple_dispatch_view_copy(x),
    ]
    grads = [torch.autograd.grad(o.sum(), x) for o in others]
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        torch._C._nn._test_warn_in_autograd(x).sum().backward()
    return y.grad_fn.name(), grad, others, grads, str(seen[0].message).partition(" (")[0]


class Pair(NamedTuple):
    a: Any
    b: Any


@like_pytorch
def test_named_tuples_of_outputs_gradients_and_tangents(torch):
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return Pair(x * 2, y * 3)

        @staticmethod
        def backward(ctx, a, b):
            return Pair(a * 2, b * 3)

        @staticmethod
        def jvp(ctx, a, b):
            return Pair(a * 2, b * 3)

    class Sorted(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return torch.sort(x)

        @staticmethod
        def backward(ctx, grad, _):
            return grad

    x, y = torch.tensor([2.0, 1.0], requires_grad=True), torch.ones(2, requires_grad=True)
    outputs = Scaled.apply(x, y)
    tangents = torch.func.jvp(
        Scaled.apply, (x.detach(), y.detach()), (torch.ones(2), torch.ones(2))
    )
    sum(t.sum() for t in outputs).backward()
    return type(outputs).__name__, *outputs, x.grad, y.grad, tangents, *Sorted.apply(x)
