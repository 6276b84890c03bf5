"""What the garbage collector frees when hooks and attributes hold what was made after them.

A program makes tensors and returns them; once nothing else holds them, the collector must free every
one that it frees under PyTorch, which frees only what is held by no cycle through the graph.
"""

import gc
import weakref

import pytest

import minitorch
from tests.both import real

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def leaf(torch):
    return torch.ones(3, requires_grad=True)


@program
def tensor_hook(torch):
    x = leaf(torch)
    y = x * 2
    later = []
    y.register_hook(lambda g: later and None)
    z = y.exp().sin()
    later.append(z)
    return x, y, z


@program
def tensor_hook_on_a_name_assigned_later(torch):
    x = leaf(torch)
    y = x * 2
    y.register_hook(lambda g: g * z.sum())
    z = y * 3
    return x, y, z


@program
def hook_of_its_own_tensor(torch):
    x = leaf(torch)
    y = x * 2
    x.register_hook(lambda g: x and None)
    y.register_hook(lambda g: y and None)
    return x, y


@program
def hook_removed(torch):
    x = leaf(torch)
    y = x * 2
    later = []
    handle = x.register_hook(lambda g: later and None)
    z = y.exp()
    later.append(z)
    handle.remove()
    return x, y, z


@program
def node_hooks(torch):
    x = leaf(torch)
    y = x * 2
    later = []
    y.grad_fn.register_prehook(lambda g: later and None)
    y.grad_fn.register_hook(lambda a, b: later and None)
    z = y.exp().sin()
    later.append(z)
    return x, y, z


@program
def post_accumulate_grad_hook(torch):
    x = leaf(torch)
    later = []
    x.register_post_accumulate_grad_hook(lambda p: later and None)
    y = x * 2
    z = y.exp()
    later.append(z)
    return x, y, z


@program
def multi_grad_hook(torch):
    x = leaf(torch)
    y = x * 2
    later = []
    torch.autograd.graph.register_multi_grad_hook((x, y), lambda g: later and None)
    z = y.exp()
    later.append(z)
    return x, y, z


@program
def multi_grad_hook_for_the_first(torch):
    x = leaf(torch)
    y = x * 2
    later = []
    torch.autograd.graph.register_multi_grad_hook((x, y), lambda g: later and None, mode="any")
    z = y.exp()
    later.append(z)
    return x, y, z


@program
def two_hooks(torch):
    x = leaf(torch)
    y = x * 2
    z = y.exp()
    first, second = [], []
    y.register_hook(lambda g: first and None)
    z.register_hook(lambda g: second and None)
    w = z.sin()
    first.append(w)
    second.append(w * 2)
    return x, y, z, w


@program
def hook_of_a_view(torch):
    x = leaf(torch)
    y = x * 2
    v = y[0]
    later = []
    v.register_hook(lambda g: later and None)
    w = y.exp()
    later += [w, v * 2]
    return x, y, v, w


@program
def hook_before_a_write_in_place(torch):
    x = leaf(torch)
    y = x * 2
    later = []
    y.register_hook(lambda g: later and None)
    y.mul_(3)
    w = y.exp()
    later.append(w)
    return x, y, w


@program
def module_hook(torch):
    module = torch.nn.Linear(2, 2)
    later = []
    module.register_full_backward_hook(lambda m, a, b: later and None)
    x = torch.ones(1, 2, requires_grad=True)
    y = module(x)
    z = y.exp()
    later.append(z)
    return x, y, z, module


@program
def attribute_of_a_result(torch):
    x = leaf(torch)
    y = x * 2
    y.later = []
    z = y * 3
    w = z.exp()
    y.later.append(w)
    y.node = y.grad_fn
    return x, y, z, w


@program
def attribute_of_a_leaf(torch):
    x = leaf(torch)
    x.later = []
    y = x * 2
    z = y.exp()
    x.later.append(z)
    return x, y, z


@program
def metadata_of_a_node(torch):
    x = leaf(torch)
    y = x * 2
    later = []
    y.grad_fn.metadata["later"] = later
    z = y.exp().sin()
    later.append(z)
    return x, y, z


@program
def context_of_a_function(torch):
    contexts = []

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.later = []
            contexts.append(ctx)
            ctx.result = x * 2
            return ctx.result

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    x = leaf(torch)
    y = Double.apply(x)
    z = y.exp()
    contexts.pop().later.append(z)
    return x, y, z


@program
def saved_tensors_hook(torch):
    x = leaf(torch)
    later = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: (later, t.detach()), lambda p: p[1]):
        y = x.exp()
    z = y * 2
    later.append(z)
    return x, y, z


@program
def after_a_backward(torch):
    x = leaf(torch)
    y = x * 2
    later = []
    y.register_hook(lambda g: later and None)
    z = y.exp()
    later.append(z)
    z.sum().backward()
    return x, y, z


@program
def gradient_with_a_history(torch):
    x = leaf(torch)
    y = x * 2
    y.retain_grad()
    x.grad = y * x
    return x, y


def freed(torch, function):
    """For each tensor that the program returns, whether it is gone."""
    tensors = list(function(torch))
    references = [weakref.ref(t) for t in tensors]
    tensors.clear()
    for _ in range(3):
        gc.collect()
    return [r() is None for r in references]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_pytorch_frees_is_freed(name):
    ours, theirs = freed(minitorch, PROGRAMS[name]), freed(real, PROGRAMS[name])
    assert all(a >= b for a, b in zip(ours, theirs, strict=True)), (ours, theirs)
