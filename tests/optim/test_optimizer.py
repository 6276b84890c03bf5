"""What all optimizers have in common: errors, hooks, groups, names, pickling, subclasses."""

import copy
import pickle
import warnings

import pytest

import minitorch
from tests.both import compare
from tests.optim.programs import outcome

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

NAMES = "SGD Adam AdamW Adadelta Adagrad Adamax ASGD NAdam RAdam RMSprop Rprop Adafactor LBFGS"
OPTIONS = {
    "lr": "-1.",
    "momentum": "-1.",
    "weight_decay": "-1.",
    "eps": "-1.",
    "betas": "(0.9, 1.5)",
    "rho": "2.",
    "alpha": "-1.",
    "lr_decay": "-1.",
    "initial_accumulator_value": "-1.",
    "momentum_decay": "-1.",
    "etas": "(1.2, 0.5)",
}
WRONG = {
    "SGD": "lr momentum weight_decay",
    "Adam": "lr betas eps weight_decay",
    "AdamW": "lr betas eps weight_decay",
    "Adadelta": "lr rho eps weight_decay",
    "Adagrad": "lr lr_decay weight_decay initial_accumulator_value eps",
    "Adamax": "lr betas eps weight_decay",
    "ASGD": "lr weight_decay",
    "NAdam": "lr betas eps weight_decay momentum_decay",
    "RAdam": "lr betas eps weight_decay",
    "RMSprop": "lr alpha eps weight_decay momentum",
    "Rprop": "lr etas",
    "SparseAdam": "lr betas eps",
    "LBFGS": "lr",
}
ERRORS = [
    *(f"{name}([w], {o}={OPTIONS[o]})" for name, row in WRONG.items() for o in row.split()),
    *(f"{name}([w], lr=torch.ones(2))" for name in WRONG),
    *(f"{name}([w], betas=(1.5, 0.9))" for name in "Adam Adamax NAdam RAdam SparseAdam".split()),
    *(f"{name}([w], fused=True, foreach=True)" for name in "SGD Adam Adagrad".split()),
    *(f"{name}([w], fused=True, differentiable=True)" for name in "SGD Adam Adagrad".split()),
    *(
        f"{name}([w], capturable=True).step()"
        for name in "Adam Adadelta Adamax ASGD NAdam RAdam RMSprop Rprop".split()
    ),
    *(f"{name}([c], fused=True).step()" for name in "SGD Adam".split()),
    "Adafactor([m], lr=-1.)",
    "Adafactor([m], beta2_decay=0.1)",
    "Adafactor([m], eps=(-1., 1.))",
    "Adafactor([m], eps=(None, -1.))",
    "Adafactor([m], d=0.5)",
    "Adafactor([m], weight_decay=-1.)",
    "Adafactor([c]).step()",
    "Muon([m], lr=-1.)",
    "Muon([m], momentum=-1.)",
    "Muon([m], weight_decay=-1.)",
    "Muon([m], adjust_lr_fn='other')",
    "Muon([w])",
    "Muon([m], ns_steps=100).step()",
    "Muon([m], ns_coefficients=(1., 2.)).step()",
    "SparseAdam([w], eps=0.)",
    "SparseAdam([c])",
    "SparseAdam([w]).step()",
    "LBFGS([{'params': [w]}, {'params': [m]}])",
    "LBFGS([w], line_search_fn='other').step(lambda: 1.0)",
    "LBFGS([w]).step()",
    "Adam([w], lr=torch.tensor(1.), foreach=True)",
    "Adam([w], betas=(0, 0.9))",
    "Adam([w], betas=(torch.tensor(0.9), 0.9))",
    "Adam([w], betas=(torch.tensor([0.9]), torch.tensor([0.9])), foreach=True)",
    "SGD([w], momentum=0.9, dampening=0.1, nesterov=True)",
    "SGD([w], nesterov=True)",
    "SGD([], 0.1)",
    "SGD(w, 0.1)",
    "SGD([1], 0.1)",
    "SGD([w, [1]], 0.1)",
    "SGD([w * 2], 0.1)",
    "SGD([('a', w), m])",
    "SGD([{'params': {w}}])",
    "SGD([{'params': [w]}, {'params': [w]}])",
    "SGD([{'params': [('a', w)]}, {'params': [m]}])",
    "SGD([w]).add_param_group({'params': [('a', m)]})",
    "SGD([w]).add_param_group([m])",
    "SGD([w]).add_param_group({'params': [w]})",
    "SGD([w]).load_state_dict({'state': {}, 'param_groups': []})",
    "SGD([w]).load_state_dict({'state': {}, 'param_groups': [{'params': [0, 1]}]})",
    "Optimizer([w], {}).step()",
]


@pytest.mark.parametrize("text", ERRORS)
def test_errors_are_pytorchs(text):
    expected = outcome(torch, text)
    assert expected is not None
    assert outcome(minitorch, text) == expected


@pytest.mark.parametrize("module", [torch, minitorch])
def test_a_required_option_must_be_given(module):
    required = __import__(f"{module.__name__}.optim.optimizer", fromlist="x").required
    assert repr(required) == "<required parameter>"
    with pytest.raises(ValueError, match="didn't specify a value of required optimization para"):
        module.optim.Optimizer([module.ones(1)], {"lr": required})
    module.optim.Optimizer([{"params": [module.ones(1)], "lr": 1}], {"lr": required})


@pytest.mark.parametrize("module", [torch, minitorch])
def test_a_parameter_twice_in_a_group_is_warned_of(module):
    p = module.ones(1)
    with pytest.warns(UserWarning, match="duplicate parameters; in future"):
        module.optim.SGD([p, p])


def hooked(module):
    """Everything that hooks see, in their order."""
    seen = []
    p = module.ones(1, requires_grad=True)
    optimizer = module.optim.SGD([p], lr=0.5)
    optimizer_module = __import__(f"{module.__name__}.optim.optimizer", fromlist="x")
    handles = [
        optimizer_module.register_optimizer_step_pre_hook(lambda o, a, k: seen.append("all pre")),
        optimizer_module.register_optimizer_step_post_hook(lambda o, a, k: seen.append("all post")),
        optimizer.register_step_pre_hook(lambda o, a, k: seen.append(("pre", len(a), k))),
        optimizer.register_step_post_hook(lambda o, a, k: seen.append(("post", len(a), k))),
        optimizer.register_state_dict_pre_hook(lambda o: seen.append("state pre")),
        optimizer.register_state_dict_pre_hook(lambda o: seen.append("first"), prepend=True),
        optimizer.register_state_dict_post_hook(lambda o, s: {**s, "more": 1}),
        optimizer.register_load_state_dict_pre_hook(lambda o, s: seen.append(sorted(s))),
        optimizer.register_load_state_dict_post_hook(lambda o: seen.append("loaded")),
    ]
    optimizer.step()
    optimizer.step(closure=lambda: 1.0)
    optimizer.load_state_dict(optimizer.state_dict())
    for handle in handles:
        handle.remove()
    optimizer.step()
    seen.append(sorted(optimizer.state_dict()))
    return [s if not isinstance(s, tuple) else (*s[:2], sorted(s[2])) for s in seen]


def test_hooks_run_in_pytorchs_order():
    assert hooked(minitorch) == hooked(torch)


def test_a_hook_may_change_the_arguments_of_a_step():
    optimizer = minitorch.optim.SGD([minitorch.ones(1)])
    optimizer.register_step_pre_hook(lambda o, a, k: ((o, lambda: 7), {}))
    assert optimizer.step() == 7
    optimizer.register_step_pre_hook(lambda o, a, k: 3)
    with pytest.raises(RuntimeError, match=r"must return None or a tuple of .*, but got 3\."):
        optimizer.step()


@pytest.mark.parametrize("name", NAMES.split())
def test_an_optimizer_can_be_copied_and_pickled(name):
    p = minitorch.ones(2, requires_grad=True)
    optimizer = getattr(minitorch.optim, name)([p], lr=0.1)
    p.grad = minitorch.ones(2)
    optimizer.step(lambda: 1.0)
    for clone in (copy.deepcopy(optimizer), pickle.loads(pickle.dumps(optimizer))):
        assert repr(clone) == repr(optimizer)
        assert len(clone.state) == len(optimizer.state)
        assert clone.param_groups[0]["params"][0].tolist() == p.tolist()


@pytest.mark.parametrize("module", [torch, minitorch])
def test_names_of_parameters_are_kept_and_saved(module):
    layer = module.nn.Linear(2, 1)
    optimizer = module.optim.SGD(layer.named_parameters(), lr=0.1)
    assert optimizer.state_dict()["param_groups"][0]["param_names"] == ["weight", "bias"]
    plain = module.optim.SGD(layer.parameters(), lr=0.2).state_dict()
    optimizer.load_state_dict(plain)
    assert optimizer.param_groups[0]["param_names"] == ["weight", "bias"]
    assert optimizer.param_groups[0]["lr"] == 0.2


@pytest.mark.parametrize("module", [torch, minitorch])
def test_a_subclass_of_a_third_party_works(module):
    optimizer_module = __import__(f"{module.__name__}.optim.optimizer", fromlist="x")

    class Signs(module.optim.Optimizer):
        def __init__(self, params, lr=optimizer_module.required):
            super().__init__(params, {"lr": lr, "differentiable": False})

        @optimizer_module._use_grad_for_differentiable
        def step(self, closure=None):
            assert not module.is_grad_enabled()
            for group in self.param_groups:
                for p in group["params"]:
                    self.state[p]["step"] = self.state[p].get("step", 0) + 1
                    p.sub_(p.grad.sign(), alpha=group["lr"])

    p = module.ones(2, requires_grad=True)
    optimizer, seen = Signs([p], 0.5), []
    optimizer.register_step_post_hook(lambda *_: seen.append(1))
    p.grad = module.tensor([3.0, -3.0])
    optimizer.step()
    assert p.tolist() == [0.5, 1.5]
    assert seen == [1]
    assert optimizer.state[p]["step"] == 1
    assert Signs.step.hooked


def test_zero_grad_takes_gradients_away_or_fills_them():
    p = minitorch.ones(2, requires_grad=True)
    optimizer = minitorch.optim.SGD([p])
    (p * p).sum().backward(create_graph=True)
    optimizer.zero_grad(set_to_none=False)
    assert p.grad.tolist() == [0.0, 0.0]
    assert p.grad.grad_fn is None
    optimizer.zero_grad()
    assert p.grad is None


def test_a_loaded_state_has_the_dtype_of_the_parameters_but_counts_stay():
    for module in (torch, minitorch):
        p = module.ones(2, requires_grad=True)
        p.grad = module.ones(2)
        optimizer = module.optim.Adam([p])
        optimizer.step()
        wide = module.ones(2, dtype=module.float64, requires_grad=True)
        other = module.optim.Adam([wide])
        other.load_state_dict(optimizer.state_dict())
        state = other.state[wide]
        assert state["exp_avg"].dtype == module.float64
        assert state["step"].dtype == module.float32
        assert state["step"] is optimizer.state[p]["step"]


def test_a_state_with_steps_that_are_numbers_is_loaded():
    for name in "Adam Adadelta Adamax NAdam RAdam RMSprop Rprop ASGD Adagrad".split():
        p = minitorch.ones(2, requires_grad=True)
        p.grad = minitorch.ones(2)
        optimizer = getattr(minitorch.optim, name)([p])
        optimizer.step()
        saved = copy.deepcopy(optimizer.state_dict())
        saved["state"][0]["step"] = 1.0
        for option in ("foreach", "maximize", "differentiable"):
            del saved["param_groups"][0][option]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            optimizer.load_state_dict(saved)
        optimizer.step()
        assert optimizer.state[p]["step"].item() == 2.0


@pytest.mark.parametrize("name", ["Adam", "NAdam", "RAdam", "RMSprop", "Adadelta"])
@pytest.mark.parametrize("foreach", [None, False, True])
def test_capturable_steps_on_the_cpu_name_the_devices_as_pytorch_does(name, foreach):
    def program(torch):
        p = torch.ones(2, requires_grad=True)
        p.grad = torch.ones(2)
        getattr(torch.optim, name)([p], capturable=True, foreach=foreach).step()

    compare(program)


def test_an_optimizer_around_another_one_takes_the_gradients_away():
    def program(torch):
        class Around(torch.optim.Optimizer):
            def __init__(self, inner):
                self.inner = inner
                self.defaults, self.param_groups = inner.defaults, inner.param_groups

        x = torch.ones(2, requires_grad=True)
        x.sum().backward()
        Around(torch.optim.SGD([x], lr=0.1)).zero_grad()
        return x.grad

    compare(program)
