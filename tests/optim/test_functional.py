"""The steps of the optimizers as functions, and what a scaler leaves to the fused ones."""

from importlib import import_module

import pytest

from tests.both import compare

DECAY = {"weight_decay": 0.1, "lr": 0.05}
BETAS = {"beta1": 0.9, "beta2": 0.99}
CASES = {
    "adadelta": (2, {"rho": 0.9, "eps": 1e-6, "maximize": False, **DECAY}),
    "adagrad": (1, {"lr_decay": 0.1, "eps": 1e-8, "maximize": True, **DECAY}),
    "adam": (3, {"amsgrad": True, "eps": 1e-8, "maximize": False, **BETAS, **DECAY}),
    "adamw": (3, {"amsgrad": False, "eps": 1e-8, "maximize": False, **BETAS, **DECAY}),
    "adamax": (2, {"eps": 1e-8, **BETAS, **DECAY}),
    "asgd": (3, {"lambd": 1e-4, "t0": 2.0, "alpha": 0.75, **DECAY}),
    "nadam": (3, {"momentum_decay": 4e-3, "eps": 1e-8, **BETAS, **DECAY}),
    "radam": (2, {"eps": 1e-8, **BETAS, **DECAY}),
    "rmsprop": (3, {"alpha": 0.9, "eps": 1e-8, "momentum": 0.5, "centered": True, **DECAY}),
    "rprop": (2, {"step_size_min": 1e-6, "step_size_max": 50, "etaminus": 0.5, "etaplus": 1.2}),
}


@pytest.mark.parametrize("name", CASES)
def test_a_step_is_a_function(name):
    count, options = CASES[name]

    def program(torch):
        step = getattr(import_module(f"{torch.__name__}.optim._functional"), name)
        params = [torch.tensor([1.0, -2.0]), torch.tensor([[3.0]])]
        states = [[torch.full_like(p, 0.1) for p in params] for _ in range(count)]
        if name in ("asgd", "nadam"):  # numbers, and not one for each element
            numbers = slice(1, 3) if name == "asgd" else slice(2, 3)
            states[numbers] = [[torch.tensor(0.1) for _ in params] for _ in states[numbers]]
        steps = [torch.tensor(2.0) for _ in params]
        with torch.no_grad():
            for grads in ([torch.ones(2), torch.ones(1, 1)], [-torch.ones(2), torch.ones(1, 1)]):
                step(params, grads, *states, steps, foreach=False, **options)
        return params, states, steps

    compare(program)


@pytest.mark.parametrize("way", ["_single_tensor", "_multi_tensor", "_fused"])
@pytest.mark.parametrize("name", [name for name in CASES if name != "adamw"])
def test_each_way_of_a_step_has_a_name(name, way):
    scaled = name in ("adagrad", "adam", "sgd")
    if way == "_fused" and not scaled:
        pytest.skip("there is no fused way")
    count, options = CASES[name]
    options = {"maximize": False, "differentiable": False, "has_complex": False, **options}
    more = {"adagrad": {"has_sparse_grad": False}, "adam": {"decoupled_weight_decay": False}}
    more |= dict.fromkeys(("nadam", "radam"), {"decoupled_weight_decay": False})
    if name != "adagrad":
        options["capturable"] = False

    def program(torch):
        step = getattr(import_module(f"{torch.__name__}.optim.{name}"), f"{way}_{name}")
        params = [torch.tensor([1.0, -2.0])]
        states = [[torch.full_like(p, 0.1) for p in params] for _ in range(count)]
        if name in ("asgd", "nadam"):
            numbers = slice(1, 3) if name == "asgd" else slice(2, 3)
            states[numbers] = [[torch.tensor(0.1) for _ in params] for _ in states[numbers]]
        scale = (None, None) if scaled else ()
        with torch.no_grad():
            given = (params, [torch.ones(2)], *states, [torch.tensor(2.0)], *scale)
            step(*given, **options, **more.get(name, {}))
        return params, states, step.__name__

    compare(program)


def test_only_one_parameter_after_the_other_is_recorded():
    def program(torch):
        adam = import_module(f"{torch.__name__}.optim.adam")
        _, options = CASES["adam"]
        options = {
            "capturable": False,
            "has_complex": False,
            "decoupled_weight_decay": False,
            **options,
        }
        lists = [[torch.ones(1)] for _ in range(6)]
        refusals = []
        for way in (adam._multi_tensor_adam, adam._fused_adam):
            with pytest.raises((AssertionError, RuntimeError)) as caught:
                way(*lists, None, None, **options, differentiable=True)
            refusals.append(str(caught.value))
        return refusals

    compare(program)


@pytest.mark.parametrize("momentum", [0, 0.9])
def test_momentum_is_put_into_the_list(momentum):
    def program(torch):
        sgd = import_module(f"{torch.__name__}.optim.sgd").sgd
        params, buffers = [torch.ones(2), torch.ones(1)], [None, None]
        options = {"dampening": 0, "nesterov": False, "maximize": False, **DECAY}
        for _ in range(2):
            grads = [torch.ones(2), torch.ones(1)]
            sgd(params, grads, buffers, foreach=False, momentum=momentum, **options)
        return params, buffers

    compare(program)


def test_steps_that_are_numbers_are_refused():
    def program(torch):
        adam = import_module(f"{torch.__name__}.optim.adam").adam
        options = {"amsgrad": False, "eps": 1e-8, "maximize": False, **BETAS, **DECAY}
        adam([torch.ones(1)], [torch.ones(1)], [torch.ones(1)], [torch.ones(1)], [], [1], **options)

    compare(program)


@pytest.mark.parametrize("kind", ["SGD", "Adam", "AdamW", "Adagrad"])
def test_the_fused_way_takes_the_scale_off(kind):
    def program(torch):
        p = torch.ones(3, requires_grad=True)
        optimizer = getattr(torch.optim, kind)([p], lr=0.1, fused=True)
        optimizer.grad_scale, optimizer.found_inf = torch.tensor(4.0), torch.tensor(0.0)
        p.grad = torch.full((3,), 8.0)
        optimizer.step()
        after, grad = p.detach().clone(), p.grad.clone()
        optimizer.found_inf.fill_(1.0)
        optimizer.step()
        return after, grad, p.detach()

    compare(program)


def _swapped(torch, change):
    """What an optimizer does to other parameters with its own state, which `change` has changed."""
    w = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.Adam([w], lr=0.1)
    w.grad = torch.ones(2)
    optimizer.step()
    other = torch.zeros(2, requires_grad=True)
    other.grad = torch.full((2,), 2.0)
    state = optimizer.state_dict()
    given = change(state)
    parameters = {} if given is None else {"w": other}
    swap = torch.optim.swap_in_optimizer_params_and_state
    with swap(optimizer, parameters, state if given is None else given):
        optimizer.step()
        optimizer.param_groups[0]["lr"] = 7
    return (
        w,
        other,
        len(optimizer.state),
        optimizer.state[w]["step"],
        optimizer.param_groups[0]["lr"],
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state,
        lambda state: None,
        lambda state: [],
        lambda state: state | {"state": 1},
        lambda state: state | {"state": {0: 1}},
        lambda state: state | {"state": {5: {}}},
        lambda state: state | {"param_groups": 1},
        lambda state: state | {"param_groups": []},
        lambda state: state | {"param_groups": [1]},
        lambda state: state | {"param_groups": [{"params": "a"}]},
        lambda state: state | {"param_groups": [{"params": [1, 2]}]},
        lambda state: state | {"param_groups": [{"params": [0], "x": 1}]},
    ],
)
def test_an_optimizer_works_on_other_parameters_for_a_while(change):
    compare(lambda torch: _swapped(torch, change))
