"""Checkpoints together with everything else that looks at the graph, against PyTorch's."""

import gc
import weakref

import pytest

import minitorch
from tests.both import compare
from tests.utils.checkpoints import checkpoints_of, network, numbers, over_kinds


@over_kinds
def test_a_deep_nest(torch, reentrant):
    checkpoint = checkpoints_of(torch).checkpoint
    x = numbers(torch, 3)

    def level(n):
        def function(t):
            inner = t if n == 0 else checkpoint(level(n - 1), t.sin(), use_reentrant=reentrant)
            return inner.cos()

        return function

    checkpoint(level(8), x, use_reentrant=reentrant).sum().backward()
    return x.grad


@over_kinds
def test_layers_with_hooks_inside(torch, reentrant):
    seen = []
    model = network(torch)
    for layer in model:
        layer.register_forward_hook(lambda layer, *rest: seen.append(type(layer).__name__))
        layer.register_full_backward_hook(lambda layer, *grads: seen.append(grads))
    x = numbers(torch, 5, 4)
    checkpoints_of(torch).checkpoint(model, x, use_reentrant=reentrant).sum().backward()
    return seen, x.grad


@over_kinds
def test_a_layer_with_hooks_around(torch, reentrant):
    seen = []
    model = network(torch)

    class Checkpointed(torch.nn.Module):
        def forward(self, x):
            return checkpoints_of(torch).checkpoint(model, x, use_reentrant=reentrant)

    layer = Checkpointed()
    layer.register_full_backward_hook(lambda layer, *grads: seen.append(grads))
    x = numbers(torch, 5, 4)
    layer(x).sum().backward()
    return seen, x.grad


def _in_place(t):
    a = t * 2
    a.mul_(3)
    b = a.sin()
    b.add_(1)
    return b * b


def _without_grad(torch):
    def function(t):
        with torch.no_grad():
            u = t.sin()
        return t * u

    return function


FUNCTIONS = {
    "writes in place": lambda torch: _in_place,
    "a view": lambda torch: lambda t: t[:2],
    "the argument": lambda torch: lambda t: t,
    "a list": lambda torch: lambda t: [t * 2, t * t],
    "partly without grad": _without_grad,
    "a part that is detached": lambda torch: lambda t: t * t.detach(),
    "a new parameter": lambda torch: lambda t: t * torch.ones(4, requires_grad=True),
    "a reduction and a broadcast": lambda torch: lambda t: t / t.sum() - t.max(),
    "indexing": lambda torch: lambda t: t[torch.tensor([0, 0, 3])] * t[1],
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("reentrant", (True, False))
def test_functions_of_many_kinds(name, reentrant):
    def program(torch):
        x = numbers(torch, 4)
        y = checkpoints_of(torch).checkpoint(FUNCTIONS[name](torch), x, use_reentrant=reentrant)
        first = y[0] if isinstance(y, list) else y
        first.sum().backward()
        return y, x.grad

    compare(program)


@over_kinds
def test_the_output_is_written_to(torch, reentrant):
    x = numbers(torch, 4)
    y = checkpoints_of(torch).checkpoint(lambda t: t * t, x, use_reentrant=reentrant)
    y.add_(1)
    y.sum().backward()
    return x.grad


@over_kinds
def test_the_output_was_saved_and_is_written_to(torch, reentrant):
    x = numbers(torch, 4)
    y = checkpoints_of(torch).checkpoint(lambda t: t.exp(), x, use_reentrant=reentrant)
    y.add_(1)
    y.sum().backward()
    return x.grad


@over_kinds
def test_tensors_inside_of_a_dictionary(torch, reentrant):
    x = numbers(torch, 4)
    y = checkpoints_of(torch).checkpoint(
        lambda d: d["a"] * d["a"], {"a": x}, use_reentrant=reentrant
    )
    y.sum().backward()
    return x.grad


@over_kinds
def test_anomaly_mode(torch, reentrant):
    x = numbers(torch, 4)
    with torch.autograd.detect_anomaly():
        y = checkpoints_of(torch).checkpoint(lambda t: (t * t).sin(), x, use_reentrant=reentrant)
        y.sum().backward()
    return x.grad


@over_kinds
def test_inference_mode(torch, reentrant):
    with torch.inference_mode():
        return checkpoints_of(torch).checkpoint(
            lambda t: t * 2, torch.ones(2), use_reentrant=reentrant
        )


@over_kinds
def test_where_hooks_on_saved_tensors_are_disabled(torch, reentrant):
    x = numbers(torch, 4)
    with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
        y = checkpoints_of(torch).checkpoint(lambda t: t * t, x, use_reentrant=reentrant)
    y.sum().backward()
    return x.grad


@over_kinds
def test_third_derivatives(torch, reentrant):
    x = numbers(torch, 3)
    y = checkpoints_of(torch).checkpoint(lambda t: t.sin().exp() * t, x, use_reentrant=reentrant)
    (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    (third,) = torch.autograd.grad(second.sum(), x)
    return first, second, third


@over_kinds
def test_hooks_of_tensors_inside(torch, reentrant):
    x = numbers(torch, 3)
    seen = []

    def function(t):
        u = t.sin()
        if u.requires_grad:
            u.register_hook(lambda grad: seen.append(grad))
        return u * u

    checkpoints_of(torch).checkpoint(function, x, use_reentrant=reentrant).sum().backward()
    return seen, x.grad


@over_kinds
def test_arguments_are_what_was_given(torch, reentrant):
    x = numbers(torch, 3)
    return checkpoints_of(torch).checkpoint(
        lambda t: (t.requires_grad, t.is_leaf, t is x, t * 2), x, use_reentrant=reentrant
    )


@over_kinds
def test_what_is_saved_is_kept_elsewhere(torch, reentrant):
    x = numbers(torch, 3)
    with torch.autograd.graph.save_on_cpu():
        y = checkpoints_of(torch).checkpoint(
            lambda t: t.sin().cos() * t, x, use_reentrant=reentrant
        )
    y.sum().backward()
    return x.grad


@over_kinds
def test_an_argument_is_written_to_where_that_is_allowed(torch, reentrant):
    x = numbers(torch, 3)
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        z = x * 1
        y = checkpoints_of(torch).checkpoint(
            lambda t: t.sin().cos() * t, z, use_reentrant=reentrant
        )
        z.add_(3)
        y.sum().backward()
    return x.grad


@over_kinds
def test_the_state_of_other_generators_is_not_kept(torch, reentrant):
    x = numbers(torch, 3)
    generator = torch.Generator().manual_seed(3)
    drawn = []

    def function(t):
        drawn.append(torch.rand(3, generator=generator))
        return t * drawn[-1] * t

    checkpoints_of(torch).checkpoint(function, x, use_reentrant=reentrant).sum().backward()
    return drawn, x.grad


@over_kinds
def test_training(torch, reentrant):
    model = network(torch)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for step in range(5):
        torch.manual_seed(step)
        x = numbers(torch, 5, 4)
        optimizer.zero_grad()
        out = checkpoints_of(torch).checkpoint_sequential(model, 3, x, use_reentrant=reentrant)
        loss = out.square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize("reentrant", (True, False))
@pytest.mark.parametrize("used", (True, False))
def test_nothing_is_left_behind(reentrant, used):
    x = minitorch.ones(3, requires_grad=True)
    references = []

    def function(t):
        u = t * 2
        references.append(weakref.ref(u))
        return u.sin() * u

    argument = x * 1
    references.append(weakref.ref(argument))
    y = minitorch.utils.checkpoint.checkpoint(
        lambda t: minitorch.utils.checkpoint.checkpoint(function, t, use_reentrant=reentrant),
        argument,
        use_reentrant=reentrant,
    )
    if used:
        y.sum().backward()
    del y, argument
    gc.collect()
    assert [reference() for reference in references] == [None] * len(references)
