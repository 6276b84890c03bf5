"""Graphs that are computed node by node, or made into other ones."""

import importlib
import operator

import pytest

from tests.both import compare, like_pytorch


def traced(torch):
    return torch.fx.symbolic_trace(lambda x, y=2: torch.relu(x) * y)


RUNS = {
    "with all inputs": lambda torch, run: run(torch.ones(1), 3),
    "with a default": lambda torch, run: run(torch.ones(1)),
    "without an input": lambda torch, run: run(),
    "with what fails": lambda torch, run: run("text"),
}


@pytest.mark.parametrize("name", RUNS)
def test_runs(name):
    compare(lambda torch: RUNS[name](torch, torch.fx.Interpreter(traced(torch)).run))


@like_pytorch
def test_lists_of_inputs(torch):
    given = [torch.ones(1), 2]
    return torch.fx.Interpreter(traced(torch)).boxed_run(given), given


@like_pytorch
def test_lists_of_too_few_inputs(torch):
    torch.fx.Interpreter(traced(torch)).boxed_run([1])


@like_pytorch
def test_values_that_are_known(torch):
    module = traced(torch)
    x, y, relu, *_ = module.graph.nodes
    env = {x: None, y: 5, relu: torch.ones(1)}
    return torch.fx.Interpreter(module, garbage_collect_values=False).run(initial_env=env)


@like_pytorch
def test_a_missing_key_is_reported_with_its_place(torch):
    class Failing(torch.fx.Interpreter):
        def call_function(self, target, args, kwargs):
            raise KeyError("key")

    Failing(traced(torch)).run(torch.ones(1))


@like_pytorch
def test_nodes_do_something_else(torch):
    class Other(torch.fx.Interpreter):
        def call_function(self, target, args, kwargs):
            return super().call_function(
                torch.neg if target is torch.relu else target, args, kwargs
            )

        def call_method(self, target, args, kwargs):
            return super().call_method("sin" if target == "cos" else target, args, kwargs)

    program = torch.fx.symbolic_trace(lambda x: torch.relu(x) + x.cos())
    return Other(program).run(torch.ones(2))


@like_pytorch
def test_other_graphs(torch):
    class Other(torch.fx.Transformer):
        def call_function(self, target, args, kwargs):
            return super().call_function(
                torch.neg if target is torch.relu else target, args, kwargs
            )

        def call_module(self, target, args, kwargs):
            return args[0] if target == "drop" else super().call_module(target, args, kwargs)

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.drop = torch.nn.Dropout()
            self.linear = torch.nn.Linear(2, 2)
            self.shift = torch.nn.Parameter(torch.ones(2))

        def forward(self, x, y=1):
            return {"a": torch.relu(self.drop(self.linear(x))) + self.shift * y}

    module = Other(torch.fx.symbolic_trace(Net())).transform()
    return module.code, str(module.graph)


@like_pytorch
def test_what_tensors_are(torch):
    shapes = importlib.import_module(f"{torch.__name__}.fx.passes.shape_prop")
    module = torch.fx.symbolic_trace(lambda x: (x.permute(0, 2, 3, 1), x.sum(), x.size(0)))
    shapes.ShapeProp(module).propagate(torch.ones(1, 2, 3, 4).to(memory_format=torch.channels_last))
    metas = [node.meta.get("tensor_meta") for node in module.graph.nodes]
    return [str(meta) for meta in metas], [n.meta["type"].__name__ for n in module.graph.nodes]


@like_pytorch
def test_annotations_of_blocks(torch):
    notes = importlib.import_module(f"{torch.__name__}.fx.traceback")

    def program(x):
        with notes.annotate({"part": "head"}):
            return x + 1

    with notes.preserve_node_meta():
        graph = torch.fx.Tracer().trace(program)
    module = torch.fx.GraphModule({}, graph)
    (add,) = graph.find_nodes(op="call_function", target=operator.add)
    return add.meta["custom"], notes.get_current_meta(), module.print_readable(print_output=False)
