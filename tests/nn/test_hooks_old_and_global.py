"""Backward hooks of the old kind, and hooks of assignments, against PyTorch's."""

import pytest

import minitorch
from tests.both import compare, like_pytorch
from tests.nn.hooks import calling, module_file, no_global_hooks, vector  # noqa: F401

# ---- backward hooks of the old kind


OLD = {
    "one node, leaf": lambda x, y: (lambda: x.sin(), (x,)),
    "one node, no leaf": lambda x, y: (lambda: y.sin(), (y,)),
    "two arguments": lambda x, y: (lambda: y * (y * 2), (y, y)),
    "several nodes": lambda x, y: (lambda: x.sin().cos(), (x,)),
    "list": lambda x, y: (lambda: [x * 2], (x,)),
    "dictionary": lambda x, y: (lambda: {"n": 3, "a": x * 2}, (x,)),
    "nested": lambda x, y: (lambda: ((x * 2,), x * 3), (x,)),
    "different nodes": lambda x, y: (lambda: (x * 2, x + 1), (x,)),
    "one node, two outputs": lambda x, y: (lambda: y.unbind(), (y,)),
    "with text": lambda x, y: (lambda: (x * 2, "text"), (x,)),
    "argument is no tensor": lambda x, y: (lambda: x * 2, (x, 3)),
    "no arguments": lambda x, y: (lambda: x * 2, ()),
    "argument itself": lambda x, y: (lambda: x, (x,)),
    "constant": lambda x, y: (lambda: x.detach(), (x,)),
    "number": lambda x, y: (lambda: 3, (x,)),
    "empty tuple": lambda x, y: (lambda: (), (x,)),
    "empty dictionary": lambda x, y: (lambda: {}, (x,)),
}


def _first_tensor(torch, value):
    while not isinstance(value, torch.Tensor):
        value = value["a"] if isinstance(value, dict) else value[0]
    return value


@pytest.mark.parametrize("name", OLD)
@pytest.mark.parametrize("everywhere", (True, False))
def test_old_backward_hooks(name, everywhere):
    def program(torch):
        seen = []
        x = vector(torch)
        compute, args = OLD[name](x, x * 1)
        layer = calling(torch, lambda *args: compute())
        register = layer.register_backward_hook
        if everywhere:
            register = module_file(torch).register_module_backward_hook
        register(lambda module, *grads: seen.append((module is layer, grads)))
        out = _first_tensor(torch, layer(*args))
        if out.requires_grad:
            out.sum().backward()
        return seen, x.grad

    compare(program)


@like_pytorch
def test_an_old_backward_hook_replaces_gradients(torch):
    layer = calling(torch, lambda x: x.sin())
    layer.register_backward_hook(lambda module, grad_input, grad_output: (grad_input[0] * 2,))
    x = vector(torch)
    layer(x).sum().backward()
    return x.grad


@like_pytorch
def test_an_old_backward_hook_of_a_dead_module(torch):
    layer = calling(torch, lambda x: x.sin())
    layer.register_backward_hook(lambda *args: None)
    out = layer(vector(torch))
    del layer
    out.sum().backward()


def test_a_string_is_an_error_for_an_old_backward_hook():
    # PyTorch looks for a tensor in it for ever
    layer = calling(minitorch, lambda x: "text")
    layer.register_backward_hook(print)
    with pytest.raises(TypeError, match="'str' object has no tensor"):
        layer(minitorch.ones(1))


@pytest.mark.parametrize("full_first", (True, False))
@pytest.mark.parametrize("everywhere", (True, False))
def test_the_two_kinds_of_backward_hooks_do_not_mix(full_first, everywhere):
    def program(torch):
        layer = torch.nn.Tanh()
        register = [layer.register_backward_hook, layer.register_full_backward_hook]
        if everywhere:
            module = module_file(torch)
            register = [
                module.register_module_backward_hook,
                module.register_module_full_backward_hook,
            ]
        register[full_first](print).remove()
        register[not full_first](print)

    compare(program)


@like_pytorch
def test_global_full_hooks_with_old_ones_of_a_module(torch):
    seen = []
    layer = calling(torch, lambda x: x.sin())
    layer.register_backward_hook(lambda *args: seen.append("old"))
    module_file(torch).register_module_full_backward_hook(lambda *args: seen.append("full"))
    layer(vector(torch)).sum().backward()
    return seen


# ---- hooks of assignments


@like_pytorch
def test_registration_hooks_see_what_is_assigned(torch):
    events = []

    def noting(kind):
        return lambda module, name, value: events.append((kind, name, value is None))

    module, nn = module_file(torch), torch.nn
    module.register_module_parameter_registration_hook(noting("parameter"))
    module.register_module_module_registration_hook(noting("module"))
    module.register_module_buffer_registration_hook(noting("buffer"))
    model = nn.Sequential(nn.Linear(1, 1), nn.BatchNorm1d(1))
    model.plain = None
    model.p = nn.Parameter(torch.ones(1))
    model.p = None
    model.p = nn.Parameter(torch.ones(1))
    model.register_parameter("q", None)
    model[1].running_mean = torch.ones(1)
    model[0] = nn.Tanh()
    model.register_buffer("b", None)
    model.b = torch.ones(2)
    model.b = None
    model.c = nn.Buffer(torch.ones(1))
    model.add_module("m", None)
    model.m = nn.Tanh()
    model.m = None
    return events


@like_pytorch
def test_registration_hooks_see_each_estimate_of_a_spectral_norm(torch):
    names = []
    module = module_file(torch)
    module.register_module_buffer_registration_hook(lambda m, name, b: names.append(name))
    layer = torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(3, 3))
    weights = [layer.weight, layer.eval().weight]
    return names, len(weights)


@like_pytorch
def test_registration_hooks_replace_what_is_assigned(torch):
    module, nn = module_file(torch), torch.nn
    module.register_module_parameter_registration_hook(
        lambda m, name, p: nn.Parameter(p.detach() * 0 + 7)
    )
    module.register_module_buffer_registration_hook(lambda m, name, b: torch.ones(3))
    module.register_module_module_registration_hook(lambda m, name, s: nn.Tanh())
    model = nn.Module()
    model.p = nn.Parameter(torch.ones(2))
    model.register_buffer("b", torch.zeros(1))
    model.s = nn.ReLU()
    model.add_module("t", nn.ReLU())
    return dict(model.state_dict()), repr(model)
