"""The graph as Python sees it: names, edges, saved attributes, sequence numbers."""

import ast
import inspect
import logging
import re
import textwrap

import pytest

from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


def walk(node):
    """The graph below a node as nested lists of names."""
    if node is None:
        return None
    return [node.name(), [walk(n) for n, _ in node.next_functions]]


@like_pytorch
def test_names_and_edges(torch):
    x = torch.ones(2, requires_grad=True)
    y = ((x * 2 + x).exp() / 3 - x).tanh().sum()
    return walk(y.grad_fn)


@like_pytorch
def test_numbers_and_reflected_operators(torch):
    x = torch.ones(2, requires_grad=True)
    return [
        type(y.grad_fn).__name__
        for y in (
            x + 1,
            1 + x,
            x - 1,
            1 - x,
            x * 2,
            2 * x,
            x / 2,
            2 / x,
            x**2,
            2**x,
            x**x,
            -x,
            x @ x,
        )
    ]


@like_pytorch
def test_next_functions_numbers(torch):
    x = torch.ones(4, requires_grad=True)
    a, b = (x * 1).split(2)
    return [nr for _, nr in (a * b).grad_fn.next_functions]


@like_pytorch
def test_an_input_without_grad_has_no_edge(torch):
    x = torch.ones(2, requires_grad=True)
    return (x * torch.ones(2)).grad_fn.next_functions[1]


def test_accumulate_grad_is_one_for_a_leaf():
    import minitorch as torch

    x = torch.ones(2, requires_grad=True)
    node = (x * 2).grad_fn.next_functions[0][0]
    y = x * 3
    assert y.grad_fn.next_functions[0][0] is node
    assert node.variable is x


def test_a_dropped_accumulate_grad_is_made_anew():
    import minitorch as torch

    x = torch.ones(2, requires_grad=True)
    (x * 2).sum()
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


@like_pytorch
def test_saved_attributes(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0])
    y = x * w
    z = y.exp()
    p = x**3
    return (
        y.grad_fn._saved_self,
        y.grad_fn._saved_other,
        z.grad_fn._saved_result,
        p.grad_fn._saved_self,
        p.grad_fn._saved_exponent,
    )


@like_pytorch
def test_a_saved_result_has_its_history(torch):
    x = torch.tensor([1.0], requires_grad=True)
    y = x.exp()
    saved = y.grad_fn._saved_result
    return saved.grad_fn is y.grad_fn, saved.requires_grad


def test_sequence_numbers_grow():
    import minitorch as torch

    x = torch.ones(1, requires_grad=True)
    a = x * 2
    b = a * 2
    assert b.grad_fn._sequence_nr() > a.grad_fn._sequence_nr()


@like_pytorch
def test_metadata_is_a_dictionary(torch):
    node = (torch.ones(1, requires_grad=True) * 2).grad_fn
    node.metadata["a"] = 1
    return node.metadata


@like_pytorch
def test_leaves(torch):
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    return x.is_leaf, y.is_leaf, y.detach().is_leaf, x.grad_fn, torch.ones(1).is_leaf, x.output_nr


@like_pytorch
def test_no_grad_records_nothing(torch):
    x = torch.ones(1, requires_grad=True)
    with torch.no_grad():
        y = x * 2
        with torch.enable_grad():
            z = x * 2
    return y.requires_grad, y.grad_fn, z.requires_grad, torch.is_grad_enabled()


@like_pytorch
def test_what_is_decorated_is_found_in_what_the_decorator_calls(torch):
    """nnsight looks for the free names that are called, and for the functions behind them."""

    def function(x):
        return x * 2

    wrappers = torch.no_grad()(function), torch.enable_grad()(function)
    found = []
    for wrapper in wrappers:
        called = {
            node.func.id
            for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(wrapper.__code__))))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        cells = zip(wrapper.__code__.co_freevars, wrapper.__closure__, strict=True)
        behind = [cell.cell_contents for name, cell in cells if name in called]
        found.append([x is function for x in behind if inspect.isfunction(x)])
    return found


@like_pytorch
def test_grad_modes_as_decorators(torch):
    x = torch.ones(1, requires_grad=True)

    @torch.no_grad()
    def plain():
        return (x * 2).requires_grad

    @torch.no_grad
    def bare():
        return (x * 2).requires_grad

    @torch.no_grad()
    def generator():
        for _ in range(2):
            yield (x * 2).requires_grad

    inside_and_outside = [(inside, (x * 2).requires_grad) for inside in generator()]
    return plain(), bare(), inside_and_outside


@like_pytorch
def test_set_grad_enabled_in_its_three_forms(torch):
    seen = []
    torch.set_grad_enabled(False)
    seen.append(torch.is_grad_enabled())
    torch.set_grad_enabled(True)
    with torch.set_grad_enabled(False):
        seen.append(torch.is_grad_enabled())

    @torch.set_grad_enabled(False)
    def function():
        return torch.is_grad_enabled()

    seen += [torch.is_grad_enabled(), function(), torch.is_grad_enabled()]
    return seen


def test_a_coroutine_keeps_its_mode_to_itself():
    import asyncio

    import minitorch as torch

    @torch.no_grad()
    async def inside():
        before = torch.is_grad_enabled()
        await asyncio.sleep(0)
        return before, torch.is_grad_enabled()

    async def outside():
        task = asyncio.ensure_future(inside())
        await asyncio.sleep(0)
        mode = torch.is_grad_enabled()
        return mode, await task

    assert asyncio.run(outside()) == (True, (False, False))


def test_grad_mode_belongs_to_the_thread():
    import threading

    import minitorch as torch

    seen = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


@pytest.mark.parametrize("count", [4, 9])
def test_nodes_with_many_edges(count):
    import minitorch as torch

    xs = [torch.ones(2, requires_grad=True) for _ in range(count)]
    y = torch.cat(xs)
    assert len(y.grad_fn.next_functions) == count
    (y * y).sum().backward()
    assert all(x.grad.tolist() == [2.0, 2.0] for x in xs)


@like_pytorch
def test_numbers_of_the_program_are_not_packed(torch):
    packed = []

    def pack(tensor):
        packed.append(tuple(tensor.shape))
        return tensor

    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        y = x * 2 + 3 / x
        z = (y / 4).mul_(5) * torch.tensor(6.0)
    z.sum().backward()
    return packed, x.grad


@pytest.mark.parametrize("method", ("register_hook", "register_prehook"))
@pytest.mark.parametrize("result", ("(None, None)", "(g[0], None)", "(None, g[1])", "(None,)"))
def test_a_hook_of_a_node_answers_none_for_a_gradient(method, result):
    def program(torch):
        x, y = (torch.ones(2, requires_grad=True) for _ in range(2))
        out = torch.stack([x * 2, y * 3]).unbind() if method == "register_prehook" else (x * y,)
        node = out[0].grad_fn
        getattr(node, method)(lambda g, *rest: eval(result, {"g": g}))
        sum(t.sum() for t in out).backward()
        return x.grad, y.grad

    compare(program)


@like_pytorch
def test_other_memory_for_a_leaf_gives_it_another_sink(torch):
    p = torch.ones(4, requires_grad=True)
    first = (p * 1).grad_fn.next_functions[0][0]
    with torch.no_grad():
        p.set_(p[1:])
    y = p * 2
    second = y.grad_fn.next_functions[0][0]
    same = second is first
    del first
    y.sum().backward()
    return same, (p * 1).grad_fn.next_functions[0][0] is second, p.grad


@like_pytorch
def test_a_log_of_the_nodes_that_run(torch):
    lines = []

    class Reader(logging.Handler):
        def emit(self, record):
            lines.append((record.levelname, re.sub("0x[0-9a-f]+", "", record.getMessage())))

    logger, reader = logging.getLogger("torch.autograd.graph"), Reader()
    x = torch.ones(2, 3, requires_grad=True)
    logger.addHandler(reader)
    level, propagates = logger.level, logger.propagate
    logger.propagate = False
    try:
        logger.setLevel(logging.DEBUG)
        x.unbind()[0].exp().sum().backward()
        logger.setLevel(logging.INFO)
        x.sum().backward()
    finally:
        logger.removeHandler(reader)
        logger.setLevel(level)
        logger.propagate = propagates
    return lines
