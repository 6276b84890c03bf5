"""Hooks and `retain_grad` on tensors that are written to, and on views; PyTorch is the oracle."""

import pytest

import minitorch
from tests.autograd.hooks import leaf, noting
from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


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


@pytest.mark.parametrize("retained", (False, True))
@pytest.mark.parametrize(
    "what", ("t_()", "squeeze_(0)", "unsqueeze_(0)", "as_strided_((2,), (1,))")
)
def test_hooks_of_a_tensor_that_gets_another_shape_in_place_see_the_old_one(what, retained):
    def program(torch):
        log = []
        x = torch.arange(3.0).reshape(1, 3).requires_grad_()
        y = x * 1
        y.register_hook(lambda g: log.append(("before", tuple(g.shape))))
        if retained:
            y.retain_grad()
        eval(f"y.{what}")
        y.register_hook(lambda g: log.append(("after", tuple(g.shape))))
        (y * 2).sum().backward()
        z = x * 1
        eval(f"z.{what}")
        z.register_hook(lambda g: log.append(("alone", tuple(g.shape))))
        z.sum().backward()
        return log, x.grad, y.grad if retained else None

    compare(program)


def test_the_first_hook_of_a_view_whose_base_was_written_to_is_run():
    # PyTorch makes the view's node after the list of hooks, which is lost then
    log = []
    x = minitorch.arange(3.0).requires_grad_()
    y = x * 1
    view = y.view(3)
    y.mul_(2)
    view.register_hook(lambda g: log.append(g.tolist()))
    view.sum().backward()
    assert log == [[1.0, 1.0, 1.0]]
    assert x.grad.tolist() == [2.0, 2.0, 2.0]
