"""Tensors that were saved and then cut off from their history; what is saved for whom."""

import contextlib

import pytest

from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


def outcome(call):
    try:
        return call()
    except RuntimeError as error:
        return str(error).partition(" Hint")[0]


def start(torch):
    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    return leaf, leaf * 2


USES = {
    "mul": lambda torch, x, leaf: x * x,
    "dot": lambda torch, x, leaf: leaf @ x,
    "stack, of a list": lambda torch, x, leaf: torch.stack([x, x]) * 2,
    "einsum": lambda torch, x, leaf: torch.einsum("i,i->", x, leaf),
    "multi_dot": lambda torch, x, leaf: torch.linalg.multi_dot([x, x[:, None] * x, x]),
    "its result alone": lambda torch, x, leaf: x.exp(),
    "nothing": lambda torch, x, leaf: x + leaf,
    "a view as well": lambda torch, x, leaf: x * x.view(2),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("written", [False, True])
def test_a_saved_input_that_was_detached_is_refused(use, written):
    def program(torch):
        leaf, x = start(torch)
        y = USES[use](torch, x, leaf)
        x.detach_()
        if written:
            x.mul_(2)
        return outcome(lambda: y.sum().backward()), leaf.grad, x

    compare(program)


@like_pytorch
def test_a_saved_input_stays_refused_when_it_is_a_leaf_again(torch):
    leaf, x = start(torch)
    y = x * x
    x.detach_().requires_grad_()
    z = (x * 3).sum()
    z.backward()
    return outcome(lambda: y.sum().backward()), leaf.grad, x.grad


@like_pytorch
def test_results_that_were_detached_are_used(torch):
    leaf, x = start(torch)
    y = x.exp()
    z = y * 2
    y.detach_()
    (first,) = torch.autograd.grad(z.sum(), leaf, create_graph=True, retain_graph=True)
    (second,) = torch.autograd.grad(first.sum(), leaf, retain_graph=True)
    y.mul_(2)
    return first, second, outcome(lambda: z.sum().backward())


@like_pytorch
def test_hooks_keep_what_was_detached_later(torch):
    leaf, x = start(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        y = x * x
    x.detach_()
    return outcome(lambda: y.sum().backward()), leaf.grad


@like_pytorch
def test_a_function_keeps_what_was_detached_later(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x * x
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            return grad * x + y

    leaf, x = start(torch)
    y = Square.apply(x)
    x.detach_()
    z = y * 2
    y.detach_()
    return outcome(lambda: z.sum().backward()), leaf.grad


@like_pytorch
def test_a_result_is_saved_for_whichever_input_has_a_gradient(torch):
    leaf, x = start(torch)
    y = x ** torch.tensor([2.0, 3.0])
    saved = y.grad_fn._saved_result.detach().clone()
    y.mul_(2)
    return saved, outcome(lambda: y.sum().backward())


@pytest.mark.parametrize("mode", ["no_grad", "inference_mode"])
def test_what_a_node_without_edges_has_saved_is_looked_at(mode):
    def program(torch):
        leaf = torch.ones(2, 3, requires_grad=True)
        with getattr(torch, mode)():
            view = leaf.narrow(0, 0, 1)
        y = torch.renorm(view, 1, -1, 0.5)
        z = y.exp()
        with torch.no_grad() if mode == "no_grad" else contextlib.nullcontext():
            with torch.inference_mode(mode == "inference_mode"):
                view.mul_(2)
        error = outcome(lambda: z.sum().backward())
        # about a view of inference mode PyTorch says first that it is one
        return error if mode == "no_grad" else type(error).__name__, leaf.grad

    compare(program)


def ones(torch, *shape):
    return torch.ones(shape, requires_grad=True) * 1


# the operator, and which argument is written to between forward and backward
KEPT = {
    "index_add": (lambda torch, x, y: x.index_add(0, torch.tensor([0, 1]), y), 1),
    "index_copy": (lambda torch, x, y: x.index_copy(0, torch.tensor([0, 1]), y), 1),
    "gather": (lambda torch, x, y: x.gather(0, torch.tensor([[0, 1], [1, 1]])), 0),
    "take": (lambda torch, x, y: x.take(torch.tensor([0, 1])), 0),
    "put": (lambda torch, x, y: x.put(torch.tensor([0, 1]), y[0]), 1),
    "cholesky_solve": (lambda torch, x, y: torch.cholesky_solve(x, y + torch.eye(2)), 0),
    "reflection_pad": (lambda torch, x, y: torch.nn.functional.pad(x, (1, 1), "reflect"), 0),
    "replication_pad": (lambda torch, x, y: torch.nn.functional.pad(x, (1, 1), "replicate"), 0),
    "rfft": (lambda torch, x, y: torch.fft.rfft(x).abs(), 0),
    "constant_pad": (lambda torch, x, y: torch.nn.functional.pad(x, (1, 1)), 0),
    "scatter_add": (lambda torch, x, y: x.scatter_add(0, torch.zeros(2, 2).long(), y), 1),
    "masked_scatter": (lambda torch, x, y: x.masked_scatter(x > 0, y), 1),
}


@pytest.mark.parametrize("name", KEPT)
@pytest.mark.parametrize("wanted", [(1, 0), (0, 1), (1, 1)])
def test_what_an_operator_has_saved_is_not_to_be_written_to(name, wanted):
    call, written = KEPT[name]

    def program(torch):
        arguments = [ones(torch, 2, 2) if w else torch.ones(2, 2) for w in wanted]
        y = call(torch, *arguments)
        if not y.requires_grad:
            return None
        with torch.no_grad():
            arguments[written].mul_(2)
        return outcome(lambda: y.sum().backward())

    compare(program)


@like_pytorch
def test_logcumsumexp_of_a_nan_gradient(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    grad = torch.tensor([1.0, float("nan"), 2.0])
    return torch.autograd.grad(x.logcumsumexp(0), x, grad)
