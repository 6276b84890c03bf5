"""Hooks of a module's call and of its backward pass against PyTorch's."""

import inspect

import pytest

import minitorch
from tests.both import compare, like_pytorch, real
from tests.nn.hooks import calling, module_file, no_global_hooks, vector  # noqa: F401

METHODS = (
    "register_forward_pre_hook",
    "register_forward_hook",
    "register_full_backward_pre_hook",
    "register_full_backward_hook",
    "register_backward_hook",
    "register_state_dict_pre_hook",
    "register_state_dict_post_hook",
    "register_load_state_dict_pre_hook",
    "register_load_state_dict_post_hook",
    "_register_state_dict_hook",
    "_register_load_state_dict_pre_hook",
    "state_dict",
    "load_state_dict",
    "_load_from_state_dict",
    "_save_to_state_dict",
    "get_extra_state",
    "set_extra_state",
)
FUNCTIONS = tuple(name for name in real.nn.modules.module.__all__ if name != "Module")


def _shape(function):
    return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]


@pytest.mark.parametrize("name", METHODS)
def test_signatures_of_methods_are_pytorchs(name):
    assert _shape(getattr(minitorch.nn.Module, name)) == _shape(getattr(real.nn.Module, name))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures_of_functions_are_pytorchs(name):
    assert _shape(getattr(module_file(minitorch), name)) == _shape(getattr(module_file(real), name))


# ---- the order


@like_pytorch
def test_hooks_are_called_in_pytorchs_order(torch):
    events = []

    def noting(name):
        return lambda *args: events.append(name)

    layer = torch.nn.Tanh()
    for k, prepend in ((0, False), (1, True), (2, False)):
        layer.register_forward_pre_hook(noting(("pre", k)), prepend=prepend)
        layer.register_forward_hook(noting(("after", k)), prepend=prepend)
        layer.register_full_backward_pre_hook(noting(("backward pre", k)), prepend=prepend)
        layer.register_full_backward_hook(noting(("backward", k)), prepend=prepend)
    module = module_file(torch)
    handles = [
        module.register_module_forward_pre_hook(noting("all pre")),
        module.register_module_forward_hook(noting("all after")),
        module.register_module_full_backward_pre_hook(noting("all backward pre")),
        module.register_module_full_backward_hook(noting("all backward")),
    ]
    layer(vector(torch)).sum().backward()
    for handle in handles:
        handle.remove()
    events.append("removed")
    layer(vector(torch)).sum().backward()
    return events


@like_pytorch
def test_global_hooks_see_every_module(torch):
    seen = []
    model = torch.nn.Sequential(torch.nn.Tanh(), torch.nn.Sequential(torch.nn.ReLU()))
    with module_file(torch).register_module_forward_hook(
        lambda module, args, output: seen.append((type(module).__name__, args, output))
    ):
        model(torch.ones(2))
    model(torch.ones(2))
    return seen


# ---- forward hooks


@pytest.mark.parametrize("result", ("None", "3", "a", "(a[0] * 2,)", "[a[0]]", "a[0] * 3", "()"))
def test_what_a_forward_pre_hook_may_return(result):
    def program(torch):
        seen = []
        layer = calling(torch, lambda *args: args)
        layer.register_forward_pre_hook(lambda module, a: eval(result, {"a": a}))
        layer.register_forward_pre_hook(lambda module, a: seen.append(a))
        return layer(torch.ones(2)), seen

    compare(program)


@pytest.mark.parametrize(
    "result",
    ("None", "3", "(a, k)", "((a[0] * 2,), {'scale': 3})", "[a, k]", "(a, k, 1)", "(a,)", "a"),
)
def test_what_a_forward_pre_hook_with_kwargs_may_return(result):
    def program(torch):
        seen = []
        layer = calling(torch, lambda *args, **kwargs: (args, kwargs))
        layer.register_forward_pre_hook(
            lambda module, a, k: eval(result, {"a": a, "k": k}), with_kwargs=True
        )
        layer.register_forward_pre_hook(lambda module, a: seen.append(a))
        return layer(torch.ones(2), scale=2), seen

    compare(program)


@pytest.mark.parametrize("everywhere", (True, False))
@pytest.mark.parametrize("with_kwargs", (True, False))
def test_forward_hooks_get_arguments_and_replace_the_output(with_kwargs, everywhere):
    def program(torch):
        seen = []
        layer = calling(torch, lambda x, scale=1: x * scale)

        def hook(module, *rest):
            seen.append(rest)
            return rest[-1] + 1

        register = layer.register_forward_hook
        if everywhere:
            register = module_file(torch).register_module_forward_hook
        handle = register(hook, with_kwargs=with_kwargs)
        layer.register_forward_hook(lambda module, args, output: seen.append(output))
        out = layer(torch.ones(2), scale=2), layer(x=torch.ones(2))
        handle.remove()
        return out, layer(torch.ones(2)), seen

    compare(program)


@pytest.mark.parametrize("place", ("forward", "pre", "hook", "always"))
@pytest.mark.parametrize("always_fails", (True, False))
def test_hooks_that_are_called_after_an_error(place, always_fails):
    def program(torch):
        events = []

        def fail(*args):
            raise ValueError("no")

        def noting(name, result=None):
            def hook(module, args, output):
                events.append((name, args, output))
                return result

            return hook

        def noting_kwargs(module, args, kwargs, output):
            events.append(("kwargs", args, kwargs, output))
            if always_fails:
                raise KeyError("silenced")

        layer = calling(torch, fail if place == "forward" else lambda x, scale=1: x * scale)
        if place == "pre":
            layer.register_forward_pre_hook(fail)
        layer.register_forward_hook(noting("first", 3), always_call=True)
        layer.register_forward_hook(noting("ordinary"))
        if place in ("hook", "always"):
            layer.register_forward_hook(fail, always_call=place == "always")
        layer.register_forward_hook(noting("not reached"))
        layer.register_forward_hook(noting_kwargs, always_call=True, with_kwargs=True)
        module_file(torch).register_module_forward_hook(noting("everywhere"), always_call=True)
        try:
            layer(torch.ones(2), scale=2) if place != "forward" else layer(torch.ones(2))
        except ValueError as error:
            events.append(str(error))
        except KeyError as error:
            events.append(repr(error))
        return events

    compare(program)


@like_pytorch
def test_the_error_of_the_forward_pass_is_raised_though_a_hook_fails_too(torch):
    def fail(*args):
        raise ValueError("forward")

    def fail_too(*args):
        raise KeyError("hook")

    layer = calling(torch, fail)
    layer.register_forward_hook(fail_too, always_call=True)
    layer(torch.ones(1))


@like_pytorch
def test_a_hook_removes_itself(torch):
    seen = []
    layer = torch.nn.Identity()

    def hook(module, args, output):
        seen.append(output)
        handle.remove()

    handle = layer.register_forward_hook(hook)
    layer.register_forward_pre_hook(lambda module, args: None)
    return layer(torch.ones(1)), layer(torch.ones(1)), seen


# ---- full backward hooks


def _linear(torch):
    torch.manual_seed(0)
    return torch.nn.Linear(2, 3)


@like_pytorch
def test_full_backward_hooks_get_and_replace_gradients(torch):
    seen = []
    layer = _linear(torch)

    def pre(module, grad_output):
        seen.append(grad_output)
        return (grad_output[0] * 2,)

    def hook(module, grad_input, grad_output):
        seen.append((grad_input, grad_output))
        return (grad_input[0] * 10,)

    layer.register_full_backward_pre_hook(pre)
    layer.register_full_backward_hook(hook)
    x = vector(torch)
    layer(x).sum().backward()
    return seen, x.grad, layer.weight.grad


CALLS = {
    "tensor": lambda x: x * 2,
    "tuple": lambda x: (x * 2, x + 1),
    "tuple of one": lambda x: (x * 2,),
    "with text": lambda x: (x * 2, "text"),
    "with a constant": lambda x: (x * 2, x.detach()),
    "list": lambda x: [x * 2, x + 1],
    "dictionary": lambda x: {"a": x * 2},
    "argument itself": lambda x: x,
    "view": lambda x: x[:1],
    "nothing": lambda x: None,
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", ("hook", "pre-hook", "both"))
@pytest.mark.parametrize("leaf", (True, False))
def test_full_backward_hooks_of_different_outputs(name, kind, leaf):
    def program(torch):
        seen = []
        layer = calling(torch, CALLS[name])
        if kind != "pre-hook":
            layer.register_full_backward_hook(lambda module, *grads: seen.append(grads))
        if kind != "hook":
            layer.register_full_backward_pre_hook(lambda module, *grads: seen.append(grads))
        x = vector(torch)
        out = layer(x if leaf else x * 1)
        values = out.values() if isinstance(out, dict) else out
        if isinstance(out, torch.Tensor):
            values = (out,)
        for value in values or ():
            if isinstance(value, torch.Tensor) and value.requires_grad:
                value.sum().backward(retain_graph=True)
        return out, seen, x.grad

    compare(program)


@like_pytorch
def test_full_backward_hooks_where_no_argument_requires_grad(torch):
    seen = []
    layer = _linear(torch)
    layer.register_full_backward_hook(lambda module, *grads: seen.append(grads))
    layer(torch.ones(2)).sum().backward()
    return seen, layer.weight.grad


@like_pytorch
def test_full_backward_hooks_do_not_see_keyword_arguments(torch):
    seen = []
    layer = calling(torch, lambda x, y=None: x * (3 if y is None else y))
    layer.register_full_backward_hook(lambda module, *grads: seen.append(grads))
    x, y = vector(torch), vector(torch)
    layer(x, y=y).sum().backward()
    layer(x=x).sum().backward()
    return seen, x.grad, y.grad


@like_pytorch
def test_full_backward_hooks_without_grad(torch):
    seen = []
    layer = calling(torch, lambda x: x * 2)
    layer.register_full_backward_hook(lambda module, *grads: seen.append(grads))
    with torch.no_grad():
        return layer(vector(torch)), layer(torch.ones(1)), seen


@like_pytorch
def test_an_argument_in_place_after_a_full_backward_hook(torch):
    layer = torch.nn.ReLU(inplace=True)
    layer.register_full_backward_hook(lambda module, *grads: None)
    layer(vector(torch) * 1)


@like_pytorch
def test_an_output_in_place_after_a_full_backward_hook(torch):
    layer = torch.nn.ReLU()
    layer.register_full_backward_hook(lambda module, *grads: None)
    layer(vector(torch)).add_(1)


@like_pytorch
def test_a_layer_called_twice_and_a_network_of_layers(torch):
    seen = []
    torch.manual_seed(0)
    shared = torch.nn.Linear(2, 2)
    model = torch.nn.Sequential(shared, torch.nn.Tanh(), shared)
    for module in model.modules():
        module.register_full_backward_hook(
            lambda module, *grads: seen.append((type(module).__name__, grads))
        )
    model(vector(torch)).sum().backward()
    return seen, shared.weight.grad
