"""Hooks of state_dict and load_state_dict, and what they surround, against PyTorch's."""

import copy
import itertools
import pickle

import pytest

from tests.both import compare, like_pytorch
from tests.nn.hooks import calling, module_file, no_global_hooks, vector  # noqa: F401

# ---- hooks of the state


def _shown(value, torch):
    if isinstance(value, torch.nn.Module):
        return type(value).__name__
    return list(value) if hasattr(value, "keys") else value


def _noting(torch, events, name):
    def hook(*args):
        # the lists of keys change afterwards
        events.append((name, [copy.copy(_shown(value, torch)) for value in args]))

    return hook


@like_pytorch
def test_hooks_of_state_dict(torch):
    events = []
    model = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.Tanh())
    for module, name in ((model, "model"), (model[0], "layer")):
        module.register_state_dict_pre_hook(_noting(torch, events, name + " before"))
        module.register_state_dict_post_hook(_noting(torch, events, name + " after"))
        module._register_state_dict_hook(_noting(torch, events, name + " after, old"))
    model.state_dict()
    model.state_dict(prefix="p.", keep_vars=True)
    return events


@pytest.mark.parametrize("result", ("None", "{'new': 1}", "3"))
@pytest.mark.parametrize("below", (True, False))
@pytest.mark.parametrize("method", ("register_state_dict_post_hook", "_register_state_dict_hook"))
def test_what_a_hook_of_state_dict_may_return(method, below, result):
    def program(torch):
        model = torch.nn.Sequential(torch.nn.Linear(1, 1))

        def hook(module, state_dict, prefix, local_metadata):
            state_dict[prefix + "added"] = prefix
            return eval(result)

        getattr(model[0] if below else model, method)(hook)
        state = model.state_dict()
        return list(state) if isinstance(state, dict) else state

    compare(program)


@like_pytorch
def test_one_function_cannot_be_both_kinds_of_hook(torch):
    def hook(*args):
        pass

    model = torch.nn.Tanh()
    model.register_state_dict_post_hook(hook)
    model._register_state_dict_hook(hook)


@like_pytorch
def test_a_builtin_cannot_be_a_post_hook(torch):
    torch.nn.Tanh().register_state_dict_post_hook(print)


@pytest.mark.parametrize("strict", (True, False))
def test_hooks_of_load_state_dict(strict):
    def program(torch):
        events = []
        model = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.Tanh())
        for module, name in ((model, "model"), (model[0], "layer")):
            module.register_load_state_dict_pre_hook(_noting(torch, events, name + " before"))
            module._register_load_state_dict_pre_hook(_noting(torch, events, name + " old"))
            module._register_load_state_dict_pre_hook(
                _noting(torch, events, name + " old, with module"), with_module=True
            )
            module.register_load_state_dict_post_hook(_noting(torch, events, name + " after"))
        state = {"0.weight": torch.ones(1, 1), "other": 3}
        error = None
        try:
            model.load_state_dict(state, strict=strict)
        except RuntimeError as raised:
            error = str(raised)
        return events, error, list(state)

    compare(program)


@pytest.mark.parametrize(
    "action",
    (
        "state_dict.update({prefix + 'weight': torch.ones(1, 1), prefix + 'bias': torch.ones(1)})",
        "missing.append('m')",
        "unexpected.append('u')",
        "errors.append('an error')",
        "state_dict.pop(prefix + 'weight', None)",
    ),
)
def test_a_hook_before_loading_changes_what_it_is_given(action):
    def program(torch):
        def hook(module, state_dict, prefix, metadata, strict, missing, unexpected, errors):
            eval(action, {"torch": torch, **locals()})

        model = torch.nn.Sequential(torch.nn.Linear(1, 1))
        model[0].register_load_state_dict_pre_hook(hook)
        state = {"0.bias": torch.zeros(1), "0.weight": torch.zeros(1, 1)}
        keys = repr(model.load_state_dict(state))
        return keys, dict(model.state_dict()), list(state)

    compare(program)


@pytest.mark.parametrize("result", ("None", "3", "keys"))
def test_a_hook_after_loading(result):
    def program(torch):
        layer = torch.nn.Linear(1, 1)

        def hook(module, keys):
            keys.missing_keys.clear()
            return eval(result, {"keys": keys})

        layer.register_load_state_dict_post_hook(hook)
        return repr(layer.load_state_dict({}))

    compare(program)


class _Extra:
    """Makes a module class with a state of its own."""

    def __new__(cls, torch):
        class Extra(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.value = {"a": 1}

            def get_extra_state(self):
                return self.value

            def set_extra_state(self, state):
                self.value = state

        return torch.nn.Sequential(Extra(), torch.nn.Linear(1, 1))


@pytest.mark.parametrize(
    "state", ("saved", "{}", "{**saved, 'x._extra_state': 1}", "{**saved, '1._extra_state': 1}")
)
@pytest.mark.parametrize("strict", (True, False))
def test_extra_state(state, strict):
    def program(torch):
        model, other = _Extra(torch), _Extra(torch)
        model[0].value = 5
        saved = model.state_dict()
        keys = other.load_state_dict(eval(state, {"saved": saved}), strict=strict)
        return list(saved), dict(saved._metadata), repr(keys), other[0].value

    compare(program)


STATES = (
    "{'weight': torch.ones(1, 1), 'bias': torch.ones(1)}",
    "{'weight': torch.ones(2, 2), 'bias': 3}",
    "{'weight': torch.ones(1, 1).double(), 'bias': torch.ones(1).long()}",
    "{'weight.foo': 1, 'a.b': 2, 'c': 3}",
    "{'weight': nn.Parameter(torch.ones(1, 1), requires_grad=False), 'bias': torch.zeros(1)}",
    "{3: 4}",
    "[1]",
    "{}",
)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(("strict", "assign"), list(itertools.product((True, False), repeat=2)))
def test_load_state_dict(state, strict, assign):
    def program(torch):
        layer = torch.nn.Linear(1, 1)
        given = eval(state, {"torch": torch, "nn": torch.nn})
        if strict or "weight'" not in state:
            with torch.no_grad():
                for p in layer.parameters():
                    p.zero_()
        keys = layer.load_state_dict(given, strict=strict, assign=assign)
        kinds = [(type(p).__name__, p.requires_grad) for p in layer.parameters()]
        return repr(keys), dict(layer.state_dict()), kinds

    compare(program)


@pytest.mark.parametrize("metadata", (True, False))
def test_batch_norm_without_a_count_of_batches(metadata):
    def program(torch):
        layer = torch.nn.BatchNorm1d(2)
        state = layer.state_dict()
        del state["num_batches_tracked"]
        if not metadata:
            state = dict(state)
        return repr(layer.load_state_dict(state))

    compare(program)


@like_pytorch
def test_state_dict_by_position(torch):
    layer = torch.nn.Linear(1, 1)
    destination = {}
    same = layer.state_dict(destination, "p.", True) is destination
    return same, list(destination), [type(v).__name__ for v in destination.values()]


@pytest.mark.parametrize("call", ("get_extra_state()", "set_extra_state(3)"))
def test_extra_state_that_is_not_defined(call):
    compare(lambda torch: eval(f"torch.nn.Module().{call}", {"torch": torch}))


# ---- copies


@like_pytorch
def test_a_copy_has_the_hooks_and_not_those_that_come_later(torch):
    layer = torch.nn.Identity()
    layer.register_forward_hook(_add_one)
    other = copy.deepcopy(layer)
    layer.register_forward_hook(_add_one)
    return layer(torch.ones(1)), other(torch.ones(1))


def _add_one(module, args, output):
    return output + 1


def _before_loading(module, *args):
    raise KeyError(type(module).__name__)


@pytest.mark.parametrize("name", ("pickle", "deepcopy"))
def test_a_hook_with_its_module_survives(name):
    def program(torch):
        layer = torch.nn.Sequential(torch.nn.Linear(1, 1))
        layer.register_load_state_dict_pre_hook(_before_loading)
        if name == "pickle":
            layer = pickle.loads(pickle.dumps(layer))
        else:
            layer = copy.deepcopy(layer)
        layer.load_state_dict({})

    compare(program)
