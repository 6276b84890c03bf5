"""A backward inside a backward, callbacks, exceptions that cross both, several threads."""

import threading
import traceback

import numpy as np
import pytest

import minitorch
from tests.autograd import stress
from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


def descending(torch, at_each_depth=None):
    """A Function whose backward runs another backward, as deep as its input says."""

    class Descend(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.depth = x.item()
            return x.detach() - 1

        @staticmethod
        def backward(ctx, grad):
            if at_each_depth is not None:
                at_each_depth(ctx.depth)
            if ctx.depth < 1:
                return grad
            with torch.enable_grad():
                y = torch.tensor(ctx.depth - 1.0, requires_grad=True)
                Descend.apply(y).backward()
            return y.grad

    return Descend


def test_ten_thousand_levels():
    x = minitorch.tensor(10000.0, requires_grad=True)
    descending(minitorch).apply(x).backward()
    assert x.grad.item() == 1


@like_pytorch
def test_each_level_has_a_number_of_its_own(torch):
    numbers = []

    def note(depth):
        numbers.append(torch._C._current_graph_task_id())

    x = torch.tensor(5.0, requires_grad=True)
    descending(torch, note).apply(x).backward()
    steps = [b - a for a, b in zip(numbers, numbers[1:], strict=False)]
    return steps, torch._C._current_graph_task_id()


@like_pytorch
def test_inner_gradients_stop_where_they_are_wanted(torch):
    """What the inner pass does not lead to is left to the outer one, which has its buffers yet."""

    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, weight, x):
            ctx.save_for_backward(weight, x)
            return weight * x

        @staticmethod
        def backward(ctx, grad):
            weight, x = ctx.saved_tensors
            own = weight.detach().requires_grad_()
            with torch.enable_grad():
                # x is a result of the graph that the outer pass is in
                loss = (grad * own * x).sum()
                (inner,) = torch.autograd.grad(loss, [own])
            return inner, weight * grad

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    weight = torch.tensor([3.0, 5.0], requires_grad=True)
    ran = []
    middle = x.exp()
    middle.grad_fn.register_hook(lambda *_: ran.append("exp"))
    Scale.apply(weight, middle * middle).sum().backward()
    return x.grad, weight.grad, ran


@like_pytorch
def test_callbacks_at_every_level(torch):
    log = []
    engine = torch.autograd.Variable._execution_engine

    def note(depth):
        log.append(("backward", depth))
        engine.queue_callback(lambda: log.append(("callback", depth)))

    x = torch.tensor(3.0, requires_grad=True)
    descending(torch, note).apply(x).backward()
    return log, x.grad


@like_pytorch
def test_callbacks_run_in_order_after_everything_else(torch):
    log = []
    engine = torch.autograd.Variable._execution_engine
    x = torch.ones(2, requires_grad=True)
    y = x * 2

    def hook(grad):
        engine.queue_callback(lambda: log.append(("first", x.grad.tolist())))
        engine.queue_callback(second)

    def second():
        log.append("second")
        engine.queue_callback(lambda: log.append("queued by the second"))

    y.register_hook(hook)
    y.sum().backward()
    return log


@like_pytorch
def test_a_callback_outside_of_a_backward(torch):
    torch.autograd.Variable._execution_engine.queue_callback(print)


@like_pytorch
def test_a_callback_that_raises(torch):
    x = torch.ones(2, requires_grad=True)
    engine = torch.autograd.Variable._execution_engine
    y = x * 2

    def callback():
        raise LookupError("late")

    y.register_hook(lambda grad: engine.queue_callback(callback))
    try:
        y.sum().backward()
    except LookupError as error:
        text = str(error)
    (x * 3).sum().backward()
    return text, x.grad


@like_pytorch
def test_a_backward_inside_a_callback(torch):
    x, w = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    engine = torch.autograd.Variable._execution_engine
    y = x * 2
    z = (w * 5).sum()
    y.register_hook(lambda grad: engine.queue_callback(z.backward))
    y.sum().backward()
    return x.grad, w.grad


@like_pytorch
def test_a_backward_inside_a_hook(torch):
    x, w = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda grad: (w * grad).sum().backward() if grad.requires_grad else None)

    def hook(grad):
        with torch.enable_grad():
            (w * grad * 3).sum().backward()

    y.register_hook(hook)
    (y * y).sum().backward()
    return x.grad, w.grad


@like_pytorch
def test_the_same_graph_inside_itself(torch):
    x = torch.ones(2, requires_grad=True)
    y = (x * 2).exp()
    z = y * y
    depth = []

    def hook(grad):
        if len(depth) < 2:
            depth.append(1)
            y.sum().backward(retain_graph=True)

    y.register_hook(hook)
    z.sum().backward(retain_graph=True)
    return x.grad, len(depth)


@like_pytorch
def test_grad_inside_backward(torch):
    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            with torch.enable_grad():
                a = x.detach().requires_grad_()
                (g,) = torch.autograd.grad((a**3).sum(), a)
            return grad * g

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (Inner.apply(x) + Inner.apply(x * 2)).sum().backward()
    return x.grad, torch.is_grad_enabled()


@pytest.mark.parametrize("depth", [0, 3, 200])
def test_an_exception_from_a_nested_backward(depth):
    class Lost(Exception):
        pass

    def at(level):
        if level == 0:
            raise Lost("at the bottom", depth)

    x = minitorch.tensor(float(depth), requires_grad=True)
    with pytest.raises(Lost) as caught:
        descending(minitorch, at).apply(x).backward()
    assert caught.value.args == ("at the bottom", depth)
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert names[-1] == "at" and names.count("backward") >= depth
    assert minitorch._C._current_graph_task_id() == -1
    y = minitorch.tensor(2.0, requires_grad=True)
    descending(minitorch).apply(y).backward()
    assert y.grad.item() == 1


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_exceptions_that_are_no_errors(kind):
    def at(level):
        if level == 0:
            raise kind

    x = minitorch.tensor(150.0, requires_grad=True)
    with pytest.raises(kind):
        descending(minitorch, at).apply(x).backward()
    assert minitorch._C._current_graph_task_id() == -1 and minitorch.is_grad_enabled()


def in_threads(count, work):
    failures = []

    def run(k):
        try:
            work(k)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures


def test_eight_threads_over_one_graph():
    x = minitorch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * 3).sin()
    z = (y * y).sum()
    calls = []
    y.register_hook(lambda grad: calls.append(1))
    rounds = 40
    in_threads(8, lambda k: [z.backward(retain_graph=True) for _ in range(rounds)])
    once = minitorch.autograd.grad(z, x)[0].numpy()
    assert len(calls) == 8 * rounds + 1
    np.testing.assert_allclose(x.grad.numpy(), once * (8 * rounds), rtol=1e-4)


def test_eight_threads_with_graphs_of_their_own_and_one_leaf():
    x = minitorch.zeros(3, requires_grad=True)
    in_threads(8, lambda k: [((x + 1) * k).sum().backward() for _ in range(50)])
    assert x.grad.tolist() == [50.0 * sum(range(8))] * 3


@pytest.mark.parametrize("rounds", [1, 20])
def test_no_addition_to_one_large_gradient_is_lost(rounds):
    """Kernels release the GIL for so many elements, when they copy the first gradient and when they add."""
    leaf = minitorch.zeros(200_000, requires_grad=True)
    gradient = minitorch.ones(200_000)
    start = threading.Barrier(4)

    def passes(k):
        start.wait()
        for _ in range(rounds):
            leaf.backward(gradient)

    in_threads(4, passes)
    assert (leaf.grad == 4 * rounds).all()


def test_threads_with_nested_backwards_hooks_and_exceptions():
    """Exact sums and no exception lost, after two seconds of everything at once."""
    counts = stress.run(seconds=2, threads=4)
    assert [c.wrong for c in counts] == [[]] * 4
    assert [c.caught for c in counts] == [c.planted for c in counts]
    assert all(c.rounds > 10 for c in counts)
    assert sum(c.planted for c in counts) > 10


@pytest.mark.parametrize("wanted", ["a", "b", "both", "product"])
@pytest.mark.parametrize("of", ["product", "sum"])
def test_inner_gradients_through_nodes_that_the_outer_pass_is_yet_to_run(wanted, of):
    """The inner pass runs those that lead to what it wants and leaves the others alone."""

    def program(torch):
        ran, inner = [], []
        a, b = (torch.full((2,), k, requires_grad=True) for k in (0.5, 2.0))
        left, right = a.exp(), b.sin()
        product = left * right
        total = product + left
        for name, t in (("left", left), ("right", right), ("product", product), ("total", total)):
            t.grad_fn.register_hook(lambda *_, name=name: ran.append(name))
        inputs = {"a": [a], "b": [b], "both": [a, b], "product": [product]}[wanted]

        class Inner(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x.clone()

            @staticmethod
            def backward(ctx, g):
                start = product if of == "product" else total
                ran.append("inner pass")
                inner.append(
                    torch.autograd.grad(start, inputs, torch.ones(2), True, allow_unused=True)
                )
                ran.append("outer pass")
                return g

        Inner.apply(total).sum().backward()
        return ran, inner, a.grad, b.grad

    compare(program)


@like_pytorch
def test_inner_backward_with_inputs_through_nodes_of_the_outer_pass(torch):
    a, b = (torch.full((2,), k, requires_grad=True) for k in (0.5, 2.0))
    product = a.exp() * b.sin()
    seen = []

    def hook(grad):
        if not seen:
            seen.append(None)
            product.backward(torch.ones(2), inputs=[a], retain_graph=True)
            seen.extend([a.grad.clone(), b.grad])

    y = product * 1
    y.register_hook(hook)
    y.sum().backward()
    return seen, a.grad, b.grad
