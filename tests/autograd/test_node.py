"""Fields of a node: edges beyond the third, outputs beyond the first, slots, what the collector sees, memory."""

import gc
import weakref

import pytest

import minitorch
from minitorch.core import allocator
from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


@pytest.fixture(autouse=True, scope="module")
def little_for_the_collector():
    """What is there before these tests need not be looked at by each of their collections."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def allocated():
    return allocator.memory_stats()["allocated_bytes"]


# ---- edges


@pytest.mark.parametrize("count", range(1, 8))
def test_edges_to_further_outputs(count):
    def program(torch):
        x = torch.arange(24.0).requires_grad_()
        parts = (x * 1).split(3)
        chosen = parts[1 : count + 1]
        y = torch.stack(chosen)
        edges = [(n.name(), nr) for n, nr in y.grad_fn.next_functions]
        grads = torch.autograd.grad(
            (y * torch.arange(3.0 * count).view(count, 3)).sum(), [x, *parts], allow_unused=True
        )
        return edges, grads

    compare(program)


@pytest.mark.parametrize(
    "needed", [(0,), (1,), (2,), (3,), (4,), (6,), (0, 3), (1, 5), (3, 4), (2, 6), ()]
)
def test_edges_that_lead_nowhere_among_others(needed):
    def program(torch):
        x = [torch.full((2,), float(k), requires_grad=k in needed) for k in range(7)]
        y = torch.cat(x)
        if not needed:
            return y.grad_fn
        edges = [(n and n.name(), nr) for n, nr in y.grad_fn.next_functions]
        (y * torch.arange(14.0)).sum().backward()
        return edges, [t.grad for t in x]

    compare(program)


@pytest.mark.parametrize("place", range(3))
def test_edges_of_operators_with_three_inputs(place):
    def program(torch):
        x = torch.arange(1.0, 10.0).requires_grad_()
        a, b, c = (x * 1).split(3)
        order = [(a, b, c), (b, c, a), (c, a, b)][place]
        y = torch.addcmul(*order)
        return [(n.name(), nr) for n, nr in y.grad_fn.next_functions], torch.autograd.grad(
            y.sum(), [x, a, b, c]
        )

    compare(program)


@like_pytorch
def test_gradients_of_a_function_with_many_inputs(torch):
    class Many(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *x):
            return sum(x)

        @staticmethod
        def backward(ctx, g):
            return tuple(g * 10**k if k % 3 else None for k in range(8))

    x = [torch.ones(2, requires_grad=True) for _ in range(8)]
    y = Many.apply(*x)
    y.sum().backward(retain_graph=True)
    return [t.grad for t in x], torch.autograd.grad(y.sum(), x[::-1], allow_unused=True)


# ---- outputs


@like_pytorch
def test_each_output_has_its_own_shape_and_dtype(torch):
    x = torch.arange(6.0).view(2, 3).requires_grad_()
    parts = (x * 1).split([1, 2], 1)
    both = torch.linalg.eig(torch.eye(2) + x[:, :2].t() @ x[:, :2])
    nodes = [parts[0].grad_fn, both[0].grad_fn, torch.var_mean(x, 1)[0].grad_fn]
    return [[(tuple(m.shape), str(m.dtype)) for m in node._input_metadata] for node in nodes]


@like_pytorch
def test_gradients_of_outputs_of_two_dtypes(torch):
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1, x.double() * 2, x.half()

        @staticmethod
        def backward(ctx, *grads):
            seen.extend((str(g.dtype), tuple(g.shape)) for g in grads)
            return sum(g.float() for g in grads)

    seen = []
    x = torch.ones(3, requires_grad=True)
    a, b, c = Two.apply(x)
    (a.sum() * 2 + b.float().sum()).backward(retain_graph=True)
    torch.autograd.backward([b, c], [torch.ones(3).double(), torch.ones(3).half()])
    return seen, x.grad


def test_nodes_give_back_the_shapes_of_their_outputs():
    torch = minitorch

    def once(k):
        x = torch.ones(4, 6, requires_grad=True)
        a = (x * 2).t().reshape(3, 8)  # geometries that no leaf has
        parts = a.split([1, 2 + k % 2, 5 - k % 2], 1)
        b = torch.cat(parts, 1).unbind(1)
        top = torch.sort(a, 1)[0].view(2, 12).expand(5, 2, 12)
        return b, top, torch.var_mean(a, 1)

    once(0), once(1)
    gc.collect()
    before = allocated()
    for k in range(20):
        once(k)
    gc.collect()
    assert allocated() == before


@pytest.mark.parametrize("shape", [(1 << 16,), (4, 1 << 14)])
@pytest.mark.parametrize("backward", [False, True])
def test_nodes_give_back_what_they_had_saved(shape, backward):
    torch = minitorch
    gc.collect()
    before = allocated()
    leaves = [torch.ones(shape, requires_grad=True) for _ in range(3)]
    a, b, c = (t * 2 for t in leaves)
    y = torch.lerp(a, b, c) + torch.addcdiv(a, b, c) + torch.where(a > 1, b.exp(), c.sin())
    if backward:
        y.sum().backward()
    del leaves, a, b, c, y
    gc.collect()
    assert allocated() == before


@like_pytorch
def test_numbers_of_nodes_count_up(torch):
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.ones(1, requires_grad=True)
    made = [x * 2, Same.apply(x), x.exp(), Same.apply(x), x + 1]
    numbers = [t.grad_fn._sequence_nr() for t in made]
    steps = [b - a for a, b in zip(numbers, numbers[1:], strict=False)]
    return all(step > 0 for step in steps), len(set(numbers))


def test_numbers_of_nodes_are_given_one_by_one():
    from minitorch.autograd.node import _get_sequence_nr

    torch = minitorch
    x = torch.ones(1, requires_grad=True)
    for make in (lambda: x * 2, lambda: x.exp(), lambda: torch.cat([x, x]), lambda: x.view(1, 1)):
        expected = _get_sequence_nr()
        assert make().grad_fn._sequence_nr() == expected
        assert _get_sequence_nr() == expected + 1

    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.detach()

        @staticmethod
        def backward(ctx, g):
            return g

    expected = _get_sequence_nr()
    assert Same.apply(x).grad_fn._sequence_nr() == expected
    assert _get_sequence_nr() == expected + 1


# ---- the collector


def test_the_collector_does_not_see_an_ordinary_graph():
    torch = minitorch
    x = torch.ones(1, requires_grad=True)
    y = [x * k for k in range(4)]
    z = torch.stack([*y, y[0]]).sum()
    nodes = [z.grad_fn, z.grad_fn.next_functions[0][0], *(t.grad_fn for t in y)]
    assert not any(gc.is_tracked(n) for n in nodes)
    assert not gc.is_tracked(y[0].grad_fn.next_functions[0][0])
    z.register_hook(lambda g: None)
    assert all(gc.is_tracked(n) for n in nodes)
    assert gc.is_tracked(y[0].grad_fn.next_functions[0][0])


class Box:
    """Something that a cycle leads through."""


def links(torch):
    """Ways from a node to what is newer: name -> function(node's tensor, box)."""

    def post_hook(t, box):
        t.grad_fn.register_hook(lambda i, o, box=box: None)

    def pre_hook(t, box):
        t.grad_fn.register_prehook(lambda o, box=box: None)

    def tensor_hook(t, box):
        t.register_hook(lambda g, box=box: None)

    def metadata(t, box):
        t.grad_fn.metadata["box"] = box

    def late_metadata(t, box):
        notes = t.grad_fn.metadata
        notes["box"] = box

    return {f.__name__: f for f in (post_hook, pre_hook, tensor_hook, metadata, late_metadata)}


@pytest.mark.parametrize("edge", range(8))
@pytest.mark.parametrize(
    "link", ["post_hook", "pre_hook", "tensor_hook", "metadata", "late_metadata"]
)
def test_a_cycle_through_any_edge_is_collected(link, edge):
    """box -> stack -> its edge -> node -> box."""
    torch = minitorch
    box = Box()
    leaves = [torch.ones(1, requires_grad=True) for _ in range(8)]
    parts = [t * 2 for t in leaves]
    box.result = torch.stack(parts).exp()
    links(torch)[link](box.result, box)  # the graph below is handed to the collector
    links(torch)[link](parts[edge], box)
    gone = weakref.ref(box)
    del box, parts, leaves
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("edge", range(8))
@pytest.mark.parametrize("link", ["post_hook", "pre_hook", "metadata"])
def test_a_cycle_from_a_node_up_to_a_newer_graph(link, edge):
    """Only the newest node is linked to the box; the graph below holds the box by a leaf's attribute."""
    torch = minitorch
    box = Box()
    leaves = [torch.ones(1, requires_grad=True) for _ in range(8)]
    parts = [t * 2 for t in leaves]
    box.result = torch.stack(parts)
    leaves[edge].box = box
    links(torch)[link](box.result, Box())
    gone = weakref.ref(box)
    del box, parts, leaves
    gc.collect()
    assert gone() is None


def test_a_cycle_through_two_graphs_of_which_one_came_later():
    torch = minitorch
    for order in (0, 1):
        a, b = torch.ones(1, requires_grad=True) * 2, torch.ones(1, requires_grad=True) * 3
        first, second = Box(), Box()
        first.t, second.t = a.exp(), b.exp()
        pairs = [(a, second), (b, first)]
        for t, box in pairs if order else pairs[::-1]:
            t.grad_fn.metadata["box"] = box
        gone = weakref.ref(first)
        del a, b, first, second, t, box, pairs
        gc.collect()
        assert gone() is None


def test_a_graph_that_is_tracked_already_is_handed_over_once():
    torch = minitorch
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    z = y + y + y * y
    for _ in range(3):
        for t in (z, y, z):
            t.register_hook(lambda g: None)
            t.grad_fn.register_prehook(lambda g: None)
            t.grad_fn.metadata["note"] = [t.grad_fn]
    gc.collect()
    assert torch.autograd.grad(z, x)[0].item() == 12


# ---- what Python sees


@like_pytorch
def test_several_hooks_of_one_node(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    log = []
    handles = [y.grad_fn.register_hook(lambda i, o, k=k: log.append(("post", k))) for k in range(3)]
    handles += [y.grad_fn.register_prehook(lambda o, k=k: log.append(("pre", k))) for k in range(3)]
    y.sum().backward(retain_graph=True)
    handles[1].remove()
    handles[3].remove()
    log.append("-")
    y.sum().backward()
    return log


@like_pytorch
def test_a_node_called_with_gradients(torch):
    x = torch.arange(1.0, 7.0).requires_grad_()
    a, b = (x * 1).split(3)
    y = torch.addcmul(a, b, a)
    with torch.no_grad():
        return (
            y.grad_fn(torch.ones(3)),
            a.grad_fn(torch.ones(3), torch.ones(3) * 2),
            a.grad_fn(None, torch.ones(3)),
        )


@like_pytorch
def test_a_second_backward_is_refused_by_each_kind_of_node(torch):
    x = torch.ones(2, 2, requires_grad=True)
    results = []
    for f in (
        lambda: x * x,
        lambda: x.exp(),
        lambda: x @ x,
        lambda: torch.lerp(x, x, x),
        lambda: x + x,
        lambda: x.t(),
    ):
        y = f()
        y.sum().backward()
        try:
            y.backward(torch.ones(2, 2))
            results.append("allowed")
        except RuntimeError as error:
            results.append(str(error))
    return results


@pytest.mark.parametrize("operator", ["lerp", "addcdiv", "mul", "exp"])
def test_a_node_that_lives_on_has_given_back_what_it_had_saved(operator):
    torch = minitorch
    leaves = [torch.ones(1 << 16, requires_grad=True) for _ in range(3)]
    gc.collect()
    before = allocated()
    run = {
        "lerp": lambda a, b, c: torch.lerp(a, b, c),
        "addcdiv": lambda a, b, c: torch.addcdiv(a, b, c),
        "mul": lambda a, b, c: a * b,
        "exp": lambda a, b, c: c.exp(),
    }
    y = run[operator](*(t * 2 for t in leaves))
    node = y.grad_fn
    torch.autograd.grad(y.sum(), leaves, allow_unused=True)
    del y
    assert allocated() == before
    assert node.name()


@pytest.mark.parametrize("kind", ["register_hook", "register_prehook"])
def test_a_cycle_through_a_hook_is_collected(kind):
    torch = minitorch
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = y * 3
    held = type("Held", (), {})()
    held.tensor = z
    getattr(y.grad_fn, kind)(lambda *_, held=held: None)
    gone = weakref.ref(held)
    del held, y, z
    gc.collect()
    assert gone() is None
