"""What a backward with `inputs=` runs, and the order of execution that it tells, against PyTorch."""

import random

import pytest

import minitorch
from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


def graph(torch, seed, n=14):
    """A random graph over three leaves; its nodes are named in the log when they run."""
    rng = random.Random(seed)
    log = []
    leaves = [torch.ones(2, requires_grad=True) for _ in range(3)]
    made = [(f"leaf {k}", t) for k, t in enumerate(leaves)]
    inner = []
    for k in range(n):
        (_, a), (_, b) = rng.choice(made), rng.choice(made[-5:])
        kind = rng.randrange(5)
        if kind == 0:
            t = a * b
        elif kind == 1:
            t = a + b
        elif kind == 2:
            t = a.sin()
        elif kind == 3:
            t = torch.stack([a, b, a, b, leaves[0]]).sum(0)
        else:
            t = torch.cat([a, b]).split(2)[1]
        t.grad_fn.register_prehook(lambda g, k=k: log.append(k))
        made.append((str(k), t))
        inner.append(t)
    return rng, log, leaves, inner


@pytest.mark.parametrize("seed", range(40))
def test_random_graphs_and_inputs(seed):
    def program(torch):
        rng, log, leaves, inner = graph(torch, seed)
        results = []
        for _ in range(3):
            roots = rng.sample(inner, rng.randint(1, 3))
            ends = rng.sample(leaves + inner, rng.randint(1, 4))
            ends.append(ends[0])
            grads = [torch.full((2,), 10.0**k) for k in range(len(roots))]
            told = []
            handle = roots[0].register_hook(lambda g, told=told: told.append(g))
            results.append(
                torch.autograd.grad(roots, ends, grads, retain_graph=True, allow_unused=True)
            )
            results.append(list(log))
            log.clear()
            torch.autograd.backward(
                roots,
                grads,
                retain_graph=True,
                inputs=[e for e in ends if e.is_leaf] or [leaves[0]],
            )
            results += [[t.grad for t in leaves], list(log)]
            log.clear()
            torch.autograd.backward(roots, grads, retain_graph=True)
            results += [[t.grad for t in leaves], list(log)]
            handle.remove()
            log.clear()
        return results

    compare(program, tolerance=1e-4)


@pytest.mark.parametrize("seed", range(30))
def test_the_planned_order_of_one_root(seed):
    def program(torch):
        rng, log, leaves, inner = graph(torch, seed)
        results = []
        for mode in ("backward", "grad", "inputs"):
            root = rng.choice(inner[4:])
            told = []

            def hook(g, told=told):
                told.extend((n.name(), n._sequence_nr() >= 0) for n in order_told(torch))

            handle = root.register_hook(hook)
            with torch.autograd.set_multithreading_enabled(False):
                if mode == "backward":
                    torch.autograd.backward(root, torch.ones(2), retain_graph=True)
                elif mode == "grad":
                    torch.autograd.grad(
                        root, leaves[:1], torch.ones(2), retain_graph=True, allow_unused=True
                    )
                else:
                    torch.autograd.backward(
                        root, torch.ones(2), retain_graph=True, inputs=leaves[1:]
                    )
            handle.remove()
            results.append(told)
        return results

    compare(program)


def order_told(torch):
    return torch._C._current_graph_task_execution_order()


@pytest.mark.parametrize("ends", ["all", "first leaf", "two leaves"])
@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("seed", range(10))
def test_nodes_run_in_the_planned_order(seed, count, ends):
    """PyTorch tells it of a single root alone."""
    torch = minitorch
    rng, _, leaves, inner = graph(torch, seed)
    roots = rng.sample(inner, count)
    told, ran = [], []
    nodes, stack = set(), [t.grad_fn for t in roots]
    while stack:
        node = stack.pop()
        if node not in nodes:
            nodes.add(node)
            stack += [n for n, _ in node.next_functions if n is not None]
    for node in nodes:
        node.register_prehook(lambda grads, node=node: ran.append(node))
    newest = max(roots, key=lambda t: t.grad_fn._sequence_nr())
    newest.register_hook(lambda g: told.extend(order_told(torch)))
    inputs = {"all": None, "first leaf": leaves[:1], "two leaves": leaves[1:]}[ends]
    with torch.autograd.set_multithreading_enabled(False):
        torch.autograd.backward(roots, [torch.ones(2)] * count, inputs=inputs)
    assert [node for node in told if node in ran] == ran
    assert {node for node in told if node not in ran} <= {t.grad_fn for t in roots}
    assert len(set(told)) == len(told)


def test_a_node_is_listed_once_where_one_root_lies_below_another():
    torch = minitorch
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = y.exp()
    told = []
    z.register_hook(lambda g: told.append([n.name() for n in order_told(torch)]))
    for roots in ([z, y], [y, z], [z, y, x], [z, z]):
        for end in (None, [x]):
            with torch.autograd.set_multithreading_enabled(False):
                torch.autograd.backward(
                    roots, [torch.ones(2)] * len(roots), retain_graph=True, inputs=end
                )
    assert told == [["ExpBackward0", "MulBackward0", "torch::autograd::AccumulateGrad"]] * 8


@like_pytorch
def test_a_root_that_leads_to_no_input_is_listed_alone(torch):
    x, w = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    z = (w * 3).exp()
    told = []
    z.register_hook(lambda g: told.append([n.name() for n in order_told(torch)]))
    with torch.autograd.set_multithreading_enabled(False):
        torch.autograd.backward(z, torch.ones(2), inputs=[x])
    return told


@like_pytorch
def test_an_input_named_twice_and_an_input_that_is_a_root(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = y.exp()
    first = torch.autograd.grad(z, [x, y, x, z, z], torch.ones(2), retain_graph=True)
    second = torch.autograd.grad(
        [z, y], [y, z], [torch.ones(2), torch.ones(2) * 10], retain_graph=True
    )
    z.backward(torch.ones(2), inputs=[x, x, y], retain_graph=True)
    return first, second, x.grad, torch.autograd.grad(x, x, torch.ones(2))


@pytest.mark.parametrize("depth", [1, 254, 255, 256, 257, 1000])
def test_inputs_far_below_the_root(depth):
    def program(torch):
        x, w = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
        y = x
        for _ in range(depth):
            y = y * 1.0
        z = y + w
        return torch.autograd.grad(z, [x, w], torch.ones(1)), y.shape

    compare(program)


@pytest.mark.parametrize("place", range(6))
def test_an_input_behind_any_of_many_edges(place):
    def program(torch):
        x = [torch.full((2,), float(k), requires_grad=True) for k in range(6)]
        log = []
        y = [t * 2 for t in x]
        for k, t in enumerate(y):
            t.grad_fn.register_prehook(lambda g, k=k: log.append(k))
        z = torch.stack(y)
        g = torch.autograd.grad((z * z).sum(), x[place], retain_graph=True)
        z.sum().backward(inputs=[x[place]])
        return g, log, [t.grad for t in x]

    compare(program)


@like_pytorch
def test_gradients_of_inputs_that_are_further_outputs(torch):
    x = torch.arange(6.0).requires_grad_()
    a, b, c = (x * 1).split(2)
    loss = (a * 2).sum() + (b * 30).sum() + (c * 700).sum()
    return (
        torch.autograd.grad(loss, [c, a, b], retain_graph=True),
        torch.autograd.grad(loss, [b], retain_graph=True),
        torch.autograd.grad(loss, [x, c], retain_graph=True),
        torch.autograd.grad((c * 5).sum(), [b, c], allow_unused=True),
    )


@like_pytorch
def test_grad_leaves_dot_grad_alone(torch):
    x = torch.ones(2, requires_grad=True)
    log = []
    x.register_post_accumulate_grad_hook(lambda t: log.append(t.grad))
    g = torch.autograd.grad((x * 2).sum(), x)
    return g, x.grad, log


@like_pytorch
def test_a_non_leaf_among_the_inputs_of_backward(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = y.exp()
    z.sum().backward(inputs=[y], retain_graph=True)
    first = y.grad.clone(), y.retains_grad, x.grad
    z.sum().backward(inputs=[y, x])
    return first, y.grad, x.grad


@like_pytorch
def test_marks_of_one_backward_do_not_count_in_the_next(torch):
    x, w = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    y = x * w
    z = y * y
    log = []
    z.register_hook(lambda g: log.append("z"))
    y.grad_fn.register_prehook(lambda g: log.append("y"))
    results = [torch.autograd.grad(z.sum(), end, retain_graph=True) for end in (x, y, z, w, y)]
    return results, log


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("second", range(4))
def test_one_pass_after_another_over_the_same_graph(first, second):
    """What the first has found out about the nodes does not hold for the second."""

    def program(torch):
        leaves = [torch.full((2,), k + 0.5, requires_grad=True) for k in range(4)]
        a, b, c, d = (leaf.sin() for leaf in leaves)
        left, right = a * b, c + d
        y = (left * right).sum()
        found = []
        for wanted in (first, second, first):
            found.append(torch.autograd.grad(y, leaves[wanted], retain_graph=True))
            y.backward(inputs=[leaves[wanted]], retain_graph=True)
            found.append([leaf.grad for leaf in leaves])
        return found

    compare(program)
