"""Hooks where a backward pass with ``inputs=`` ends: PyTorch applies a node that is no leaf's for its hooks alone."""

import pytest

from tests.both import compare

ENDS = {
    "end": lambda x, b, c: [b],
    "leaf": lambda x, b, c: [x],
    "both": lambda x, b, c: [x, b],
    "reversed": lambda x, b, c: [b, x],
    "root": lambda x, b, c: [c],
    "root and end": lambda x, b, c: [c, b],
    "edge": lambda x, b, c: [edge(b)],
    "same twice": lambda x, b, c: [b, b],
}


def edge(t):
    import torch

    import minitorch

    library = minitorch if isinstance(t, minitorch.Tensor) else torch
    return library.autograd.graph.get_gradient_edge(t)


OPERATORS = {
    "exp": lambda torch, x: x.exp(),
    "mul": lambda torch, x: x * x,
    "mul by a number": lambda torch, x: x * 2,
    "second output": lambda torch, x: torch.stack([x, x]).unbind()[1],
    "view": lambda torch, x: (x * 1).view(2),
    "sum of products": lambda torch, x: torch.addcmul(x, x, x),
}


def described(grads):
    return [None if grad is None else grad.tolist() for grad in grads]


def add_hooks(tensor, name, said, kinds):
    node = tensor.grad_fn
    if "tensor" in kinds:
        tensor.register_hook(lambda grad: said.append((name, "tensor", grad.tolist())))
    if "replace" in kinds:
        tensor.register_hook(lambda grad: grad * 10)
    if "retain" in kinds:
        tensor.retain_grad()
    if node is None:
        if "post" in kinds:
            tensor.register_post_accumulate_grad_hook(
                lambda t: said.append((name, "accumulated", t.grad.tolist()))
            )
        return
    if "pre" in kinds:
        node.register_prehook(lambda grads: said.append((name, "pre", described(grads))))
    if "replace" in kinds:
        node.register_prehook(lambda grads: tuple(g if g is None else g * 100 for g in grads))
    if "post" in kinds:
        node.register_hook(
            lambda ins, outs: said.append((name, "post", described(ins), described(outs)))
        )


KINDS = ["tensor", "pre", "post", "retain", "tensor pre post", "tensor pre post replace retain"]


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("end", ENDS)
def test_backward_runs_the_hooks_of_what_it_ends_at(end, operator, kinds):
    def program(torch):
        said = []
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        b = OPERATORS[operator](torch, x)
        c = (b * 3).sum()
        for name, tensor in (("x", x), ("b", b), ("c", c)):
            add_hooks(tensor, name, said, kinds.split())
        c.backward(inputs=ENDS[end](x, b, c))
        grads = [t.grad for t in (x, b, c) if t.is_leaf or t.retains_grad]
        return said, grads, [t.retains_grad for t in (b, c)]

    compare(program)


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("end", ENDS)
def test_grad_runs_the_hooks_of_what_it_ends_at(end, operator, kinds):
    def program(torch):
        said = []
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        b = OPERATORS[operator](torch, x)
        c = (b * 3).sum()
        for name, tensor in (("x", x), ("b", b), ("c", c)):
            add_hooks(tensor, name, said, kinds.split())
        grads = torch.autograd.grad(c, ENDS[end](x, b, c))
        return said, list(grads), [t.grad for t in (b, c) if t.retains_grad]

    compare(program)


@pytest.mark.parametrize("retain", [False, True])
def test_what_the_end_has_saved_is_released(retain):
    def program(torch):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        b = x.exp()
        c = (b * 3).sum()
        c.backward(inputs=[b], retain_graph=retain)
        b.sum().backward()
        return x.grad

    compare(program)


def test_a_function_at_the_end_is_called():
    def program(torch):
        said = []

        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, grad):
                said.append((grad.tolist(), ctx.needs_input_grad))
                return grad * 2

        x = torch.ones(2, requires_grad=True)
        b = Double.apply(x)
        (b * 3).sum().backward(inputs=[b])
        return said, b.grad, x.grad

    compare(program)


def test_an_error_of_the_end_reaches_the_caller():
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        b = x.exp()
        c = b * 3
        b.add_(1)
        c.sum().backward(inputs=[b])

    compare(program)


def test_hooks_run_in_order_under_create_graph():
    def program(torch):
        said = []
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        b = x.exp()
        add_hooks(b, "b", said, ["tensor", "pre", "post"])
        (b * b).sum().backward(inputs=[b], create_graph=True)
        return said, b.grad

    compare(program)
