"""The order of nodes, and the scratch that a backward keeps in them, also of failed and nested ones."""

import gc
import random
import threading

import pytest

import minitorch
from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


def logged(torch, log, t, name):
    t.grad_fn.register_prehook(lambda g: log.append(name))
    return t


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("n", [2, 3, 5, 64, 65, 130])
def test_the_newest_ready_node_runs_first(n, seed):
    def program(torch):
        rng = random.Random(seed)
        log = []
        x = torch.ones(1, requires_grad=True)
        made = [x * 1]
        for k in range(n):
            parents = rng.sample(made, min(len(made), rng.randint(1, 2)))
            made.append(
                logged(torch, log, sum(parents) * 1.0, k) if rng.random() < 0.9 else made[0] * 1
            )
        order = list(range(n))
        rng.shuffle(order)
        torch.autograd.backward([made[k + 1] for k in order], [torch.ones(1)] * n)
        return log, x.grad

    compare(program, tolerance=1e-3)


@pytest.mark.parametrize("n", [2, 3, 7, 64, 65, 200])
def test_many_nodes_that_are_ready_at_once(n):
    def program(torch):
        log = []
        leaves = [torch.ones(1, requires_grad=True) for _ in range(n)]
        order = list(range(n))
        random.Random(n).shuffle(order)
        y = {k: logged(torch, log, leaves[k] * 2, k) for k in order}
        random.Random(n + 1).shuffle(order)
        torch.cat([y[k] for k in order]).sum().backward()
        return log

    compare(program)


@pytest.mark.parametrize("n", [2, 3, 4, 6, 9])
def test_leaves_that_are_ready_at_once(n):
    """All sinks have one number."""

    def program(torch):
        log = []
        leaves = [torch.ones(1, requires_grad=True) for _ in range(n)]
        for k, t in enumerate(leaves):
            t.register_hook(lambda g, k=k: log.append(k))
        torch.cat(leaves).sum().backward()
        stack = torch.stack([*leaves[::-1]])
        stack.sum().backward()
        torch.autograd.backward(leaves, [torch.ones(1)] * n)
        return log

    compare(program)


@pytest.mark.parametrize("seed", range(4))
def test_nodes_with_numbers_that_were_set(seed):
    def program(torch):
        rng = random.Random(seed)
        log = []
        leaves = [torch.ones(1, requires_grad=True) for _ in range(40)]
        y = [logged(torch, log, t * 2, k) for k, t in enumerate(leaves)]
        for t in y:
            t.grad_fn._set_sequence_nr(rng.randint(0, 10**6))
        torch.cat(y).sum().backward()
        return log

    compare(program)


# ---- after a failure


class Flaky:
    """A Function that fails while `self.failing`."""

    def __init__(self, torch):
        self.failing = True
        outer = self

        class Function(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 1

            @staticmethod
            def backward(ctx, g):
                if outer.failing:
                    raise ValueError("stop")
                return g

        self.apply = Function.apply


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("outputs", [1, 2, 3])
@pytest.mark.parametrize("again", ["same", "other_root", "grad", "part"])
def test_a_retry_after_a_failure_begins_anew(outputs, again, create_graph):
    """The node y has got a gradient when the backward fails, and must have forgotten it."""

    def program(torch):
        x = torch.ones(6, requires_grad=True)
        flaky = Flaky(torch)
        parts = (x * 2).split(6 // outputs)
        y = parts[-1]
        failing = flaky.apply(y)
        early = y * 10  # newer than what fails, so it runs before
        loss = failing.sum() + early.sum() + (parts[0] * 100).sum()
        try:
            loss.backward(retain_graph=True, create_graph=create_graph)
        except ValueError:
            pass
        flaky.failing = False
        if again == "same":
            loss.backward(create_graph=create_graph)
            return x.grad
        if again == "other_root":
            failing.sum().backward(create_graph=create_graph)
            return x.grad
        if again == "grad":
            return torch.autograd.grad(loss, [x, y], create_graph=create_graph)
        return torch.autograd.grad(failing.sum(), y, create_graph=create_graph)

    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compare(program)


@pytest.mark.parametrize("times", [1, 3])
def test_failures_again_and_again(times):
    def program(torch):
        x = torch.ones(3, requires_grad=True)
        flaky = Flaky(torch)
        y = x * 2
        loss = flaky.apply(y).sum() + (y * 10).sum()
        for _ in range(times):
            try:
                loss.backward(retain_graph=True)
            except ValueError:
                pass
        g = torch.autograd.grad((y * 7).sum(), x, retain_graph=True)
        flaky.failing = False
        loss.backward()
        return g, x.grad

    compare(program)


@like_pytorch
def test_a_failure_inside_a_nested_backward_over_the_same_graph(torch):
    x = torch.ones(3, requires_grad=True)
    flaky = Flaky(torch)
    y = x * 2
    bad = flaky.apply(y).sum() + (y * 10).sum()
    good = (y * 3).sum()
    log = []

    def hook(g):
        try:
            bad.backward(retain_graph=True)
        except ValueError as error:
            log.append(str(error))
        flaky.failing = False
        log.append(torch.autograd.grad(bad, x, retain_graph=True)[0].clone())

    z = y * 5
    z.register_hook(hook)
    (z.sum() + good).backward(retain_graph=True)
    first = x.grad.clone()
    bad.backward()
    return log, first, x.grad


# ---- two backwards over one graph


@pytest.mark.parametrize("how", ["grad", "grad_of_y", "backward", "inputs", "two"])
@pytest.mark.parametrize("outputs", [1, 2])
def test_a_nested_backward_over_nodes_that_wait(outputs, how):
    """y has one of its gradients when a backward inside runs over it; each counts for itself."""

    def program(torch):
        x, w = torch.ones(4, requires_grad=True), torch.ones(4, requires_grad=True)
        base = x * w
        y = base * 1 if outputs == 1 else (base.repeat(2) * 1).split(4)[1]
        other = y * 3
        late = y.exp()
        log = []

        def hook(g):
            loss = (y * 100).sum() + other.sum() + (late * 1000).sum()
            if how == "grad":
                log.append(torch.autograd.grad(loss, x, retain_graph=True))
            elif how == "grad_of_y":
                log.append(torch.autograd.grad(loss, [y, w], retain_graph=True))
            elif how == "backward":
                loss.backward(retain_graph=True)
                log.append(x.grad.clone())
            elif how == "inputs":
                loss.backward(retain_graph=True, inputs=[w])
                log.append((w.grad.clone(), x.grad is None))
            else:
                for _ in range(2):
                    log.append(torch.autograd.grad(loss, [x, w], retain_graph=True))

        late.register_hook(hook)
        with torch.enable_grad():
            total = late.sum() + other.sum() * 1 + (y * 7).sum()
        total.backward(retain_graph=True)
        first = [t.grad.clone() for t in (x, w)]
        return log, first, torch.autograd.grad(total, [x, w])

    compare(program, tolerance=1e-4)


@like_pytorch
def test_a_nested_backward_needs_other_inputs_than_the_outer_one(torch):
    x, w = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    y = x * w
    log = []
    z = y.exp()

    def hook(g):
        with torch.enable_grad():
            loss = (y * 3).sum()
        log.append(torch.autograd.grad(loss, w, retain_graph=True)[0].clone())

    z.register_hook(hook)
    first = torch.autograd.grad((z + y * 2).sum(), x, retain_graph=True)
    (z + y * 2).sum().backward(inputs=[x])
    return log, first, x.grad, w.grad


def test_two_threads_over_one_graph():
    torch = minitorch
    x = torch.ones(50, requires_grad=True)
    y = x
    for _ in range(30):
        y = y * 1.0 + y * 0.0
    a, b = y * 2, y * 3
    expected = [torch.autograd.grad(t.sum(), x, retain_graph=True)[0] for t in (a, b)]
    wrong = []
    inside = threading.Barrier(2)

    def run(t, right):
        calls = []
        t.register_hook(lambda g: None if calls or inside.wait(20) < 2 else None)
        for _ in range(20):
            (g,) = torch.autograd.grad(t.sum(), x, retain_graph=True)
            calls.append(1)
            if g.tolist() != right.tolist():
                wrong.append(g)

    threads = [
        threading.Thread(target=run, args=pair) for pair in zip((a, b), expected, strict=True)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


# ---- gradients of nodes with several outputs


@like_pytorch
def test_each_output_gets_its_own_gradients(torch):
    x = torch.arange(6.0).requires_grad_()
    a, b, c = (x * 1).split(2)
    loss = (a * 2).sum() + (b * 30).sum() + (a * 5).sum() + (c * 700).sum() + (b * 1000).sum()
    seen = []
    node = a.grad_fn
    node.register_prehook(lambda grads: seen.append([g.clone() for g in grads]))
    loss.backward()
    return x.grad, seen


@pytest.mark.parametrize("used", [(0,), (1,), (2,), (0, 2), (1, 2)])
def test_outputs_that_get_no_gradient(used):
    def program(torch):
        class Three(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.set_materialize_grads(False)
                return x * 1, x * 2, x * 3

            @staticmethod
            def backward(ctx, *grads):
                seen.append(grads)
                return sum(g for g in grads if g is not None)

        seen = []
        x = torch.ones(2, requires_grad=True)
        outputs = Three.apply(x)
        sum((outputs[k] * 10**k).sum() for k in used).backward(retain_graph=True)
        sum((outputs[k] * 10**k).sum() for k in used[:1]).backward()
        return x.grad, seen

    compare(program)


@like_pytorch
def test_a_node_none_of_whose_outputs_gets_a_gradient(torch):
    class Nothing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.sum()

        @staticmethod
        def backward(ctx, g):
            return None

    log = []
    x = torch.arange(6.0).requires_grad_()
    parts = (x * 1).split(2)
    parts[0].grad_fn.register_prehook(lambda grads: log.append(grads))
    parts[1].register_hook(lambda g: log.append(g))
    one = x * 3
    one.grad_fn.register_prehook(lambda grads: log.append(grads))
    (Nothing.apply(parts[1]) + Nothing.apply(one)).backward()
    return log, x.grad


@like_pytorch
def test_a_second_backward_has_nothing_of_the_first(torch):
    x = torch.arange(6.0).requires_grad_()
    a, b, c = (x * 1).split(2)
    one = x * 5
    results = []
    for loss in (a.sum() + one.sum(), b.sum(), (c * 2).sum() + one.sum()):
        results += torch.autograd.grad(loss, x, retain_graph=True)
        results += torch.autograd.grad(loss, [a, b, c, one], retain_graph=True, allow_unused=True)
    return results


def test_queued_nodes_are_released_after_an_error():
    torch = minitorch
    x = torch.ones(1, requires_grad=True)
    flaky = Flaky(torch)
    waiting = [x * k for k in range(5)]
    gone = []

    class Watch:
        def __del__(self):
            gone.append(1)

    for w in waiting:
        w.grad_fn.metadata["watch"] = Watch()
    last = flaky.apply(x)
    loss = torch.stack([*waiting, last]).sum()
    with pytest.raises(ValueError) as caught:
        loss.backward()
    del waiting, last, loss, w, caught, flaky
    gc.collect()
    assert len(gone) == 5
