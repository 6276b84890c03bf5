"""What is recorded when a program is traced."""

import functools
import importlib
import math
from math import sqrt
from typing import NamedTuple

import pytest

import minitorch
from tests.both import compare, like_pytorch, real


def joined(pair, scale):
    return pair[0] * scale + pair[1]


def shifted(x):
    return x + 1


for library in (minitorch, real):
    exec("wrap('joined'); wrap(shifted)", {**globals(), "wrap": library.fx.wrap})


class Point(NamedTuple):
    x: object
    y: object


def code_of(torch, program, **options):
    return torch.fx.symbolic_trace(program, **options).code


def network(torch):
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.head = torch.nn.Linear(2, 3)
            self.body = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Linear(3, 3))
            self.scale = torch.nn.Parameter(torch.ones(3))
            self.shift = torch.zeros(3)
            self.register_buffer("mean", torch.ones(3))

        def forward(self, x, power=2):
            hidden = self.body(self.head(x)) * self.scale + self.shift
            return torch.cat([hidden**power, hidden - self.mean], dim=1)

    return Net()


@like_pytorch
def test_a_network_becomes_a_graph(torch):
    torch.manual_seed(0)
    net = network(torch)
    traced = torch.fx.symbolic_trace(net)
    traced.graph.lint()
    x = torch.ones(2, 2)
    return traced.code, str(traced.graph), str(traced), torch.equal(traced(x), net(x))


PROGRAMS = {
    "operators": lambda torch: lambda x, y: (
        x + y, x - 1, 2 * x, x / y, x // 2, 3 % x, x**2, x @ y, -x, ~(x > 0), abs(x), x << 1,
        x & 1, 1 | x, x == y, x != y, x <= y,
    ),
    "indexing": lambda torch: lambda x: (x[0], x[..., None], x[1:2, ::2], x["a"], x[x > 0]),
    "attributes and methods": lambda torch: lambda x: (x.shape[0], x.T.size(1), x.a.b.c(x.d), x()),
    "containers": lambda torch: lambda x: {"a": [x, (x, 1)], "b": Point(x, 2)},
    "functions": lambda torch: lambda x: (
        torch.relu(x), torch.add(x, x, alpha=2), torch.stack([x, x]), torch.where(x > 0, x, 0),
        torch.nn.functional.relu(x), torch.nn.functional.linear(x, x),
        torch.nn.functional.gelu(x), torch.einsum("ii", x), torch.fft.fft(x),
        torch.linalg.norm(x), torch.special.erf(x), torch.zeros_like(x), torch.split(x, 2),
        torch.ops.aten.add.Tensor(x, 1), torch.ops.aten.neg(x), torch.ones(2) + x,
    ),
    "constants": lambda torch: lambda x: (
        x.to(torch.float64), x.to(torch.device("cpu")), x + float("inf"), x + math.nan,
        x.view(-1), x.sum(dim=None), torch.clone(x, memory_format=torch.contiguous_format),
    ),
    "in place": lambda torch: in_place,
    "unpacked": lambda torch: unpacked,
    "not looked into": lambda torch: lambda x: (joined((x, 2), 3), shifted(x), shifted(1)),
    "of math": lambda torch: lambda x: (math.sin(x), sqrt(x), math.cos(0)),
    "names that are taken": lambda torch: lambda sum, Bad, _1x: sum + Bad + _1x,
    "rest of the arguments": lambda torch: lambda *args, **kwargs: args[0] + kwargs["b"],
    "by name only": lambda torch: lambda x, *, y=2: x + y,
    "an assertion": lambda torch: lambda x: torch._assert(x.sum() > 0, "not positive"),
}  # fmt: skip


def in_place(x):
    x += 1
    x *= x
    return x


def unpacked(x):
    a, (b, c) = x, x.shape
    return a + b + c


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_are_written_as_pytorch_writes_them(name):
    def program(torch):
        traced = torch.fx.symbolic_trace(PROGRAMS[name](torch))
        return traced.code, str(traced.graph)

    compare(program)


REFUSED = {
    "a condition": lambda torch: lambda x: x if x > 0 else -x,
    "a loop": lambda torch: lambda x: [row for row in x],
    "its length": lambda torch: lambda x: len(x),
    "a number of it": lambda torch: lambda x: range(x),
    "an object": lambda torch: lambda x: x + object(),
    "a key": lambda torch: lambda x: torch.relu({x: 1}),
    "its elements as arguments": lambda torch: lambda x: torch.add(*x),
    "no function": lambda torch: 3,
    "a partial function": lambda torch: functools.partial(torch.add, 1),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_traced(name):
    compare(lambda torch: code_of(torch, REFUSED[name](torch)))


def test_errors_are_trace_errors():
    assert issubclass(minitorch.fx.proxy.TraceError, ValueError)
    with pytest.raises(minitorch.fx.proxy.TraceError):
        minitorch.fx.symbolic_trace(lambda x: bool(x))
    assert minitorch.nn.Linear(1, 1)(minitorch.ones(1)).shape == (1,)


def chosen(a, b):
    if b is None:
        return a
    return a * 2 if b == 3 else a + b


@pytest.mark.parametrize("b", [None, 3, "text", True])
def test_arguments_that_are_known(b):
    def program(torch):
        traced = torch.fx.symbolic_trace(chosen, concrete_args={"b": b})
        return traced.code, traced(2, b)

    compare(program)


@pytest.mark.parametrize("b", [None, 3])
def test_another_value_than_the_known_one(b):
    compare(lambda torch: torch.fx.symbolic_trace(chosen, concrete_args={"b": b})(2, 4))


def of_containers(x):
    return {"sum": x["a"] + x["b"][0], "rest": [x["b"][1], x["a"]]}


@like_pytorch
def test_containers_with_inputs(torch):
    PH = torch.fx._symbolic_trace.PH
    traced = torch.fx.symbolic_trace(of_containers, {"x": {"a": PH, "b": [PH, PH]}})
    given = {"a": 1, "b": [2, 3]}
    ran = torch.fx.Interpreter(traced).run(given)
    return traced.code, str(traced.graph), traced(given), ran, repr(PH)


@like_pytorch
def test_known_arguments_by_position(torch):
    PH = torch.fx._symbolic_trace.PH
    codes = [code_of(torch, chosen, concrete_args=(PH, 3))]
    codes.append(code_of(torch, lambda *args: args[0] + args[1], concrete_args=(PH, PH)))
    return codes


@like_pytorch
def test_too_few_known_arguments(torch):
    torch.fx.symbolic_trace(chosen, concrete_args=(3,))


@like_pytorch
def test_tensors_of_the_program_become_attributes(torch):
    constant = torch.arange(2.0)
    traced = torch.fx.symbolic_trace(lambda x: x @ constant + torch.tensor(1.0) + constant)
    return traced.code, traced(torch.ones(2)), list(traced.state_dict())


@like_pytorch
def test_a_parameter_of_another_module(torch):
    other = torch.nn.Parameter(torch.ones(1))
    torch.fx.symbolic_trace(lambda x: x + other)


@like_pytorch
def test_a_module_that_is_made_inside(torch):
    torch.fx.symbolic_trace(lambda x: torch.nn.ReLU()(x))


@like_pytorch
def test_annotations_are_kept(torch):
    def program(
        x: torch.Tensor, n: int = 2, names: list[str] = None, either: int | None = None
    ) -> tuple[torch.Tensor, int]:
        return torch.fx.annotate.annotate(x + 1, torch.Tensor), n

    __import__(f"{torch.__name__}.fx.annotate")
    traced = torch.fx.symbolic_trace(program)
    return traced.code, str(traced.graph)


@like_pytorch
def test_a_value_has_one_annotation(torch):
    __import__(f"{torch.__name__}.fx.annotate")
    annotate = torch.fx.annotate.annotate
    torch.fx.symbolic_trace(lambda x: annotate(annotate(x + 1, int), int))


@like_pytorch
def test_tracers_of_ones_own(torch):
    class Everything(torch.fx.Tracer):
        def is_leaf_module(self, m, module_qualified_name):
            return False

    class Buffers(torch.fx.Tracer):
        proxy_buffer_attributes = True

    class Assertions(torch.fx.Tracer):
        trace_asserts = True

    def program(x):
        assert x.sum() > 0, "not positive"
        return x

    net = network(torch)
    tracers = Everything(), Buffers(), torch.fx.Tracer(param_shapes_constant=True)
    codes = [torch.fx.GraphModule(net, tracer.trace(net)).code for tracer in tracers]
    asserting = torch.fx.GraphModule({}, Assertions().trace(program))
    functions = torch.fx.Tracer(autowrap_functions=(in_place,)).trace(lambda x: in_place(x))
    return codes, asserting.code, torch.fx.GraphModule({}, functions).code


def test_where_nodes_come_from():
    class Remembering(minitorch.fx.Tracer):
        record_stack_traces = True

    graph = Remembering().trace(network(minitorch))
    (cat,) = graph.find_nodes(op="call_function", target=minitorch.cat)
    assert cat.stack_trace.splitlines()[-1].strip().startswith("return torch.cat([hidden")
    (head,) = (n for n in graph.find_nodes(op="call_module") if n.target == "head")
    assert list(head.meta["nn_module_stack"]) == ["head"]


@like_pytorch
def test_classes_whose_construction_is_recorded(torch):
    class Pair(metaclass=torch.fx._symbolic_trace.ProxyableClassMeta):
        def __init__(self, left, right):
            self.left, self.right = left, right

    Pair.__module__, Pair.__qualname__ = __name__, "Pair"
    fixed = Pair(1, 2)
    traced = torch.fx.symbolic_trace(lambda x: (Pair(x, 2).left + 1, fixed, Pair(3, 4).right))
    return str(traced.graph)


@like_pytorch
def test_proxies_one_by_one(torch):
    graph = torch.fx.Graph()
    x = torch.fx.Proxy(graph.placeholder("x"))
    values = [x.foo.bar(1)[0], torch.relu(x), torch.ones(2) * x, torch.ones(2)[x], x.T, abs(x)]
    return [repr(value) for value in values], str(graph), isinstance(x, torch.Tensor)


def test_proxies_of_two_graphs_do_not_meet():
    x, y = (minitorch.fx.Proxy(minitorch.fx.Graph().placeholder(name)) for name in "xy")
    with pytest.raises(RuntimeError, match="^Found multiple different tracers"):
        minitorch.add(x, y)


def test_modules_are_as_they_were_after_an_error():
    before = minitorch.nn.Module.__call__, minitorch.nn.Module.__getattr__
    with pytest.raises(ZeroDivisionError):
        minitorch.fx.symbolic_trace(lambda x: 1 / 0)
    assert (minitorch.nn.Module.__call__, minitorch.nn.Module.__getattr__) == before
    assert not minitorch.fx._symbolic_trace.is_fx_symbolic_tracing()


def test_functions_that_pytorch_has_compiled_are_not_traced_by_themselves():
    F = minitorch.nn.functional
    for function in (F.linear, F.conv2d, F.celu_, minitorch.relu):
        with pytest.raises(AssertionError, match="^Expected FunctionType, got "):
            minitorch.fx.symbolic_trace(function)


@like_pytorch
def test_functions_of_the_library_are_traced_by_themselves(torch):
    F = torch.nn.functional
    targets = []
    for function in (F.relu, F.mse_loss, F.multilabel_soft_margin_loss, F.linear_cross_entropy):
        nodes = torch.fx.symbolic_trace(function).graph.nodes
        targets.append([n.target.__name__ for n in nodes if n.op == "call_function"])
    return targets


@like_pytorch
def test_a_tracer_that_asks_for_the_module_of_a_layer(torch):
    fx, nn = importlib.import_module(f"{torch.__name__}.fx"), torch.nn

    class Own(fx.Tracer):
        def is_leaf_module(self, m, module_qualified_name):
            return m.__module__.startswith("torch.nn") and not isinstance(m, nn.Sequential)

    net = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.BatchNorm1d(2), nn.ReLU()))
    return [(node.op, node.name) for node in Own().trace(net).nodes]


def test_a_tracer_of_a_package_patches_with_the_tools_of_the_module():
    def program(torch):
        tools = torch.fx._symbolic_trace
        names = {"double": lambda x: 2 * x, "unwrapped": abs}
        with tools._Patcher() as patcher:
            tools._patch_wrapped_functions(patcher)
            tools._autowrap_check(patcher, names, {id(names["double"])})
            proxy = tools.Proxy(torch.fx.Graph().placeholder("x"))
            inside = type(names["double"](proxy)).__name__, names["unwrapped"] is abs
        return inside, names["double"](3), isinstance(3, tools.ScriptObject)

    compare(program)
