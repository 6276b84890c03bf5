"""Where a backward starts and ends: every check of `unpack_arguments`, against PyTorch."""

import importlib

import pytest

from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


def run(torch, *args, **kwargs):
    engine = importlib.import_module(f"{torch.__name__}.autograd").Variable._execution_engine
    return engine.run_backward(*args, **kwargs)


def parts(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    edge = torch.autograd.graph.get_gradient_edge(y)
    return {
        "x": x,
        "y": y,
        "edge": edge,
        "ones": torch.ones(2),
        "plain": torch.ones(2),
        "integer": torch.ones(2, dtype=torch.int64),
        "none": None,
        "number": 3,
        "text": "text",
        "not_a_node": torch.autograd.graph.GradientEdge(3, 0),
        "no_node": torch.autograd.graph.GradientEdge(None, 0),
        "wrong_number": torch.autograd.graph.GradientEdge(edge.node, "0"),
        "wide": torch.ones(3, 2),
        "double": torch.ones(2, dtype=torch.float64),
        "narrow": torch.ones(1),
    }


ROOTS = [
    ("y",),
    ("edge",),
    ("x",),
    ("plain",),
    ("none",),
    ("number",),
    ("text",),
    ("not_a_node",),
    ("y", "number"),
]
ROOTS += [("y", "plain"), ("y", "edge"), (), ("no_node",), ("wrong_number",)]
GRADIENTS = [
    ("ones",),
    ("none",),
    ("number",),
    ("text",),
    ("wide",),
    ("double",),
    ("narrow",),
    ("integer",),
]
GRADIENTS += [("ones", "ones"), ("ones", "none"), ("none", "ones"), (), ("edge",)]


@pytest.mark.parametrize("roots", ROOTS)
def test_roots_and_their_gradients(roots):
    for gradients in GRADIENTS:

        def program(torch, gradients=gradients):
            given = parts(torch)
            tensors = tuple(given[name] for name in roots)
            run(torch, tensors, tuple(given[g] for g in gradients), False, False, (), False, True)
            return given["x"].grad

        compare(program)


INPUTS = [
    ("x",),
    ("y",),
    ("edge",),
    ("plain",),
    ("none",),
    ("number",),
    ("x", "plain"),
    ("x", "text"),
    ("not_a_node",),
]
INPUTS += [("x", "y", "edge", "x")]


@pytest.mark.parametrize("accumulate", [True, False])
@pytest.mark.parametrize("inputs", INPUTS)
def test_inputs(inputs, accumulate):
    def program(torch):
        given = parts(torch)
        ends = tuple(given[name] for name in inputs)
        results = run(torch, (given["y"],), (given["ones"],), False, False, ends, False, accumulate)
        return results, given["x"].grad, given["y"].grad if given["y"].retains_grad else None

    compare(program)


@pytest.mark.parametrize("kind", [list, iter, lambda t: None, lambda t: t[0]])
def test_sequences_that_are_no_tuples(kind):
    def tensors(torch):
        y = torch.ones(2, requires_grad=True) * 2
        run(torch, kind((y,)), (torch.ones(2),), False, False, (), False, True)

    def gradients(torch):
        y = torch.ones(2, requires_grad=True) * 2
        run(torch, (y,), kind((torch.ones(2),)), False, False, (), False, True)

    def inputs(torch):
        x = torch.ones(2, requires_grad=True)
        run(torch, (x * 2,), (torch.ones(2),), False, False, kind((x,)), False, True)

    for program in (tensors, gradients, inputs):
        compare(program)


@pytest.mark.parametrize("which", [0, 1, 2])
@pytest.mark.parametrize("create_graph", [True, False])
def test_roots_and_inputs_that_are_further_outputs(which, create_graph):
    def program(torch):
        x = torch.arange(6.0).requires_grad_()
        sizes = (1, 2, 3)
        outputs = (x * 1).split(sizes)
        edges = [torch.autograd.graph.get_gradient_edge(t) for t in outputs]
        gradient = torch.ones(sizes[which]) * 5
        results = []
        for root in (outputs[which], edges[which]):
            results.append(
                torch.autograd.grad(root, x, gradient, retain_graph=True, create_graph=create_graph)
            )
        losses = [(t * (k + 1)).sum() for k, t in enumerate(outputs)]
        for end in (outputs[which], edges[which]):
            results.append(
                torch.autograd.grad(sum(losses), end, retain_graph=True, create_graph=create_graph)
            )
        results.append(edges[which].output_nr)
        try:
            torch.autograd.grad(outputs[which], x, torch.ones(6))
        except RuntimeError as error:
            results.append(str(error))
        return results

    compare(program)


@pytest.mark.parametrize("create_graph", [True, False])
@pytest.mark.parametrize("gradient", ["wide", "double", "narrow", "ones", "integer"])
def test_a_gradient_is_checked_against_its_root(gradient, create_graph):
    def program(torch):
        given = parts(torch)
        return run(
            torch,
            (given["y"],),
            (given[gradient],),
            True,
            create_graph,
            (given["x"],),
            False,
            False,
        )

    compare(program)


@pytest.mark.parametrize("accumulate", [True, False])
def test_an_input_that_requires_no_grad(accumulate):
    def program(torch):
        given = parts(torch)
        given["plain"].requires_grad_(False)
        return run(
            torch,
            (given["y"],),
            (given["ones"],),
            False,
            False,
            (given["plain"],),
            True,
            accumulate,
        )

    compare(program)


@like_pytorch
def test_a_view_made_without_recording_as_an_input(torch):
    base = torch.ones(4)
    with torch.no_grad():
        view = base[:2]
    base.requires_grad_()
    y = (base * 2).sum()
    return torch.autograd.grad(y, view, allow_unused=True, retain_graph=True), torch.autograd.grad(
        y, view
    )


def sparse_gradient(torch):
    class Give(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.sum()

        @staticmethod
        def backward(ctx, g):
            return torch.sparse_coo_tensor(torch.tensor([[1, 1]]), torch.ones(2), (4,))

    return Give.apply


@like_pytorch
def test_a_leaf_whose_gradient_is_sparse_gets_an_ordinary_one(torch):
    x = torch.ones(4, requires_grad=True)
    other = torch.ones(4, requires_grad=True)
    sparse_gradient(torch)(x).backward()
    (x * other).sum().backward()
    return x.grad.to_dense() if x.grad.is_sparse else x.grad, other.grad


@like_pytorch
def test_a_leaf_that_is_reached_in_many_ways_with_a_sparse_gradient(torch):
    x = torch.ones(4, requires_grad=True)
    y = x * 1
    z = (y * y + y * y) * y
    sparse_gradient(torch)(x).backward()
    z.sum().backward()
    return x.grad.to_dense() if x.grad.is_sparse else x.grad


def test_a_hook_makes_a_backward_run_on_tensors_while_something_is_special():
    import minitorch as torch
    from minitorch.autograd.roots import _runs_on_tensors

    keep = torch.ones(4, requires_grad=True)
    sparse_gradient(torch)(keep).backward()
    x = torch.ones(4, requires_grad=True)
    y = x * 1
    assert not _runs_on_tensors(y)
    assert _runs_on_tensors(keep * 2)
    deep = y
    for _ in range(20):
        deep = deep * deep
    assert not _runs_on_tensors(deep)
    assert _runs_on_tensors(deep, keep * 2) and _runs_on_tensors(keep * 2, deep)
    assert _runs_on_tensors(deep * keep)
    y.register_hook(lambda g: g)
    assert _runs_on_tensors(deep)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        packed = x * x
    assert _runs_on_tensors(packed)


def test_the_search_for_special_nodes_takes_each_node_once():
    import time

    import minitorch as torch
    from minitorch.autograd.roots import _runs_on_tensors

    keep = torch.ones(4, requires_grad=True)
    sparse_gradient(torch)(keep).backward()
    y = torch.ones(1, requires_grad=True)
    for _ in range(60):
        y = y + y * 1
    started = time.monotonic()
    assert not _runs_on_tensors(y)
    assert time.monotonic() - started < 5
    assert keep.grad is not None


def test_grad_without_inputs():
    import minitorch as torch

    y = torch.ones(2, requires_grad=True) * 2
    with pytest.raises(RuntimeError, match="grad requires non-empty inputs"):
        run(torch, (y,), (torch.ones(2),), False, False)
