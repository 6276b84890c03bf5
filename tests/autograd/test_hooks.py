"""Hooks on tensors: when they run, in which order, what they may return; PyTorch is the oracle."""

import gc
import traceback
import weakref

import pytest

import minitorch
from tests.autograd.hooks import leaf, noting
from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


@like_pytorch
def test_hooks_run_in_the_order_they_were_registered(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    y.register_hook(noting(log, "first", 2))
    y.register_hook(noting(log, "second"))
    y.register_hook(noting(log, "third", 10))
    (y * y).sum().backward()
    return log, x.grad


@like_pytorch
def test_hooks_of_a_leaf(torch):
    log = []
    x = leaf(torch)
    x.register_hook(noting(log, "leaf", 3))
    (x * x).sum().backward()
    (x * 2).sum().backward()
    return log, x.grad


@like_pytorch
def test_a_hook_sees_the_sum_of_all_uses(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    y.register_hook(noting(log, "once"))
    (y.sum() + (y * y).sum() + y.exp().sum()).backward()
    return len(log), x.grad


@like_pytorch
def test_a_removed_hook_does_not_run(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    first = y.register_hook(noting(log, "first"))
    y.register_hook(noting(log, "second"))
    first.remove()
    first.remove()
    y.sum().backward()
    return log


@like_pytorch
def test_a_handle_is_a_context_manager(torch):
    log = []
    x = leaf(torch)
    with x.register_hook(noting(log, "inside")):
        x.sum().backward()
    x.sum().backward()
    return log


@like_pytorch
def test_a_hook_that_removes_itself_and_another(torch):
    log, handles = [], []
    x = leaf(torch)
    y = x * 2

    def hook(grad):
        log.append("removing")
        for handle in handles:
            handle.remove()

    handles.append(y.register_hook(hook))
    handles.append(y.register_hook(noting(log, "removed by the first")))
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    return log, x.grad


@like_pytorch
def test_a_hook_that_registers_another(torch):
    log = []
    x = leaf(torch)
    y = x * 2

    def hook(grad):
        log.append("registering")
        y.register_hook(noting(log, "late"))

    y.register_hook(hook)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    return log


@like_pytorch
def test_a_hook_on_a_later_node_registered_during_backward(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    z = y * 3

    def hook(grad):
        y.register_hook(noting(log, "late", 5))

    z.register_hook(hook)
    z.sum().backward()
    return log, x.grad


RETURNED = {
    "a number": lambda g: 5,
    "a string": lambda g: "g",
    "a tuple": lambda g: (g,),
    "another dtype": lambda g: g.double(),
    "an integer": lambda g: g.long(),
    "another size": lambda g: g[:2],
    "a scalar": lambda g: g.sum(),
    "one more dimension": lambda g: g.unsqueeze(0),
    "expanded": lambda g: g[:1].expand(3),
    "itself": lambda g: g,
    "another requires_grad": lambda g: g.detach().requires_grad_(),
}


@pytest.mark.parametrize("returned", RETURNED)
@pytest.mark.parametrize("on_leaf", [False, True])
def test_what_a_hook_may_return(returned, on_leaf):
    @like_pytorch
    def program(torch):
        def hook(grad):
            return RETURNED[returned](grad)

        x = leaf(torch)
        y = x * 2
        (x if on_leaf else y).register_hook(hook)
        y.sum().backward()
        return x.grad

    program()


@like_pytorch
def test_a_hook_on_what_requires_no_grad(torch):
    torch.ones(2).register_hook(print)


@like_pytorch
def test_a_hook_that_cannot_be_called(torch):
    x = leaf(torch)
    x.register_hook(5)
    x.sum().backward()


@pytest.mark.parametrize("hook_first", [False, True])
@pytest.mark.parametrize("on_leaf", [False, True])
def test_retain_grad_comes_after_all_hooks(hook_first, on_leaf):
    @like_pytorch
    def program(torch):
        log = []
        x = leaf(torch)
        y = x if on_leaf else x * 2
        if hook_first:
            y.register_hook(noting(log, "before", 2))
        y.retain_grad()
        y.register_hook(noting(log, "after", 3))
        (y * y).sum().backward()
        return log, y.grad, x.grad, y.retains_grad

    program()


@like_pytorch
def test_retain_grad_adds_up(torch):
    y = leaf(torch) * 2
    y.retain_grad()
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    return y.grad


@like_pytorch
def test_retain_grad_without_gradient(torch):
    torch.ones(2).retain_grad()


@like_pytorch
def test_hooks_under_create_graph(torch):
    log = []
    x = leaf(torch)
    y = x * x

    def hook(grad):
        log.append((torch.is_grad_enabled(), grad.requires_grad))
        return grad * x

    y.register_hook(hook)
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    (g2,) = torch.autograd.grad(g.sum(), x)
    return log, g, g2


@like_pytorch
def test_hooks_without_create_graph_record_nothing(torch):
    log = []
    x = leaf(torch)
    y = x * x
    y.register_hook(lambda grad: log.append((torch.is_grad_enabled(), grad.requires_grad)))
    y.sum().backward()
    return log


@like_pytorch
def test_a_hook_that_writes_to_its_gradient(torch):
    x = leaf(torch)
    y = x * 2
    y.register_hook(lambda grad: grad.mul_(3) and None)
    y.retain_grad()
    (y * y).sum().backward()
    return x.grad, y.grad


@like_pytorch
def test_hooks_see_what_grad_captures(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    x.register_hook(noting(log, "x", 2))
    y.register_hook(noting(log, "y", 3))
    z = (y * y).sum()
    both = torch.autograd.grad(z, (x, y), retain_graph=True)
    alone = torch.autograd.grad(z, y, retain_graph=True)
    z.backward(inputs=[y])
    return log, both, alone, y.grad, x.grad


@like_pytorch
def test_unused_outputs_run_no_hook(torch):
    log = []
    x = leaf(torch)
    a, b, c = (x * 2).unbind()
    a.register_hook(noting(log, "a"))
    b.register_hook(noting(log, "b", 3))
    b.retain_grad()
    b.backward()
    return log, x.grad, b.grad


@like_pytorch
def test_hooks_of_several_outputs_of_one_node(torch):
    log = []
    x = leaf(torch)
    parts = (x * 2).unbind()
    for k, part in enumerate(parts):
        part.register_hook(noting(log, k, k + 1))
    (parts[2] + 2 * parts[0]).backward()
    return log, x.grad


@like_pytorch
def test_an_exception_in_a_hook(torch):
    x = leaf(torch)
    y = x * 2

    def hook(grad):
        raise KeyError("lost")

    handle = y.register_hook(hook)
    z = y.sum()
    try:
        z.backward()
    except KeyError as error:
        text = str(error)
    handle.remove()
    try:
        z.backward()
    except RuntimeError as error:
        return text, str(error), x.grad
    return text, x.grad


def test_an_exception_in_a_hook_keeps_its_traceback():
    x = minitorch.ones(2, requires_grad=True)
    failure = LookupError("lost")

    def hook_that_fails(grad):
        raise failure

    x.register_hook(hook_that_fails)
    with pytest.raises(LookupError) as caught:
        x.sum().backward()
    assert caught.value is failure
    assert "hook_that_fails" in [f.name for f in traceback.extract_tb(failure.__traceback__)]


@pytest.mark.parametrize("kind", ["tensor", "leaf", "post", "pre", "accumulate", "multi"])
def test_a_cycle_through_a_hook_is_collected(kind):
    x = minitorch.ones(2, requires_grad=True)
    y = (x * 2).exp()
    z = y.sum()

    def hook(*gradients, held=(x, y, z)):
        return None

    if kind == "tensor":
        y.register_hook(hook)
    elif kind == "leaf":
        x.register_hook(hook)
    elif kind == "post":
        y.grad_fn.register_hook(hook)
    elif kind == "pre":
        y.grad_fn.register_prehook(hook)
    elif kind == "accumulate":
        x.register_post_accumulate_grad_hook(hook)
    else:
        minitorch.autograd.graph.register_multi_grad_hook((x, y), hook)
    references = [weakref.ref(t) for t in (x, y, z)]
    z.backward()
    del x, y, z, hook
    gc.collect()
    assert [r() for r in references] == [None, None, None]


@pytest.mark.parametrize("kind", ["to_sparse", "cfloat", "cdouble", "bfloat16", "int"])
@pytest.mark.parametrize("complex_numbers", [False, True])
def test_hooks_keep_the_kind_of_a_gradient(kind, complex_numbers):
    def hook(gradient):
        return getattr(gradient, kind)()

    def program(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * (1j if complex_numbers else 1)
        y.register_hook(hook)
        y.abs().sum().backward()
        return x.grad

    compare(program)


@like_pytorch
def test_multi_grad_hook_is_called_with_a_list(torch):
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    seen = []
    torch.autograd.graph.register_multi_grad_hook(
        (x, y), lambda grads: seen.append((type(grads).__name__, [g.tolist() for g in grads]))
    )
    (x * y).sum().backward()
    return seen
