"""Hooks and `retain_grad` on tensors that are written to, and on views; PyTorch is the oracle."""

import minitorch
from tests.autograd.hooks import leaf, noting
from tests.both import like_pytorch


@like_pytorch
def test_a_hook_registered_before_writing_in_place(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    y.register_hook(noting(log, "before"))
    y.mul_(5)
    y.register_hook(noting(log, "after"))
    y.sum().backward()
    return log, x.grad


@like_pytorch
def test_hooks_around_several_writes(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    for k in range(4):
        y.register_hook(noting(log, k, k + 1))
        y.mul_(k + 2)
    y.sum().backward()
    return log, x.grad


@like_pytorch
def test_retain_grad_then_writing_in_place(torch):
    x = leaf(torch)
    y = x * 2
    y.retain_grad()
    y.mul_(5)
    (y * y).sum().backward()
    return y.grad, x.grad, y.retains_grad


@like_pytorch
def test_retain_grad_between_hooks_and_writes(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    y.register_hook(noting(log, "old", 2))
    y.retain_grad()
    y.add_(1)
    y.register_hook(noting(log, "new", 3))
    y.mul_(2)
    y.sum().backward()
    return log, y.grad, x.grad


@like_pytorch
def test_a_hook_on_a_view_then_writing_to_it(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    v = y[1:]
    v.register_hook(noting(log, "view"))
    v.mul_(5)
    v.register_hook(noting(log, "written view"))
    y.register_hook(noting(log, "base"))
    (y.sum() + v.sum()).backward()
    return log, x.grad


@like_pytorch
def test_a_hook_on_a_base_then_writing_to_a_view(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    y.register_hook(noting(log, "base"))
    y.retain_grad()
    y[1:].mul_(5)
    y.register_hook(noting(log, "written base"))
    y.sum().backward()
    return log, y.grad, x.grad


@like_pytorch
def test_retain_grad_of_a_view_then_writing_to_the_base(torch):
    x = leaf(torch)
    y = x * 2
    v = y[1:]
    v.retain_grad()
    y.mul_(5)
    (v * v).sum().backward()
    return v.grad, x.grad, v.grad_fn.name()


@like_pytorch
def test_a_hook_on_a_leaf_that_is_written_to(torch):
    log = []
    x = torch.ones(2)
    x.requires_grad_()
    x.register_hook(noting(log, "leaf"))
    with torch.no_grad():
        x.mul_(2)
    x.sum().backward()
    return log, x.grad


@like_pytorch
def test_a_hook_on_a_tensor_that_becomes_part_of_a_graph(torch):
    log = []
    x = leaf(torch)
    y = torch.zeros(3)
    y.add_(x)
    y.register_hook(noting(log, "joined", 2))
    y.sum().backward()
    return log, x.grad


def test_retain_grad_of_a_dirty_second_output():
    # an internal assertion fails in PyTorch
    torch = minitorch

    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            y = x * 3
            return y, x.mul_(2)

        @staticmethod
        def backward(ctx, g, h):
            return g * 3 + h * 2

    log = []
    x = leaf(torch)
    a = x * 1
    a.register_hook(noting(log, "before"))
    a.retain_grad()
    y, b = Both.apply(a)
    a.register_hook(noting(log, "after", 5))
    (y + b * 7).sum().backward()
    assert b is a and a.output_nr == 1
    assert log == [("after", [7.0] * 3), ("before", [3.0 + 2 * 35] * 3)]
    assert a.grad.tolist() == [7.0 * 5] * 3
    assert x.grad.tolist() == [3.0 + 2 * 35] * 3
