"""Hooks on nodes, after accumulation, and on several tensors at once; PyTorch is the oracle."""

from collections import OrderedDict

import pytest

from tests.both import like_pytorch

pytestmark = pytest.mark.core


def leaf(torch):
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def values(gradients):
    return [None if g is None else g.tolist() for g in gradients]


def noting_after(log, name, answer=None):
    def hook(grad_inputs, grad_outputs):
        log.append((name, values(grad_inputs), values(grad_outputs)))
        return None if answer is None else answer(grad_inputs)

    return hook


def noting_before(log, name, answer=None):
    def hook(grad_outputs):
        log.append((name, values(grad_outputs)))
        return None if answer is None else answer(grad_outputs)

    return hook


def scaled(factor):
    return lambda gradients: tuple(None if g is None else g * factor for g in gradients)


@like_pytorch
def test_the_order_of_all_hooks_of_one_node(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    y.grad_fn.register_hook(noting_after(log, "post 1", scaled(2)))
    y.grad_fn.register_prehook(noting_before(log, "pre 1", scaled(3)))
    y.register_hook(lambda g: log.append(("tensor", g.tolist())))
    y.retain_grad()
    y.grad_fn.register_hook(noting_after(log, "post 2"))
    y.grad_fn.register_prehook(noting_before(log, "pre 2"))
    (y * y).sum().backward()
    return log, y.grad, x.grad


@like_pytorch
def test_a_post_hook_of_two_inputs(torch):
    log = []
    x, w = leaf(torch), leaf(torch)
    y = x * w
    handle = y.grad_fn.register_hook(noting_after(log, "product", scaled(2)))
    y.sum().backward(retain_graph=True)
    handle.remove()
    y.sum().backward()
    return log, x.grad, w.grad


@like_pytorch
def test_a_post_hook_sees_none_where_no_gradient_is_wanted(torch):
    log = []
    x = leaf(torch)
    y = x * torch.ones(3)
    y.grad_fn.register_hook(noting_after(log, "half"))
    y.sum().backward()
    return log


@like_pytorch
def test_a_post_hook_sees_summed_gradients(torch):
    log = []
    x = torch.ones(1, requires_grad=True)
    y = x * torch.ones(3)
    y.grad_fn.register_hook(noting_after(log, "broadcast"))
    y.sum().backward()
    return log


@like_pytorch
def test_a_pre_hook_of_several_outputs(torch):
    log = []
    x = leaf(torch)
    parts = (x * 2).unbind()
    parts[0].grad_fn.register_prehook(noting_before(log, "parts", scaled(4)))
    parts[1].backward()
    return log, x.grad


@like_pytorch
def test_hooks_of_accumulate_grad(torch):
    log = []
    x = leaf(torch)
    node = torch.autograd.graph.get_gradient_edge(x).node
    node.register_prehook(noting_before(log, "pre", scaled(3)))
    node.register_hook(noting_after(log, "post"))
    x.register_post_accumulate_grad_hook(lambda t: log.append(("accumulated", t.grad.tolist())))
    x.register_hook(lambda g: log.append(("tensor", g.tolist())))
    (x * x).sum().backward()
    return log, x.grad


@like_pytorch
def test_hooks_of_a_custom_function(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor, y):
            return x * factor

        @staticmethod
        def backward(ctx, grad):
            log.append(("backward", grad.tolist()))
            return grad * 2, None, None

    log = []
    x = leaf(torch)
    y = Double.apply(x, 2, torch.ones(1))
    y.grad_fn.register_hook(noting_after(log, "post", scaled(5)))
    y.grad_fn.register_prehook(noting_before(log, "pre", scaled(3)))
    y.register_hook(lambda g: log.append(("tensor", g.tolist())))
    y.sum().backward()
    return log, x.grad


POST = {
    "a tensor": lambda g: g[0],
    "a list": lambda g: list(g),
    "too few": lambda g: g[:1],
    "too many": lambda g: (*g, g[0]),
    "None for a gradient": lambda g: (None, g[1]),
    "another size": lambda g: (g[0][:1], g[1]),
    "another dtype": lambda g: (g[0].double(), g[1]),
    "a number": lambda g: (5, g[1]),
    "an empty tuple": lambda g: (),
}


@pytest.mark.parametrize("answer", POST)
@pytest.mark.parametrize("kind", ["post", "pre"])
def test_what_a_node_hook_may_return(answer, kind):
    @like_pytorch
    def program(torch):
        x, w = leaf(torch), leaf(torch)
        if kind == "post":
            y = x * w

            def hook(grad_inputs, grad_outputs):
                return POST[answer](grad_inputs)

            y.grad_fn.register_hook(hook)
        else:
            y, z = torch.stack([x, w]).unbind()

            def hook(grad_outputs):
                return POST[answer](grad_outputs)

            y.grad_fn.register_prehook(hook)
            y = y + z
        y.sum().backward()
        return x.grad, w.grad

    program()


@like_pytorch
def test_a_post_hook_cannot_make_a_gradient_of_none(torch):
    x = leaf(torch)
    y = x * torch.ones(3)

    def hook(grad_inputs, grad_outputs):
        return grad_inputs[0], grad_inputs[0]

    y.grad_fn.register_hook(hook)
    y.sum().backward()
    return x.grad


@pytest.mark.parametrize("kind", ["post", "pre"])
def test_an_exception_in_a_node_hook(kind):
    @like_pytorch
    def program(torch):
        def hook(*gradients):
            raise LookupError("gone")

        x = leaf(torch)
        y = x * 2
        if kind == "post":
            y.grad_fn.register_hook(hook)
        else:
            y.grad_fn.register_prehook(hook)
        y.sum().backward()

    program()


@like_pytorch
def test_removal_of_node_hooks_during_backward(torch):
    log, handles = [], []
    x = leaf(torch)
    y = x * 2

    def hook(*gradients):
        log.append("removing")
        for handle in handles:
            handle.remove()

    handles.append(y.grad_fn.register_hook(hook))
    handles.append(y.grad_fn.register_hook(noting_after(log, "second")))
    handles.append(y.grad_fn.register_prehook(hook))
    handles.append(y.grad_fn.register_prehook(noting_before(log, "second")))
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    return log, x.grad


@like_pytorch
def test_register_hook_dict(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    y._backward_hooks = OrderedDict({0: lambda g: log.append("first")})
    y.grad_fn._register_hook_dict(y)
    y._backward_hooks[1] = lambda g: log.append("second")
    y.sum().backward()
    return log, x.grad


@like_pytorch
def test_register_hook_dict_takes_a_tensor(torch):
    (leaf(torch) * 2).grad_fn._register_hook_dict({})


@like_pytorch
def test_node_hooks_are_not_run_when_only_captured(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    y.grad_fn.register_prehook(noting_before(log, "pre"))
    y.grad_fn.register_hook(noting_after(log, "post"))
    y.register_hook(lambda g: log.append("tensor"))
    z = (y * y).sum()
    g = torch.autograd.grad(z, y, retain_graph=True)
    torch.autograd.grad(z, (y, x))
    return log, g


@like_pytorch
def test_node_hooks_under_writing_in_place(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    y.grad_fn.register_prehook(noting_before(log, "old"))
    y.mul_(5)
    y.grad_fn.register_prehook(noting_before(log, "new", scaled(2)))
    y.sum().backward()
    return log, x.grad


# ---- after accumulation


@like_pytorch
def test_post_accumulate_hooks(torch):
    log = []
    x = leaf(torch)

    def hook(t):
        log.append((t is x, t.grad.tolist(), torch.is_grad_enabled()))

    handle = x.register_post_accumulate_grad_hook(hook)
    x.register_post_accumulate_grad_hook(lambda t: log.append("second"))
    (x * x).sum().backward()
    handle.remove()
    (x * x).sum().backward()
    torch.autograd.grad((x * x).sum(), x)
    return log, x.grad


@like_pytorch
def test_a_post_accumulate_hook_may_step_and_clear(torch):
    x = leaf(torch)

    def hook(t):
        with torch.no_grad():
            t -= 0.1 * t.grad
        t.grad = None

    x.register_post_accumulate_grad_hook(hook)
    for _ in range(3):
        (x * x).sum().backward()
    return x, x.grad


@like_pytorch
def test_a_post_accumulate_hook_on_no_leaf(torch):
    (leaf(torch) * 2).register_post_accumulate_grad_hook(print)


@like_pytorch
def test_a_post_accumulate_hook_without_gradient(torch):
    torch.ones(2).register_post_accumulate_grad_hook(print)


@like_pytorch
def test_a_post_accumulate_hook_must_return_none(torch):
    x = leaf(torch)
    x.register_post_accumulate_grad_hook(lambda t: t.grad)
    x.sum().backward()


@like_pytorch
def test_a_post_accumulate_hook_under_create_graph(torch):
    log = []
    x = leaf(torch)
    x.register_post_accumulate_grad_hook(lambda t: log.append(t.grad.requires_grad))
    (x * x).sum().backward(create_graph=True, inputs=[x])
    return log, x.grad


# ---- several tensors


@pytest.mark.parametrize("mode", ["all", "any"])
def test_multi_grad_hooks(mode):
    @like_pytorch
    def program(torch):
        log = []
        a, b, c = leaf(torch), leaf(torch), leaf(torch)
        d = a * b

        def hook(gradients):
            log.append(values(gradients) if mode == "all" else gradients.tolist())

        handle = torch.autograd.graph.register_multi_grad_hook((a, d, c, b), hook, mode=mode)
        (d + c).sum().backward()
        (d * 1).sum().backward() if False else None
        (a * a).sum().backward()
        c.sum().backward(inputs=[c])
        handle.remove()
        (b * 2).sum().backward()
        return log

    program()


@like_pytorch
def test_multi_grad_hook_counts_what_is_in_the_graph_but_gets_nothing(torch):
    log = []
    a, b = leaf(torch), leaf(torch)
    y = torch._C._functions.UndefinedGrad()(b * 2)
    torch.autograd.graph.register_multi_grad_hook((a, b), lambda g: log.append(values(g)))
    (a * 3 + y).sum().backward()
    return log


@like_pytorch
def test_a_single_root_is_not_counted(torch):
    log = []
    x = leaf(torch)
    y = x * 2
    y.register_hook(
        lambda g: log.append(
            [torch._C._will_engine_execute_node(n) for n in (z.grad_fn, y.grad_fn)]
        )
    )
    z = y.sum()
    torch.autograd.graph.register_multi_grad_hook([z], lambda g: log.append("hook"))
    z.backward(retain_graph=True)
    z.backward(inputs=[x], retain_graph=True)
    torch.autograd.backward([z, z])
    return log


@pytest.mark.parametrize("mode", ["some", None, "ALL"])
def test_multi_grad_hook_refuses_other_modes(mode):
    @like_pytorch
    def program(torch):
        torch.autograd.graph.register_multi_grad_hook((leaf(torch),), print, mode=mode)

    program()


@pytest.mark.parametrize("mode", ["all", "any"])
def test_multi_grad_hook_on_what_requires_no_grad(mode):
    @like_pytorch
    def program(torch):
        log = []
        x = leaf(torch)
        torch.autograd.graph.register_multi_grad_hook(
            (x, torch.ones(2)), lambda g: log.append(1), mode=mode
        )
        x.sum().backward()
        return log

    program()


@like_pytorch
def test_multi_grad_hook_under_grad_of_a_leaf(torch):
    log = []
    a, b = leaf(torch), leaf(torch)
    torch.autograd.graph.register_multi_grad_hook((a, b), lambda g: log.append(values(g)))
    torch.autograd.grad((a * b).sum(), (a, b))


@pytest.mark.parametrize("inputs", ["a", "c", "ac", "df", "ef", "bcf"])
@pytest.mark.parametrize("hooked", ["ab", "cd", "ef", "bf", "fea", "cc"])
def test_multi_grad_hooks_under_grad(hooked, inputs):
    @like_pytorch
    def program(torch):
        a, b, f = leaf(torch), leaf(torch), leaf(torch)
        c = a * b
        d, e = c.exp(), b * 2
        tensors = {"a": a, "b": b, "c": c, "d": d, "e": e, "f": f}
        log = []
        torch.autograd.graph.register_multi_grad_hook(
            [tensors[name] for name in hooked], lambda g: log.append(values(g))
        )
        gradients = torch.autograd.grad(
            (d + e).sum(), [tensors[name] for name in inputs], allow_unused=True
        )
        return log, gradients

    program()


@like_pytorch
def test_whether_a_node_will_run_is_known_of_nodes_alone(torch):
    torch._C._will_engine_execute_node(1)


@like_pytorch
def test_multi_grad_hook_that_raises(torch):
    a, b = leaf(torch), leaf(torch)

    def hook(gradients):
        raise ArithmeticError("no")

    torch.autograd.graph.register_multi_grad_hook((a, b), hook)
    (a * b).sum().backward()


@like_pytorch
def test_post_hooks_of_a_sink_share_the_gradient_with_grad(torch):
    x = leaf(torch)
    sink = x.view_as(x).grad_fn.next_functions[0][0]
    sink.register_prehook(lambda gradients: (gradients[0] / 5,))
    x.register_hook(lambda gradient: gradient - 2)
    x.register_post_accumulate_grad_hook(lambda tensor: tensor.grad.add_(0.5))
    shared = []

    def after(grad_inputs, grad_outputs):
        shared.append(grad_outputs[0].data_ptr() == x.grad.data_ptr())
        x.grad = grad_outputs[0] * 10

    sink.register_hook(after)
    x.sum().backward()
    return x.grad, shared
