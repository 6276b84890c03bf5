"""The schedules set PyTorch's rates, warn as it does, and load its checkpoints."""

import math
import warnings

import numpy as np
import pytest

import minitorch
from tests.both import compare

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

CHAINABLE = [
    "LambdaLR(o, lambda e: 0.9 ** e)",
    "LambdaLR(o, [lambda e: 1 / (e + 1), lambda e: 0.5])",
    "MultiplicativeLR(o, lambda e: 0.9)",
    "StepLR(o, 3, gamma=0.3)",
    "MultiStepLR(o, [2, 5, 5], gamma=0.2)",
    "ConstantLR(o, factor=0.4, total_iters=6)",
    "LinearLR(o)",
    "LinearLR(o, 0.1, 0.8, total_iters=7)",
    "ExponentialLR(o, 0.93)",
    "PolynomialLR(o, total_iters=8, power=2.0)",
    "CosineAnnealingLR(o, 4, eta_min=1e-3)",
    "CosineAnnealingWarmRestarts(o, 3, T_mult=2, eta_min=0.01)",
    "CosineAnnealingWarmRestarts(o, 3)",
    "CyclicLR(o, 0.01, 0.2, step_size_up=3, step_size_down=2)",
    "CyclicLR(o, [0.01, 0.1], [0.2, 0.3], step_size_up=3, mode='triangular2')",
    "CyclicLR(o, 0.01, 0.2, step_size_up=3, mode='exp_range', gamma=0.9)",
    "CyclicLR(o, 0.01, 0.2, step_size_up=3, scale_fn=lambda x: 1 / x, cycle_momentum=False)",
    "OneCycleLR(o, 0.5, total_steps=13)",
    "OneCycleLR(o, [0.5, 1.0], epochs=4, steps_per_epoch=5, anneal_strategy='linear')",
    "OneCycleLR(o, 0.5, total_steps=20, three_phase=True, pct_start=0.4)",
    "SequentialLR(o, [s.ConstantLR(o, 0.1, 5), s.ExponentialLR(o, 0.9)], [5])",
    "SequentialLR(o, [s.LinearLR(o), s.StepLR(o, 2), s.CosineAnnealingLR(o, 5)], [3, 6])",
    "ChainedScheduler([s.ConstantLR(o, 0.1, 3), s.ExponentialLR(o, 0.9)], optimizer=o)",
    "SWALR(o, 0.05, anneal_epochs=4)",
    "SWALR(o, [0.05, 0.5], anneal_epochs=0, anneal_strategy='linear')",
]
OPTIMIZERS = ["SGD(p, lr=0.1, momentum=0.9)", "Adam(p, lr=0.1)", "SGD(p, lr=t, momentum=0.9)"]


def build(module, text, optimizer="SGD(p, lr=0.1, momentum=0.9)"):
    p = [{"params": [module.ones(1, requires_grad=True)], "lr": 0.3}]
    p.append({"params": [module.ones(2, requires_grad=True)]})
    rate = module.tensor(0.1)
    o = eval(f"optim.{optimizer}", {"optim": module.optim, "p": p, "t": rate})
    space = module.optim.swa_utils if text.startswith("SWALR") else module.optim.lr_scheduler
    return o, eval(f"space.{text}", {"space": space, "s": module.optim.lr_scheduler, "o": o})


def rates(optimizer, scheduler, steps):
    path = []
    for _ in range(steps):
        optimizer.step()
        scheduler.step()
        last = scheduler.get_last_lr()
        for group, lr in zip(optimizer.param_groups, last, strict=True):
            momentum = group["betas"][0] if "betas" in group else group["momentum"]
            path.append([float(group["lr"]), float(lr), float(momentum)])
    return np.array(path)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("text", CHAINABLE)
def test_rates_and_momenta_are_pytorchs(text, optimizer):
    theirs, ours = (rates(*build(m, text, optimizer), 12) for m in (torch, minitorch))
    np.testing.assert_allclose(ours, theirs, rtol=1e-6 if "t" in optimizer else 1e-12, atol=1e-9)


@pytest.mark.parametrize("text", [c for c in CHAINABLE if "Sequ" not in c and "Chai" not in c])
def test_a_given_epoch_is_set_with_a_warning(text):
    found = []
    for module in (torch, minitorch):
        optimizer, scheduler = build(module, text)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            optimizer.step()
            scheduler.step()
            path = []
            for epoch in (5, 2, 9):
                scheduler.step(epoch)
                path.append(scheduler.get_last_lr())
            scheduler.get_lr()
        found.append((path, [(w.category, str(w.message)) for w in caught]))
    np.testing.assert_allclose(found[1][0], found[0][0], rtol=1e-12, atol=1e-15)
    assert found[1][1] == found[0][1]


@pytest.mark.parametrize("text", CHAINABLE)
def test_checkpoints_go_both_ways(text):
    for source, target in ((torch, minitorch), (minitorch, torch)):
        optimizer, scheduler = build(source, text)
        rates(optimizer, scheduler, 5)
        other, loaded = build(target, text)
        state = scheduler.state_dict()
        private = {"optimizer", "_anneal_func_type", "_scale_fn_ref"}
        assert set(state) - private == set(loaded.state_dict()) - private
        loaded.load_state_dict(state)
        groups = [
            {**saved, "params": group["params"]}
            for saved, group in zip(optimizer.param_groups, other.param_groups, strict=True)
        ]
        for group, values in zip(other.param_groups, groups, strict=True):
            group.update(values)
        np.testing.assert_allclose(
            rates(other, loaded, 5), rates(optimizer, scheduler, 5), rtol=1e-12, atol=1e-15
        )


@pytest.mark.parametrize("text", CHAINABLE[:13])
def test_a_schedule_goes_on_after_a_given_epoch(text):
    found = []
    for module in (torch, minitorch):
        optimizer, scheduler = build(module, text)
        rates(optimizer, scheduler, 4)
        space = module.optim.lr_scheduler
        scheduler = eval(f"space.{text[:-1]}, last_epoch=4)", {"space": space, "o": optimizer})
        found.append(rates(optimizer, scheduler, 4))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-12, atol=1e-15)


PLATEAU = [
    "patience=2",
    "mode='max', factor=0.5, patience=1, cooldown=2",
    "patience=0, threshold=0.2, threshold_mode='abs', min_lr=[0.01, 0.2]",
    "mode='max', patience=0, threshold_mode='abs', min_lr=0.05, eps=0.1",
]


@pytest.mark.parametrize("options", PLATEAU)
def test_the_rates_fall_on_a_plateau_as_pytorchs(options):
    found = []
    for module in (torch, minitorch):
        _, scheduler = build(module, f"ReduceLROnPlateau(o, {options})")
        path = []
        for step in range(40):
            scheduler.step(module.tensor(abs(math.sin(step / 4)) + 0.1))
            path.append([*scheduler.get_last_lr(), scheduler.in_cooldown, scheduler.best])
        found.append((path, scheduler.state_dict()))
    np.testing.assert_allclose(found[1][0], found[0][0], rtol=1e-6)
    found[1][1].pop("optimizer", None)
    found[0][1].pop("optimizer", None)
    assert found[1][1] == found[0][1]


ERRORS = [
    "StepLR(1, 2)",
    "ReduceLROnPlateau(1)",
    "CyclicLR(1, 1., 2.)",
    "OneCycleLR(1, 1.)",
    "StepLR(o, 2, last_epoch=3)",
    "LambdaLR(o, [abs])",
    "MultiplicativeLR(o, [abs])",
    "MultiplicativeLR(o, 3)",
    "ConstantLR(o, factor=2.)",
    "LinearLR(o, 0.)",
    "LinearLR(o, 0.5, 2.)",
    "CosineAnnealingWarmRestarts(o, 0)",
    "CosineAnnealingWarmRestarts(o, 1.5)",
    "CosineAnnealingWarmRestarts(o, 1, 0)",
    "CosineAnnealingWarmRestarts(o, 1, 1, 'a')",
    "CosineAnnealingWarmRestarts(o, 1).step(-1)",
    "CyclicLR(o, [1.], 2.)",
    "CyclicLR(o, 1., [2.])",
    "CyclicLR(o, 1., 2., mode='other')",
    "CyclicLR(bare, 1., 2.)",
    "OneCycleLR(bare, 1., total_steps=3)",
    "OneCycleLR(o, 1.)",
    "OneCycleLR(o, 1., total_steps=0)",
    "OneCycleLR(o, 1., total_steps=2.5)",
    "OneCycleLR(o, 1., epochs=0, steps_per_epoch=2)",
    "OneCycleLR(o, 1., epochs=2, steps_per_epoch=2.5)",
    "OneCycleLR(o, 1., total_steps=3, pct_start=2.)",
    "OneCycleLR(o, 1., total_steps=3, pct_start=1)",
    "OneCycleLR(o, 1., total_steps=3, anneal_strategy='other')",
    "OneCycleLR(o, [1.], total_steps=3)",
    "OneCycleLR(o, 1., total_steps=3).step(4)",
    "ReduceLROnPlateau(o, 'other')",
    "ReduceLROnPlateau(o, threshold_mode='other')",
    "ReduceLROnPlateau(o, factor=1.)",
    "ReduceLROnPlateau(o, min_lr=[1.])",
    "SequentialLR(o, [], [])",
    "SequentialLR(o, [1], [])",
    "SequentialLR(o, [s.ReduceLROnPlateau(o)], [])",
    "SequentialLR(bare, [s.StepLR(o, 2)], [])",
    "SequentialLR(o, [s.StepLR(o, 2)], [1])",
    "ChainedScheduler([])",
    "ChainedScheduler([1], o)",
    "ChainedScheduler([s.ReduceLROnPlateau(o)])",
    "ChainedScheduler([s.StepLR(o, 2)], bare)",
    "LRScheduler(o)",
    "SWALR(o, [1.])",
    "SWALR(o, 1., anneal_strategy='other')",
    "SWALR(o, 1., anneal_epochs=-1)",
]


@pytest.mark.parametrize("text", ERRORS)
def test_errors_are_pytorchs(text):
    found = []
    for module in (torch, minitorch):
        o, _ = build(module, "ReduceLROnPlateau(o)")
        bare = module.optim.Adagrad([module.ones(1)])
        s = module.optim.lr_scheduler
        space = module.optim.swa_utils if text.startswith("SWALR") else s
        with pytest.raises(Exception) as caught, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            eval(f"space.{text}", {"space": space, "s": s, "o": o, "bare": bare})
        found.append((caught.type, str(caught.value)))
    assert found[1] == found[0]


@pytest.mark.parametrize("replaced", [False, True])
def test_a_wrong_order_of_steps_is_warned_of(replaced):
    found = []
    for module in (torch, minitorch):
        optimizer, scheduler = build(module, "StepLR(o, 2)")
        if replaced:
            optimizer.step = lambda: None
        with pytest.warns(UserWarning) as caught:
            scheduler.step()
        found.append([str(w.message) for w in caught])
    assert found[1] == found[0]


def test_no_warning_comes_in_the_right_order():
    optimizer, scheduler = build(minitorch, "StepLR(o, 2)")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            optimizer.step()
            scheduler.step()


def test_the_attributes_of_callable_objects_are_saved():
    class Scale:
        def __init__(self):
            self.factor = 0.5

        def __call__(self, epoch):
            return self.factor**epoch

    p = [minitorch.ones(1, requires_grad=True)]
    scheduler = minitorch.optim.lr_scheduler.LambdaLR(minitorch.optim.SGD(p), Scale())
    state = scheduler.state_dict()
    assert state["lr_lambdas"] == [{"factor": 0.5}]
    state["lr_lambdas"][0]["factor"] = 0.25
    scheduler.load_state_dict(state)
    assert scheduler.lr_lambdas[0].factor == 0.25


def test_schedulers_stand_in_the_module_that_pytorch_has_them_in():
    names = minitorch.optim.lr_scheduler.__all__[1:]
    assert {getattr(minitorch.optim.lr_scheduler, name).__module__ for name in names} == {
        "minitorch.optim.lr_scheduler"
    }


def test_a_schedule_of_a_program_tells_whether_it_is_asked_within_a_step():
    def program(torch):
        schedulers = torch.optim.lr_scheduler

        class Halving(schedulers.LRScheduler):
            def get_lr(self):
                schedulers._warn_get_lr_called_within_step(self)
                return [base * 0.5**self.last_epoch for base in self.base_lrs]

        optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
        schedule = Halving(optimizer)
        optimizer.step()
        schedule.step()
        with schedulers._enable_get_lr_call(schedule):
            within = schedule.get_lr()
        return within, schedule.get_lr(), schedule.get_last_lr()

    compare(program)
