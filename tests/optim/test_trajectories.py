"""Every optimizer goes PyTorch's way, and its checkpoints are PyTorch's."""

import numpy as np
import pytest

import minitorch
from tests.optim.programs import assert_same, converted, made, parameters, run

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

COMMON = ["", "weight_decay=0.1", "maximize=True", "lr=torch.tensor(0.01)", "foreach=True"]
DECOUPLED = [*COMMON, "weight_decay=0.1, decoupled_weight_decay=True"]
OPTIONS = {
    "SGD": [
        *COMMON,
        "momentum=0.9",
        "momentum=0.9, dampening=0.5, weight_decay=0.1",
        "momentum=0.9, nesterov=True",
        "fused=True",
    ],
    "Adam": [*DECOUPLED, "amsgrad=True", "betas=(0.5, 0.6)", "fused=True, amsgrad=True"],
    "AdamW": [*COMMON, "amsgrad=True"],
    "Adadelta": [*COMMON, "rho=0.5, lr=10."],
    "Adagrad": [*COMMON, "lr_decay=0.1, initial_accumulator_value=0.1", "fused=True"],
    "Adamax": [*COMMON, "betas=(0.5, 0.6)"],
    "ASGD": [*COMMON, "t0=2, lambd=0.1", "alpha=0.5, t0=0"],
    "NAdam": [*DECOUPLED, "momentum_decay=0.1"],
    "RAdam": [*DECOUPLED, "betas=(0.5, 0.6)"],
    "RMSprop": [*COMMON, "centered=True", "momentum=0.9", "centered=True, momentum=0.5"],
    "Rprop": ["", "etas=(0.3, 1.5)", "step_sizes=(0.005, 0.02)", "maximize=True"],
    "Adafactor": [*COMMON, "d=2., beta2_decay=-0.5", "eps=(1e-10, 0.1)"],
}
GRID = [(name, options) for name, rows in OPTIONS.items() for options in rows]
LBFGS = [
    "",
    "max_iter=4, history_size=2",
    "line_search_fn='strong_wolfe'",
    "lr=0.1, tolerance_change=1e-3",
    "line_search_fn='strong_wolfe', max_eval=3, lr=10.",
]
MUON = ["", "nesterov=False", "adjust_lr_fn='match_rms_adamw'", "ns_steps=3, weight_decay=0."]
COMPLEX = [name for name in OPTIONS if name != "Adafactor"]


def both(text, dtype, steps=6, matrices=False):
    results = []
    for module in (torch, minitorch):
        params = parameters(module, dtype, matrices)
        optimizer = made(module, text, params)
        results.append((run(module, optimizer, params, steps), optimizer))
    (theirs, a), (ours, b) = results
    rtol = 1e-4 if dtype in ("float32", "complex64") else 1e-6
    assert_same(ours, theirs, rtol)
    assert repr(b) == repr(a)
    assert_same(b.state_dict(), a.state_dict(), rtol * 10)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("name", "options"), GRID)
def test_steps_and_state_are_pytorchs(name, options, dtype):
    both(f"{name}(p, {options})", dtype)


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_parameters_are_pairs_of_real_ones(name):
    both(f"{name}(p)", "complex128")


@pytest.mark.parametrize("options", LBFGS)
def test_lbfgs_goes_pytorchs_way(options):
    both(f"LBFGS(p, {options})", "float64", steps=4)


def test_lbfgs_takes_complex_parameters():
    both("LBFGS(p)", "complex128", steps=2)


@pytest.mark.parametrize("options", MUON)
def test_muon_rounds_as_bfloat16_does(options):
    both(f"Muon(p, {options})", "float64", matrices=True)


@pytest.mark.parametrize("name", [*OPTIONS, "LBFGS", "Muon"])
def test_checkpoints_go_both_ways(name):
    matrices = name == "Muon"
    for source, target in ((torch, minitorch), (minitorch, torch)):
        params = parameters(source, matrices=matrices)
        optimizer = made(source, f"{name}(p)", params)
        run(source, optimizer, params, 3)
        saved = converted(optimizer.state_dict(), target)
        copies = [target.from_numpy(p.detach().numpy().copy()).requires_grad_() for p in params]
        loaded = made(target, f"{name}(p)", copies)
        loaded.load_state_dict(saved)
        expected = run(source, optimizer, params, 3)
        for a, b in zip(run(target, loaded, copies, 3), expected, strict=True):
            for left, right in zip(a, b, strict=True):
                np.testing.assert_allclose(left, right, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", [*OPTIONS])
def test_groups_have_options_of_their_own_and_missing_gradients_are_passed_over(name):
    paths = []
    for module in (torch, minitorch):
        params = parameters(module)
        extra = module.ones(2, requires_grad=True)
        groups = [{"params": params[:1], "lr": 0.05}, {"params": [params[1], extra]}]
        optimizer = getattr(module.optim, name)(groups, lr=0.01)
        paths.append(run(module, optimizer, params, 3))
        assert extra.tolist() == [1.0, 1.0]
    assert_same(paths[1], paths[0], 1e-6)


# PyTorch writes into what an earlier step has saved in those that come with one step
DIFFERENTIABLE = [
    ("SGD([q], lr=r, momentum=0.9, differentiable=True)", 1),
    ("SGD([q], differentiable=True)", 2),
    ("Adam([q], lr=r, differentiable=True)", 2),
    ("Adam([q], amsgrad=True, weight_decay=0.1, differentiable=True)", 1),
    ("Adadelta([q], differentiable=True)", 2),
    ("Adagrad([q], differentiable=True)", 2),
    ("ASGD([q], differentiable=True)", 2),
    ("NAdam([q], differentiable=True)", 2),
    ("RAdam([q], differentiable=True)", 2),
    ("RMSprop([q], differentiable=True)", 2),
    ("RMSprop([q], centered=True, differentiable=True)", 1),
    ("Adamax([q], differentiable=True)", 1),
    ("Rprop([q], differentiable=True)", 1),
]


@pytest.mark.parametrize(("text", "steps"), DIFFERENTIABLE)
def test_gradients_flow_through_a_step_that_is_differentiable(text, steps):
    found = []
    for module in (torch, minitorch):
        p = module.tensor([1.0, -2.0, 0.5], dtype=module.float64, requires_grad=True)
        r = module.tensor(0.01, dtype=module.float64, requires_grad=True)
        q = p.clone()
        optimizer = eval(f"optim.{text}", {"optim": module.optim, "q": q, "r": r})
        for _ in range(steps):
            q.grad = module.sin(p) * 2
            optimizer.step()
        grads = module.autograd.grad((q * q).sum(), [p, r], allow_unused=True)
        found.append([None if g is None else g.numpy() for g in grads])
    assert_same(found[1], found[0], 1e-6)


def test_a_closure_sees_gradients_recorded_and_its_loss_is_returned():
    p = minitorch.ones(1, requires_grad=True)
    optimizer = minitorch.optim.SGD([p], lr=1.0)

    def closure():
        loss = (p * 3).sum()
        loss.backward()
        return loss

    assert optimizer.step(closure).item() == 3.0
    assert p.tolist() == [-2.0]
    assert minitorch.is_grad_enabled()
