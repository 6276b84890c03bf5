"""``torch.compile``: what a program sees of a compiled module."""

import importlib
import re
import warnings

import pytest

import minitorch
from tests.both import compare, like_pytorch, outcome, real


def test_a_module_is_wrapped():
    with warnings.catch_warnings():
        # what PyTorch's compiler says when it is imported
        warnings.simplefilter("ignore")
        real.compile(real.nn.Linear(1, 1))
    compare(seen_of_a_compiled_module)


def seen_of_a_compiled_module(torch):
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU())
    compiled = torch.compile(net, mode="default")
    compiled.note = 3
    compiled.eval()
    seen = [
        list(compiled.state_dict()),
        [name for name, _ in compiled.named_modules()],
        repr(compiled),
        len(compiled),
        net.note,
        net.training,
        compiled._orig_mod is net,
        compiled[0] is net[0] if hasattr(type(compiled), "__getitem__") else None,
        isinstance(compiled, torch._dynamo.OptimizedModule),
        "note" in dir(compiled),
    ]
    del compiled.note
    return [*seen, hasattr(net, "note"), torch.compile(net, disable=True) is net]


@like_pytorch
def test_a_missing_attribute_is_looked_for_in_the_module(torch):
    return torch.compile(torch.nn.Linear(1, 1)).no_such_attribute


def test_it_computes_what_the_module_does():
    import minitorch as torch

    net = torch.nn.Linear(2, 1)
    x = torch.ones(3, 2)
    compiled = torch.compile(net, fullgraph=True)
    compiled(x).sum().backward()
    assert torch.equal(compiled(x), net(x))
    assert net.weight.grad.tolist() == [[3.0, 3.0]]
    assert torch.compile()(len) is len


@pytest.mark.parametrize(
    "given",
    [{"model": 3}, {"model": len, "mode": "a"}, {"model": len, "mode": "lite", "options": {}}],
)
def test_what_is_refused(given):
    compare(lambda torch: torch.compile(**given))


_BAD = {"backend": "nonsense"}


@pytest.mark.parametrize(
    "call",
    [
        lambda torch: torch.compile(torch.sin, **_BAD),
        lambda torch: torch.compile(**_BAD)(torch.sin),
        lambda torch: torch.compile(torch.nn.Linear(1, 1), **_BAD),
        lambda torch: torch.nn.Linear(1, 1).compile(**_BAD),
        lambda torch: torch.compile(torch.sin, disable=True, **_BAD),
        lambda torch: torch.compile(3, **_BAD),
        lambda torch: torch.compile(torch.sin, mode="nonsense", **_BAD),
        lambda torch: torch.compile(torch.sin, mode="default", options={}, **_BAD),
        lambda torch: torch._dynamo.optimize("nonsense"),
        lambda torch: torch.compile(torch.sin, backend=""),
    ],
)
def test_an_unknown_backend_is_refused(call):
    compare(call)


def test_a_known_backend_is_accepted_when_compile_is_called():
    def program(torch):
        unnamed = torch.compile(**_BAD)  # a decorator looks at its arguments when it is applied
        names = torch_backends + [None, list, lambda graph, inputs: graph]
        return callable(unnamed), [callable(torch.compile(len, backend=b)) for b in names]

    torch_backends = real.compiler.list_backends(None)
    compare(program)


def test_a_compiler_with_its_own_modes_accepts_any():
    compare(lambda torch: torch.compile(len, backend="eager", mode="nonsense") is not None)


@pytest.mark.slow
def test_an_explanation_counts_graphs_and_breaks():
    def program(torch):
        found = torch._dynamo.explain(lambda x, y: torch.mul(torch.sin(x), y))(torch.ones(3), y=2)
        text = re.sub("    .*", "", str(found).split("Out Guards:")[0])
        fields = found.graph_count, found.graph_break_count, found.op_count, found.break_reasons
        operators = [len(names) for names in found.ops_per_graph]
        return text, fields, operators

    # PyTorch's compiler warns when it is imported
    assert outcome(program, minitorch)[:2] == outcome(program, real)[:2]


def test_an_explanation_calls_the_function_once_and_raises_what_it_raises():
    calls = []
    found = minitorch._dynamo.explain(lambda: calls.append(1))()
    assert (calls, found.graph_count, found.graphs, found.op_count) == ([1], 0, [], 0)
    with pytest.raises(ZeroDivisionError):
        minitorch._dynamo.explain(lambda x: 1 / 0)(minitorch.ones(1))
    with pytest.warns(FutureWarning, match="explain.f, .args, ..kwargs. is deprecated"):
        assert minitorch._dynamo.explain(minitorch.sin, minitorch.ones(1)).op_count == 1


def test_counters_of_graphs_are_backends():
    def program(torch):
        testing = importlib.import_module(f"{torch.__name__}._dynamo.testing")
        traced = torch.fx.symbolic_trace(lambda x: torch.relu(x) + 1)
        counted, kept = testing.CompileCounter(), testing.EagerAndRecordGraphs()
        x = torch.tensor([-1.0, 1.0])
        results = counted(traced, [x])(x), kept(traced, [x])(x)
        seen = counted.frame_count, counted.op_count, len(kept.graphs)
        counted.clear()
        named = testing.CompileCounterWithBackend("eager")
        return results, seen, counted.op_count, named.backend, named.graphs

    compare(program)


def test_errors_of_the_compiler_can_be_caught_by_their_names():
    def program(torch):
        errors = torch._dynamo.exc
        names = ("InternalTorchDynamoError", "RecompileError", "SkipFrame", "TorchRuntimeError")
        kinds = [[c.__name__ for c in getattr(errors, name).__mro__] for name in names]
        return kinds, str(errors.Unsupported("yield")), str(errors.InvalidBackend("fast"))

    compare(program)


def test_limits_of_compiling_are_lifted_for_a_while():
    def program(torch):
        with torch._dynamo.utils.disable_cache_limit():
            within = torch._dynamo.config.recompile_limit
        return within, torch._dynamo.config.recompile_limit

    compare(program)
