"""``torch.compile``: what a program sees of a compiled module."""

import importlib
import warnings

import pytest

from tests.both import compare, like_pytorch, real


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
