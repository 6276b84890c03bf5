"""Modules whose function is written by a graph."""

import contextlib
import copy
import importlib
import io
import pickle
import sys

import pytest

import minitorch
from tests.both import compare, like_pytorch


class Small(minitorch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = minitorch.nn.Linear(2, 2)
        self.act = minitorch.nn.Sequential(minitorch.nn.Tanh())
        self.scale = minitorch.nn.Parameter(minitorch.ones(2))
        self.register_buffer("shift", minitorch.ones(2))

    def forward(self, x):
        return self.act(self.linear(x)) * self.scale + self.shift


def calling(torch, target="a.b"):
    graph = torch.fx.Graph()
    graph.output(graph.call_module(target, (graph.placeholder("x"),)))
    return graph


@like_pytorch
def test_modules_from_a_dictionary(torch):
    module = torch.fx.GraphModule({"a.b": torch.nn.ReLU()}, calling(torch), "Named")
    return str(module), module(torch.tensor([-1.0, 1.0])), type(module).__name__


WRONG = {
    "what is not there": lambda torch: torch.fx.GraphModule({}, calling(torch)),
    "what has no attributes": lambda torch: torch.fx.GraphModule(3, calling(torch)),
    "no module on the way": lambda torch: torch.fx.GraphModule(torch.nn.Module(), calling(torch)),
}


@pytest.mark.parametrize("name", WRONG)
def test_mistakes(name):
    compare(WRONG[name])


@like_pytorch
def test_submodules_come_and_go(torch):
    module = torch.fx.GraphModule({"a.b": torch.nn.ReLU()}, calling(torch))
    told = [
        module.add_submodule("c.d", torch.nn.Linear(1, 1)),
        module.add_submodule("code.x", torch.nn.ReLU()),
        module.delete_submodule("c.d"),
        module.delete_submodule("nowhere"),
    ]
    module.add_submodule("e", torch.nn.Linear(1, 1))
    module.delete_all_unused_submodules()
    return told, sorted(dict(module.named_modules()))


@like_pytorch
def test_a_changed_graph_is_compiled_anew(torch):
    module = torch.fx.symbolic_trace(lambda x: torch.relu(x))
    (node,) = module.graph.find_nodes(op="call_function", target=torch.relu)
    node.target = torch.neg
    before = module(torch.ones(1))
    module.recompile()
    return before, module(torch.ones(1)), module.code


@like_pytorch
def test_copies(torch):
    module = torch.fx.symbolic_trace(lambda x: torch.relu(x) + 1)
    module.meta["kept"] = [1]
    deep, shallow = copy.deepcopy(module), copy.copy(module)
    classes = [type(m).__name__ for m in (module, deep, shallow)]
    shared = shallow.graph is module.graph, deep.graph is module.graph, type(deep) is type(module)
    return classes, shared, deep.code, deep.meta, deep(torch.ones(1))


def test_pickles_keep_the_program():
    traced = minitorch.fx.symbolic_trace(Small().eval())
    again = pickle.loads(pickle.dumps(traced))
    x = minitorch.rand(3, 2)
    assert minitorch.equal(again(x), traced(x))
    assert again.code == traced.code
    assert not again.training
    assert list(again.state_dict()) == list(traced.state_dict())


def test_files_keep_the_program():
    traced, file = minitorch.fx.symbolic_trace(Small()), io.BytesIO()
    minitorch.save(traced, file)
    file.seek(0)
    x = minitorch.rand(3, 2)
    assert minitorch.equal(minitorch.load(file, weights_only=False)(x), traced(x))


def test_a_folder_is_a_package(tmp_path, monkeypatch):
    traced = minitorch.fx.symbolic_trace(Small())
    with pytest.warns(UserWarning, match=r"saved as pickled files instead: \['act'\]"):
        traced.to_folder(tmp_path / "written_by_fx", "Written")
    monkeypatch.syspath_prepend(str(tmp_path))
    written = importlib.import_module("written_by_fx").Written()
    del sys.modules["written_by_fx"]
    x = minitorch.rand(3, 2)
    assert minitorch.equal(written(x), traced(x))


def test_the_line_that_failed_is_shown():
    def squared(x):
        return minitorch.mm(x, x)

    traced = minitorch.fx.symbolic_trace(squared)
    told = io.StringIO()
    with contextlib.redirect_stderr(told), pytest.raises(RuntimeError) as caught:
        traced(minitorch.ones(2, 3))
    assert str(caught.value) == "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"
    assert "line 5 of the traced Module's generated forward function" in told.getvalue()
    assert "mm = torch.mm(x, x);  x = None" in told.getvalue()


@like_pytorch
def test_readable_code(torch):
    shapes = importlib.import_module(f"{torch.__name__}.fx.passes.shape_prop")
    inner = torch.fx.symbolic_trace(lambda x, y: x + y)

    class Outer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = inner

        def forward(self, x):
            return self.inner(x, 1)

    tracer = torch.fx.Tracer()
    tracer.is_leaf_module = lambda module, name: True
    outer = Outer()
    module = torch.fx.GraphModule(outer, tracer.trace(outer))
    shapes.ShapeProp(module).propagate(torch.ones(2, 3))
    options = {"include_stride": True, "include_device": True, "colored": True}
    texts = [module.print_readable(print_output=False, **o) for o in ({}, options)]
    inner.graph.find_nodes(op="placeholder")[0].meta["val"] = torch.ones(2)
    return *texts, inner.print_readable(print_output=False, expanded_def=True, **options)


@like_pytorch
def test_hooks(torch):
    module, told = torch.fx.symbolic_trace(lambda x: torch.relu(x + 1)), []
    x, add, _, _ = module.graph.nodes
    module._register_create_node_hook(lambda node: told.append(f"+{node.name}"))
    module._register_erase_node_hook(lambda node: told.append(f"-{node.name}"))
    with module._set_replace_hook(lambda old, new, user: told.append(f"{old}>{new} in {user}")):
        with module.graph.inserting_after(add):
            new = module.graph.call_function(torch.neg, (x,))
        add.replace_all_uses_with(new)
        x.name = "renamed"
    module.graph.erase_node(add)
    return told, str(module.graph)


@like_pytorch
def test_attributes_that_are_missing(torch):
    module = torch.fx.symbolic_trace(lambda x: x)
    return str(module.graph.get_attr("nothing")), str(module.graph.get_attr("no.thing"))
