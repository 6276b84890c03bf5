"""torch.utils.hooks against PyTorch's: the same program under both."""

import pickle
from collections import OrderedDict, namedtuple

import pytest

import minitorch
from tests.both import compare, like_pytorch, real


def _hooks(torch):
    if torch is real:
        import torch.utils.hooks  # noqa: F401
    return torch.utils.hooks


def test_the_public_names_are_pytorchs():
    assert sorted(_hooks(minitorch).__all__) == sorted(_hooks(real).__all__)


# ---- handles


@pytest.mark.parametrize("kind", ("none", "dictionary", "list"))
def test_a_handle_removes_its_key_from_all_dictionaries(kind):
    def program(torch):
        hooks, first, second = OrderedDict(), OrderedDict(), OrderedDict()
        extra = {"none": None, "dictionary": first, "list": [first, second]}[kind]
        handle = _hooks(torch).RemovableHandle(hooks, extra_dict=extra)
        other = _hooks(torch).RemovableHandle(hooks)
        for table in (hooks, first, second):
            table[handle.id] = "hook"
            table[other.id] = "other"
        distance = other.id - handle.id
        handle.remove()
        handle.remove()
        return distance, [list(table.values()) for table in (hooks, first, second)]

    compare(program)


@like_pytorch
def test_a_handle_is_a_context_and_outlives_its_dictionary(torch):
    hooks = OrderedDict()
    with _hooks(torch).RemovableHandle(hooks) as handle:
        hooks[handle.id] = 1
    left = list(hooks)
    del hooks
    handle.remove()
    return left, handle.hooks_dict_ref()


@like_pytorch
def test_a_handle_is_pickled_with_its_dictionaries(torch):
    cls = _hooks(torch).RemovableHandle
    hooks, extra = OrderedDict(), OrderedDict()
    handle = cls(hooks, extra_dict=extra)
    hooks[handle.id] = extra[handle.id] = "hook"
    restored, hooks, extra = pickle.loads(pickle.dumps((handle, hooks, extra)))
    same = restored.id == handle.id, list(hooks.values()), list(extra.values())
    restored.remove()
    return same, list(hooks), list(extra), cls.next_id > handle.id


@like_pytorch
def test_a_handle_of_a_dead_dictionary_is_pickled(torch):
    cls = _hooks(torch).RemovableHandle
    hooks = OrderedDict()
    handle = cls(hooks)
    del hooks
    restored = pickle.loads(pickle.dumps(handle))
    restored.remove()
    return restored.hooks_dict_ref()


# ---- hooks that would be lost


class _Hook:
    def __repr__(self):
        return "a hook"

    def __call__(self, grad):
        return None


@pytest.mark.parametrize("marked", (True, False))
def test_hooks_that_will_not_be_serialized(marked):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        for hook in (_Hook(), _Hook()):
            if marked:
                assert _hooks(torch).unserializable_hook(hook) is hook
            x.register_hook(hook)
        _hooks(torch).warn_if_has_hooks(x)
        _hooks(torch).warn_if_has_hooks(torch.ones(1))
        return hasattr(hook, "__torch_unserializable__")

    compare(program)


# ---- BackwardHook


def _backward_hook(torch, hooks=(), pre_hooks=()):
    return _hooks(torch).BackwardHook("the module", list(hooks), list(pre_hooks))


@like_pytorch
def test_the_hook_gets_the_gradients_of_both_ends(torch):
    seen = []
    hook = _backward_hook(torch, [lambda *args: seen.append(args)])
    x, y = torch.ones(2, requires_grad=True), torch.ones(2) * 3
    a, text, b, nothing = hook.setup_input_hook((x, "text", y, None))
    first, kept, second = hook.setup_output_hook((a * b, "kept", a + b))
    (first * 2 + second).sum().backward()
    return seen, text, nothing, kept, a.requires_grad, b.requires_grad, type(a.grad_fn).__name__


@like_pytorch
def test_a_single_output_stays_single(torch):
    hook = _backward_hook(torch)
    (a,) = hook.setup_input_hook((torch.ones(2, requires_grad=True),))
    return hook.setup_output_hook(a * 2), hook.setup_output_hook((a * 2,))


Pair = namedtuple("Pair", ["first", "second"])


@like_pytorch
def test_a_named_tuple_stays_one(torch):
    hook = _backward_hook(torch)
    x = torch.ones(2, requires_grad=True)
    pair = hook.setup_input_hook(Pair(x, 3))
    out = hook.setup_output_hook(Pair(pair.first * 2, "text"))
    return type(pair) is Pair, type(out) is Pair, pair, out


@like_pytorch
def test_without_grad_nothing_is_inserted(torch):
    hook = _backward_hook(torch)
    x = torch.ones(2, requires_grad=True)
    constants = (torch.ones(2), 3)
    with torch.no_grad():
        same = hook.setup_input_hook((x,))[0] is x
    return same, hook.setup_input_hook(constants) is constants, hook.setup_input_hook(())


@like_pytorch
def test_hooks_replace_gradients_one_after_the_other(torch):
    seen = []

    def first(module, grad_input, grad_output):
        seen.append(("first", grad_input, grad_output))
        return (grad_input[0] * 2, None)

    def second(module, grad_input, grad_output):
        seen.append(("second", grad_input, grad_output))

    def pre(module, grad_output):
        seen.append(("pre", grad_output))
        return (grad_output[0] * 10,)

    hook = _backward_hook(torch, [first, second], [pre, lambda *args: None])
    x = torch.ones(2, requires_grad=True)
    a, _ = hook.setup_input_hook((x, 3))
    hook.setup_output_hook(a * 5).sum().backward()
    return seen, x.grad


RESULTS = (
    "None",
    "()",
    "(g[0],)",
    "(g[0], g[0])",
    "[g[0]]",
    "g[0]",
    "3",
    "(3,)",
    "(None,)",
    "(g[0].double(),)",
    "(g[0][:1],)",
    "torch.ones(1, 2)",
)


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("pre", (True, False))
def test_what_a_hook_may_return(result, pre):
    def program(torch):
        def hook(module, g, *rest):
            return eval(result, {"g": g, "torch": torch})

        made = _backward_hook(torch, [] if pre else [hook], [hook] if pre else [])
        x = torch.ones(2, requires_grad=True)
        (a,) = made.setup_input_hook((x,))
        made.setup_output_hook(a * 5).sum().backward()
        return x.grad

    compare(program)


@pytest.mark.parametrize("result", RESULTS)
def test_what_a_hook_may_return_when_no_argument_requires_grad(result):
    def program(torch):
        seen = []

        def hook(module, g, grad_output):
            seen.append((g, grad_output))
            return eval(result, {"g": grad_output, "torch": torch})

        weight = torch.ones(2, requires_grad=True)
        made = _backward_hook(torch, [hook])
        a, _ = made.setup_input_hook((torch.ones(2), 3))
        made.setup_output_hook(a * weight).sum().backward()
        return seen, weight.grad

    compare(program)


@like_pytorch
def test_several_backward_passes(torch):
    seen = []
    hook = _backward_hook(torch, [lambda *args: seen.append(args)])
    x = torch.ones(2, requires_grad=True)
    (a,) = hook.setup_input_hook((x,))
    out = hook.setup_output_hook(a * a).sum()
    out.backward(retain_graph=True)
    (grad,) = torch.autograd.grad(out, x, create_graph=True)
    grad.sum().backward()
    return seen, x.grad


@like_pytorch
def test_an_output_that_gets_no_gradient(torch):
    seen = []
    hook = _backward_hook(torch, [lambda *args: seen.append(args)])
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    a, b = hook.setup_input_hook((x, y))
    first, _ = hook.setup_output_hook((a * 2, b * 3))
    first.sum().backward()
    return seen, x.grad, y.grad
