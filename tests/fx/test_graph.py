"""Graphs that are made and changed by hand."""

import math
import operator

import pytest

from tests.both import compare, like_pytorch


def small(torch):
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    neg = graph.call_function(torch.neg, (x,))
    add = graph.call_function(torch.add, (neg, neg), {"alpha": neg})
    graph.output(add)
    return graph, x, neg, add


@like_pytorch
def test_arguments_and_users(torch):
    graph, x, neg, add = small(torch)
    told = [str(add.args), str(add.kwargs), str(add.all_input_nodes), str(neg.users)]
    add.update_arg(0, x)
    add.insert_arg(1, x)
    add.update_kwarg("alpha", 3)
    return told, str(graph), str(x.users), str(neg.users), type(add.kwargs).__name__


@like_pytorch
def test_uses_are_replaced(torch):
    graph, x, neg, add = small(torch)
    with graph.inserting_after(x):
        new = graph.call_method("sin", (x,))
    neg.meta["kept"] = 1
    changed = neg.replace_all_uses_with(new, propagate_meta=True)
    graph.erase_node(neg)
    new.replace_all_uses_with(x, delete_user_cb=lambda user: user.op == "output")
    return str(changed), str(graph), new.meta, len(graph.nodes)


@like_pytorch
def test_places(torch):
    graph, x, neg, add = small(torch)
    with graph.inserting_before(add):
        first = graph.call_function(torch.sin, (neg,), name="same")
        second = graph.call_function(torch.cos, (neg,), name="same")
    first.prepend(second)
    with graph.inserting_before():
        graph.placeholder("early")
    with graph.inserting_after():
        graph.placeholder("late")
    ordered = sorted([add, first, second, x])
    return str(graph), str(ordered), first < add, add.next.name, add.prev.name, repr(second)


@like_pytorch
def test_what_was_found(torch):
    graph, x, neg, add = small(torch)
    neg.target = torch.abs
    find = graph.find_nodes
    functions = [find(op="call_function", target=f) for f in (torch.abs, torch.neg, torch.add)]
    inputs = find(op="placeholder"), find(op="placeholder", target="y")
    return str(functions), str(inputs), str(graph.output_node()), str(list(reversed(graph.nodes)))


WRONG = {
    "a node that is used": lambda torch, g, x, neg, add: g.erase_node(neg),
    "a node of another graph": lambda torch, g, x, neg, add: torch.fx.Graph().erase_node(
        g.output_node()
    ),
    "a place in another graph": lambda torch, g, x, neg, add: torch.fx.Graph().inserting_before(x),
    "an operation": lambda torch, g, x, neg, add: g.create_node("jump", "x"),
    "a function that is none": lambda torch, g, x, neg, add: torch.fx.Graph().call_function("x"),
    "arguments in a list": lambda torch, g, x, neg, add: g.call_method("x", [x]),
    "arguments by name in a list": lambda torch, g, x, neg, add: g.call_method("x", (), [x]),
    "an argument too far": lambda torch, g, x, neg, add: add.insert_arg(9, x),
    "a function without its name": lambda torch, g, x, neg, add: g.find_nodes(op="call_function"),
    "the wrong order": lambda torch, g, x, neg, add: (add.append(neg), g.lint()),
    "arguments of another graph": lambda torch, g, x, neg, add: lint_copy(torch, add),
    "an unknown operation": lambda torch, g, x, neg, add: (setattr(neg, "op", "jump"), g.lint()),
    "nothing to map with": lambda torch, g, x, neg, add: torch.fx.map_arg(x, 3),
}


def lint_copy(torch, node):
    graph = torch.fx.Graph()
    graph.node_copy(node)
    graph.lint()


@pytest.mark.parametrize("name", WRONG)
def test_mistakes(name):
    compare(lambda torch: WRONG[name](torch, *small(torch)) and None)


@like_pytorch
def test_dead_code(torch):
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.call_function(torch.neg, (graph.call_function(torch.sin, (x,)),))
    graph.call_function(torch.rand, (2,))
    graph.call_function(torch.ops.aten.add_.Tensor, (x, 1))
    graph.call_function(operator.setitem, (x, 0, 1))
    graph.call_function(torch._assert, (x, "text"))
    graph.output(x)
    once = graph.eliminate_dead_code()
    return once, graph.eliminate_dead_code(), str(graph)


@like_pytorch
def test_dead_code_by_ones_own_rule(torch):
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.call_function(torch.neg, (x,))
    graph.output(1)
    graph.eliminate_dead_code(is_impure_node=lambda node: node.op == "output")
    return str(graph)


class Thing:
    pass


@like_pytorch
def test_names_and_targets(torch):
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    for name in ("if", "sum", "camelCase", "3a", "a.b", "x", "x_1", "torch", "*args"):
        graph.placeholder(name)
    for target, args in (
        (getattr, (x, "name")), (getattr, (x, "1")), (getattr, (x, "name", 0)),
        (operator.iadd, (x, 1)), (operator.setitem, (x, 0, 1)), (operator.contains, (x, 1)),
        (torch.Tensor.add, (x, 1)), (math.sqrt, (x,)), (Thing, ()), (print, (x,)),
        (torch.add, (x, slice(None, 2), ..., None, torch.float32, "s", 1j, range(2), [x])),
    ):  # fmt: skip
        graph.call_function(target, args)
    graph.call_method("__add__", (x, 1))
    graph.output(x)
    code = graph.python_code("self")
    return str(graph), code.src, sorted(code.globals)


@like_pytorch
def test_copies(torch):
    import copy

    graph, *_ = small(torch)
    graph.output_node().meta["kept"] = 1
    copied = copy.deepcopy(graph)
    other, names = torch.fx.Graph(), {}
    other.output(other.graph_copy(graph, names))
    return str(copied), copied.output_node().meta, str(other), str(names)


@like_pytorch
def test_arguments_cannot_be_changed_in_place(torch):
    graph, x, *_ = small(torch)
    graph.call_function(torch.cat, ([x, x],)).args[0].append(x)


@like_pytorch
def test_nested_arguments(torch):
    graph, x, neg, add = small(torch)
    nested = [x, {"a": (neg, slice(add, 2))}]
    mapped = torch.fx.map_arg(nested, lambda node: node.name)
    leaves = torch.fx.node.map_aggregate((1, [2]), lambda leaf: leaf + 1)
    return mapped, leaves, type(mapped).__name__, type(mapped[1]).__name__


@like_pytorch
def test_functions_that_begin_and_end_otherwise(torch):
    class OfList(torch.fx.CodeGen):
        def gen_fn_def(self, free_vars, maybe_return_annotation):
            return f"def forward(self, values):\n    {', '.join(free_vars)}, = values"

        def process_inputs(self, *inputs):
            return inputs[0]

    module = torch.fx.symbolic_trace(lambda a, b: a + b)
    module.graph.set_codegen(OfList())
    module.recompile()
    return module.code, module([1, 2]), torch.fx.Interpreter(module).run([1, 2])


@like_pytorch
def test_lines_are_changed_for_a_block(torch):
    module = torch.fx.symbolic_trace(lambda a: a + 1)
    with module.graph.on_generate_code(lambda before: lambda lines: ["pass\n", *lines]):
        module.recompile()
        inside = module.code
    module.recompile()
    return inside, module.code
