"""`make_fx`: the operators of a function that is run, as a graph."""

import importlib

import pytest

import minitorch
from tests.both import compare, like_pytorch


def proxies(torch):
    """The module of `make_fx`."""
    return importlib.import_module(f"{torch.__name__}.fx.experimental.proxy_tensor")


def code(module):
    return module.code.strip()


def _gradient(torch, x):
    x = x.detach().requires_grad_()
    return torch.autograd.grad(x.exp().sum(), x)


def _in_place(torch, x):
    y = x.clone()
    y.add_(1)
    return y.mul_(2)


def _setitem(torch, x):
    x[0] = 1.0
    return x


FUNCTIONS = {
    "operators": lambda torch: lambda x: x.sin() + 1,
    "a gradient": lambda torch: lambda x: _gradient(torch, x),
    "func.grad": lambda torch: torch.func.grad(lambda x: x.sin().sum()),
    "vmap": lambda torch: torch.func.vmap(lambda x: x.sin()),
    "gradients of samples": lambda torch: torch.vmap(torch.func.grad(lambda x: x.sin() * x)),
    "like a sample": lambda torch: torch.vmap(lambda x: torch.zeros_like(x) + x),
    "new from a sample": lambda torch: (
        lambda x: torch.vmap(lambda y: y.new_zeros(3) * y)(x.expand(2, 3))
    ),
    "like a sample of samples": lambda torch: (
        lambda x: torch.vmap(torch.vmap(torch.ones_like))(x.expand(2, 3))
    ),
    "like a sample with a gradient": lambda torch: torch.func.grad(
        lambda x: torch.vmap(lambda y: y * torch.ones_like(y))(x).sum()
    ),
    "a number": lambda torch: lambda x: x + torch.tensor(3.0),
    "a list": lambda torch: lambda x: x + torch.tensor([3.0, 1, 2]),
    "the value of a number": lambda torch: lambda x: x * torch.tensor(3.0).item(),
    "in place": lambda torch: lambda x: _in_place(torch, x),
    "an item": lambda torch: lambda x: _setitem(torch, x),
    "random": lambda torch: lambda x: x + torch.rand(3),
    "not used": lambda torch: lambda x: (x.sin(), x.cos())[1],
    "several results": lambda torch: lambda x: x.split(1),
    "a named result": lambda torch: lambda x: x.max(0),
    "a dictionary": lambda torch: lambda x: {"a": x * 2, "b": [x]},
    "nothing": lambda torch: lambda x: None,
    "an index": lambda torch: lambda x: x[1:, None],
    "another dtype": lambda torch: lambda x: x.to(torch.float64),
    "no grad": lambda torch: torch.no_grad()(lambda x: x * 2),
    "symbolically traced": lambda torch: torch.fx.symbolic_trace(lambda x: torch.relu(x)),
}


@pytest.mark.parametrize("case", FUNCTIONS)
def test_the_code_of_a_function(case):
    def program(torch):
        importlib.import_module(f"{torch.__name__}.fx")
        return code(proxies(torch).make_fx(FUNCTIONS[case](torch))(torch.ones(3)))

    compare(program)


REFUSED = {
    "a value": lambda torch: (lambda x: x * x.sum().item(), {}),
    "a decision": lambda torch: (lambda x: x if x.sum() > 0 else -x, {}),
    "a comparison": lambda torch: (lambda x: torch.allclose(x, x), {}),
    "a mode of its own": lambda torch: (lambda x: x, {"tracing_mode": "no"}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_traced(case):
    def program(torch):
        function, options = REFUSED[case](torch)
        return proxies(torch).make_fx(function, **options)(torch.ones(3))

    compare(program)


@like_pytorch
def test_several_and_nested_arguments(torch):
    make_fx, x = proxies(torch).make_fx, torch.ones(2, 2)
    nested = make_fx(lambda d, x: d["a"] + d["b"][0] * x)({"a": x, "b": [x.clone()]}, x.clone())
    return (
        code(make_fx(lambda a, b: (a @ b).relu())(x, x.clone())),
        code(make_fx(lambda *a: a[0] + a[1])(x, x.clone())),
        code(make_fx(lambda x, n: x * n)(x, 3)),
        code(nested),
        nested({"a": x, "b": [x]}, x),
    )


@like_pytorch
def test_a_module_and_its_parameters(torch):
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU())
    x = torch.ones(4, 3)
    traced = proxies(torch).make_fx(net)(x)
    outside = torch.ones(3)
    closed = proxies(torch).make_fx(lambda x: x + outside)(x)
    return (
        code(traced),
        sorted(name for name, _ in traced.named_parameters()),
        traced(x * 2),
        code(closed),
        closed(x),
    )


@like_pytorch
def test_a_step_of_training(torch):
    net = torch.nn.Linear(3, 2)

    def step(params, x):
        loss = torch.func.functional_call(net, params, (x,)).sum()
        return torch.autograd.grad(loss, list(params.values()))

    params = {name: p.detach().fill_(1).requires_grad_() for name, p in net.named_parameters()}
    traced = proxies(torch).make_fx(step)(params, torch.ones(2, 3))
    return code(traced), list(traced(params, torch.ones(2, 3) * 2))


@like_pytorch
def test_operators_in_terms_of_others(torch):
    silu = torch.ops.aten.silu.default
    table = {silu: lambda x: x * torch.sigmoid(x)}
    make_fx = proxies(torch).make_fx
    return code(make_fx(torch.nn.functional.silu, table)(torch.ones(3)))


@like_pytorch
def test_on_fake_tensors(torch):
    traced = proxies(torch).make_fx(lambda x: x.sin(), tracing_mode="fake")(torch.ones(3))
    node = next(iter(traced.graph.nodes))
    value = node.meta["val"]
    return (
        code(traced),
        type(value).__name__,
        value.shape,
        node.meta["tensor_meta"].dtype is not None,
    )


@like_pytorch
def test_the_mode_that_traces(torch):
    seen = []

    def function(x):
        seen.append(type(proxies(torch).get_proxy_mode()).__name__)
        with proxies(torch).disable_proxy_modes_tracing():
            y = torch.ones(3).cos()
        return x + y.sum().item()

    return (
        code(proxies(torch).make_fx(function)(torch.ones(3))),
        seen,
        proxies(torch).get_proxy_mode(),
    )


def test_sizes_as_symbols_are_refused():
    with pytest.raises(NotImplementedError, match="symbolic"):
        proxies(minitorch).make_fx(abs, tracing_mode="symbolic")


@like_pytorch
def test_a_result_that_grows_can_be_traced(torch):
    def function(x):
        out = torch.empty(0)
        torch.add(x, 1, out=out)
        return out * 2

    graph = proxies(torch).make_fx(function)(torch.arange(4.0))
    return graph(torch.ones(4)), graph.graph.find_nodes(op="output")[0].args[0].meta["val"].shape
