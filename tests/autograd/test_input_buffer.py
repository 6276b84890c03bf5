"""Gradients that meet at a node: what may be added to in place, and what must not, against PyTorch."""

import itertools

import numpy as np
import pytest

import minitorch
from minitorch.core import allocator
from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


def give(torch, make, log=None):
    """A Function with one input whose backward returns what `make(gradient)` gives."""

    class Give(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.sum()

        @staticmethod
        def backward(ctx, g):
            return make(g)

    return Give.apply


SHAPE = (2, 3)
GRADIENTS = {
    "plain": lambda torch: torch.arange(6.0).reshape(SHAPE),
    "transposed": lambda torch: torch.arange(6.0).reshape(3, 2).t(),
    "expanded": lambda torch: torch.arange(3.0).expand(SHAPE),
    "overlapping": lambda torch: torch.arange(6.0).as_strided(SHAPE, (1, 1)),
    "gaps": lambda torch: torch.arange(12.0).reshape(2, 6)[:, ::2],
    "foreign": lambda torch: torch.from_numpy(np.arange(6, dtype=np.float32).reshape(SHAPE)),
    "double": lambda torch: torch.arange(6, dtype=torch.float64).reshape(SHAPE),
    "part": lambda torch: torch.arange(12.0)[3:9].view(SHAPE),
    "conjugate": lambda torch: torch.view_as_real(
        torch.complex(torch.ones(SHAPE), torch.ones(SHAPE)).conj()
    )[..., 0],
}


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("first, second", list(itertools.product(GRADIENTS, GRADIENTS)))
def test_two_gradients_of_any_kind(first, second, create_graph):
    def program(torch):
        x = torch.ones(SHAPE, requires_grad=True)
        y = x * 1
        held = [GRADIENTS[first](torch), GRADIENTS[second](torch)]
        whole = [torch.as_strided(h, (3,), (1,)).clone() for h in held]
        loss = give(torch, lambda g: held[0])(y) + give(torch, lambda g: held[1])(y)
        seen = []
        y.register_hook(lambda g: seen.append((g, g.stride())))
        loss.backward(create_graph=create_graph)
        return seen, x.grad, held, whole, [h._version for h in held]

    compare(program)


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("kind", GRADIENTS)
def test_gradients_that_only_the_engine_holds(kind, create_graph):
    def program(torch):
        x = torch.ones(SHAPE, requires_grad=True)
        y = x * 1
        seen = []
        y.register_hook(lambda g: seen.append((g, g.stride())))
        three = [give(torch, lambda g: GRADIENTS[kind](torch))(y) for _ in range(3)]
        sum(three).backward(create_graph=create_graph)
        return seen, x.grad, x.grad.stride()

    compare(program)


@pytest.mark.parametrize("create_graph", [False, True])
def test_one_gradient_that_came_first_to_two_buffers(create_graph):
    def program(torch):
        x, z = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
        a, b = x * 1, z * 1
        others = (a * 10).sum(), (b * 100).sum()
        both = ((a + b) * torch.arange(3.0)).sum()  # newer than the others, so it runs first
        torch.autograd.backward([both, *others], create_graph=create_graph)
        return x.grad, z.grad

    compare(program)


@pytest.mark.parametrize("create_graph", [False, True])
def test_one_gradient_in_two_buffers(create_graph):
    def program(torch):
        x, z = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
        a, b = x * 1, z * 1
        both = a + b
        loss = (both * torch.arange(3.0)).sum() + (a * 10).sum() + (b * 100).sum()
        loss.backward(create_graph=create_graph)
        return x.grad, z.grad

    compare(program)


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("view", ["view", "t", "detach", "expand", "narrow"])
def test_a_gradient_whose_memory_has_another_view(view, create_graph):
    def program(torch):
        x, z = torch.ones(4, requires_grad=True), torch.ones(2, 2, requires_grad=True)
        a, b = x * 1, z * 1
        # the gradients of both are views of one memory
        both = a.view(2, 2) + b
        loss = (both * torch.arange(4.0).view(2, 2)).sum() + (a * 10).sum() + (b * 100).sum()
        more = {
            "view": lambda: b.view(4).sum(),
            "t": lambda: (b.t() * torch.arange(4.0).view(2, 2)).sum(),
            "detach": lambda: b.detach().sum() + b.sum(),
            "expand": lambda: b.expand(3, 2, 2).sum(),
            "narrow": lambda: b.narrow(0, 0, 1).sum(),
        }[view]()
        (loss + more).backward(create_graph=create_graph)
        return x.grad, z.grad

    compare(program)


@like_pytorch
def test_what_a_hook_has_kept_is_not_added_to(torch):
    x = torch.ones(3, requires_grad=True)
    a = x * 1
    kept = []
    b = a.exp()
    b.register_hook(kept.append)
    c = a * 5
    c.register_hook(kept.append)
    d = a + 0
    d.register_hook(kept.append)
    (b + c + d).backward(torch.arange(3.0))
    return x.grad, kept, [k._version for k in kept]


@pytest.mark.parametrize("kind", ["view", "alias", "itself", "data"])
def test_memory_that_python_still_sees_is_not_added_to(kind):
    def program(torch):
        kept = []

        def make(g):
            t = torch.arange(3.0) * 1
            kept.append({"view": t[:2], "alias": t.detach(), "itself": t, "data": t.data}[kind])
            return t

        x = torch.ones(3, requires_grad=True)
        a = x * 1
        (give(torch, make)(a) + give(torch, make)(a) + (a * 7).sum()).backward()
        return x.grad, kept

    compare(program)


@like_pytorch
def test_retained_and_captured_gradients_are_not_added_to(torch):
    x = torch.ones(3, requires_grad=True)
    a = x * 1
    b = a * 2
    a.retain_grad()
    b.retain_grad()
    grads = torch.autograd.grad((b * b).sum() + a.sum() + x.sum(), [b, a, x], retain_graph=True)
    ((b * b).sum() + a.sum() + x.sum()).backward()
    return grads, a.grad, b.grad, x.grad


@like_pytorch
def test_a_given_gradient_is_never_written_to(torch):
    x = torch.ones(3, requires_grad=True)
    a = x * 1
    given = torch.arange(3.0)
    torch.autograd.backward([a, a, a], [given, given, torch.ones(3)])
    first = x.grad.clone()
    torch.autograd.backward([a * 1, x], [given, given])
    return first, x.grad, given, given._version


@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("create_graph", [False, True])
def test_order_in_which_gradients_are_added(outputs, create_graph):
    """Floating point sums tell the order, and so do the nodes of a recorded sum."""

    def program(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * 1 if outputs == 1 else (x.repeat(2) * 1).split(2)[1]
        big = [1e8, 1.0, -1e8, 3.0, 1e-3]
        loss = sum((y * b).sum() for b in big)
        (g,) = torch.autograd.grad(loss, y, create_graph=create_graph)
        chain = []
        node = g.grad_fn
        while node is not None and create_graph and len(chain) < 10:
            chain.append([n and n.name() for n, _ in node.next_functions])
            node = node.next_functions[0][0]
        return g, chain

    compare(program)


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("first", ["sparse", "dense"])
def test_sparse_meets_dense(first, create_graph):
    def program(torch):
        x = torch.ones(4, 2, requires_grad=True)

        def sparse(g):
            return torch.sparse_coo_tensor(torch.tensor([[1, 1]]), torch.ones(2, 2), (4, 2))

        def dense(g):
            return torch.arange(8.0).view(4, 2)

        order = [sparse, dense] if first == "sparse" else [dense, sparse]
        a, b = give(torch, order[0])(x), give(torch, order[1])(x)
        (a + b).backward(create_graph=create_graph)
        g = x.grad
        return g.is_sparse, g.to_dense() if g.is_sparse else g

    if create_graph and first == "dense":
        # the node made last runs first: PyTorch refuses sparse + dense under create_graph, we add them
        program(minitorch)
    else:
        compare(program)


def test_sums_at_a_node_are_made_in_place():
    """Three gradients of 4 MB each: the sum takes the memory of the first."""
    torch = minitorch
    one = 4 << 20
    x = torch.zeros(1 << 20, requires_grad=True)
    factors = [torch.ones(1 << 20) for _ in range(2)]
    y = x + 0
    loss = sum((y * f).sum() for f in factors)
    before = allocator.memory_stats()["allocated_bytes"]
    allocator.reset_peak_memory_stats()
    loss.backward()
    assert allocator.memory_stats()["peak_bytes"] - before < 2 * one + (1 << 16)


def test_sums_of_the_two_operands_of_one_node_are_made_in_place():
    torch = minitorch
    one = 4 << 20
    x = torch.zeros(1 << 20, requires_grad=True)
    y = x + 0
    loss = (y * y).sum()
    before = allocator.memory_stats()["allocated_bytes"]
    allocator.reset_peak_memory_stats()
    loss.backward()
    assert allocator.memory_stats()["peak_bytes"] - before < 2 * one + (1 << 16)


def test_sums_at_one_of_several_outputs_are_made_in_place():
    torch = minitorch
    one = 4 << 20
    x = torch.zeros(2, 1 << 20, requires_grad=True)
    factors = [torch.ones(1 << 20) for _ in range(2)]
    y = x.unbind()[1]
    loss = sum((y * f).sum() for f in factors)
    before = allocator.memory_stats()["allocated_bytes"]
    allocator.reset_peak_memory_stats()
    torch.autograd.grad(loss, y)
    assert allocator.memory_stats()["peak_bytes"] - before < 2 * one + (1 << 16)


@like_pytorch
def test_tangents_of_gradients_are_added_too(torch):
    forward = torch.autograd.forward_ad
    with forward.dual_level():
        x = torch.ones(3, requires_grad=True)
        y = x * 1
        d = forward.make_dual(torch.arange(3.0), torch.ones(3))
        loss = (y * d).sum() + (y * 2).sum() + (y * d * d).sum()
        (g,) = torch.autograd.grad(loss, x)
        return forward.unpack_dual(g)


@pytest.mark.parametrize("kept", ["view", "detached", "itself"])
def test_a_gradient_that_a_hook_has_kept_is_not_added_to(kept):
    def program(torch):
        keep = {
            "view": lambda g: g.view(-1),
            "detached": lambda g: g.detach(),
            "itself": lambda g: g,
        }
        found = []
        x = torch.arange(4.0, requires_grad=True)
        factor = torch.arange(4.0) + 1
        y = x * 1
        other = y * 3
        z = y + 0  # made last, it runs first and hands on the gradient it is given
        z.register_hook(lambda g: found.append(keep[kept](g)))
        ((z * factor).sum() + other.sum()).backward()
        return found, x.grad

    compare(program)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_dense_gradient_and_one_with_a_tangent(order):
    def program(torch):
        forward = torch.autograd.forward_ad
        with forward.dual_level():
            x = torch.ones(3, requires_grad=True)
            y = x * 1
            d = forward.make_dual(torch.arange(3.0), torch.ones(3))
            losses = [lambda: (y * d).sum(), lambda: (y * torch.arange(3.0)).sum()]
            loss = losses[order[0]]() + losses[order[1]]()
            (g,) = torch.autograd.grad(loss, x)
            return forward.unpack_dual(g)

    compare(program)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_dense_and_a_sparse_gradient_at_an_inner_node(order):
    def program(torch):
        found = []
        leaf = torch.ones(4, 2, requires_grad=True)
        table = leaf.view_as(leaf)
        index = torch.tensor([1, 1, 3])
        uses = [
            lambda: torch.nn.functional.embedding(index, table, sparse=True).sum(),
            lambda: (table * torch.arange(8.0).view(4, 2)).sum(),
        ]
        table.register_hook(lambda g: found.append((g.is_sparse, g.to_dense())))
        losses = [uses[k]() for k in order]
        (losses[0] + losses[1]).backward()
        return found, leaf.grad

    compare(program)


@pytest.mark.parametrize("special", [False, True])
def test_second_derivatives_through_a_sum_of_gradients(special):
    def program(torch):
        x = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
        y = x * 1
        terms = [(y * y).sum(), (y * torch.tensor([1.0, 2.0, 3.0])).sum(), (y.exp() * y).sum()]
        if special:  # its gradient is a sparse tensor
            rows = torch.nn.functional.embedding(torch.tensor([1]), y.view(3, 1), sparse=False)
            terms.append((rows * rows).sum())
        (first,) = torch.autograd.grad(sum(terms), x, create_graph=True)
        (second,) = torch.autograd.grad((first * first).sum(), x, create_graph=True)
        (third,) = torch.autograd.grad(second.sum(), x)
        return first, second, third

    compare(program, tolerance=1e-5)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_gradients_of_two_dtypes_at_a_leaf_that_takes_any(order):
    def program(torch):
        class Widened(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x.clone()

            @staticmethod
            def backward(ctx, grad):
                return grad.double() / 3

        x = torch.ones(2, requires_grad=True)
        x.grad_dtype = None
        uses = [lambda: Widened.apply(x).sum(), lambda: (x * 3).sum()]
        (uses[order[0]]() + uses[order[1]]()).backward()
        return x.grad

    compare(program)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_sum_at_a_result_is_laid_out_as_the_first_gradient(order):
    def program(torch):
        found = []
        x = torch.ones(2, 3, requires_grad=True)
        y = x * 1
        y.register_hook(lambda g: found.append((g, g.stride())))
        row_major = torch.arange(6.0).view(2, 3)
        uses = [
            lambda: (y * row_major).sum(),
            lambda: (y * row_major.t().contiguous().t()).sum(),
        ]
        (uses[order[0]]() + uses[order[1]]()).backward()
        return found, x.grad

    compare(program)


def test_memory_of_numpy_is_never_added_to():
    torch = minitorch
    kept = np.arange(3, dtype=np.float32)
    x = torch.ones(3, requires_grad=True)
    y = x * 1
    loss = (y * 5).sum()
    loss = loss + give(torch, lambda g: torch.from_numpy(kept))(y)  # made last, it runs first
    loss.backward()
    assert kept.tolist() == [0, 1, 2]
    assert x.grad.tolist() == [5, 6, 7]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_gradient_that_a_function_keeps_is_not_added_to_in_a_dual_level(order):
    def program(torch):
        forward = torch.autograd.forward_ad
        kept = torch.arange(3.0)
        with forward.dual_level():
            x = torch.ones(3, requires_grad=True)
            y = x * 1
            d = forward.make_dual(torch.arange(3.0), torch.ones(3))
            uses = [lambda: give(torch, lambda g: kept)(y), lambda: (y * 2).sum()]
            loss = uses[order[0]]() + uses[order[1]]() + (d * d).sum()
            (g,) = torch.autograd.grad(loss, x)
            return kept, g

    compare(program)
