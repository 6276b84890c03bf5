"""The fused steps do what the operators would: numbers, versions, and what is left to them."""

import numpy as np
import pytest

import minitorch
from tests.both import compare

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

SGD = [
    "",
    "maximize=True",
    "weight_decay=0.1",
    "weight_decay=0.1, maximize=True",
    "momentum=0.9",
    "momentum=0.9, dampening=0.3, weight_decay=0.1, maximize=True",
    "momentum=0.9, nesterov=True, weight_decay=0.1",
]
ADAM = [
    "",
    "amsgrad=True",
    "maximize=True, weight_decay=0.1",
    "amsgrad=True, weight_decay=0.1, maximize=True",
    "betas=(0.3, 0.4)",
    "betas=(0.0, 0.0), eps=1e-3",
    "weight_decay=1, amsgrad=True",
]
GRID = [("SGD", o) for o in SGD] + [(n, o) for n in ("Adam", "AdamW") for o in ADAM]


def parameter(module, size, dtype="float32"):
    values = np.random.RandomState(size).standard_normal(size).astype(dtype)
    return module.from_numpy(values).requires_grad_()


def gradients(module, size, steps, dtype="float32"):
    rng = np.random.RandomState(1)
    return [module.from_numpy(rng.standard_normal(size).astype(dtype)) for _ in range(steps)]


def optimizer_of(module, name, options, params):
    return eval(f"torch.optim.{name}(p, {options})", {"torch": module, "p": params})


def state_of(optimizer, p):
    return {
        key: value.detach().numpy()
        for key, value in optimizer.state[p].items()
        if hasattr(value, "detach")
    }


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [0, 1, 37, 200_000])
@pytest.mark.parametrize(("name", "options"), GRID)
def test_steps_differ_from_pytorchs_by_rounding_at_most(name, options, size, dtype):
    results = []
    for module in (minitorch, torch):
        p = parameter(module, size, dtype)
        optimizer = optimizer_of(module, name, options, [p])
        for grad in gradients(module, size, 4, dtype):
            p.grad = grad
            optimizer.step()
        results.append((p.detach().numpy(), state_of(optimizer, p)))
    (ours, state), (theirs, expected) = results
    epsilon = np.finfo(dtype).eps
    assert list(state) == list(expected)
    for key in expected:
        np.testing.assert_allclose(state[key], expected[key], rtol=8 * epsilon, atol=8 * epsilon)
    # where a mean is near zero its rounding is large beside it
    np.testing.assert_allclose(ours, theirs, rtol=1e3 * epsilon, atol=1e2 * epsilon)


@pytest.mark.parametrize(("name", "options"), GRID)
def test_versions_of_parameters_and_state_are_pytorchs(name, options):
    results = []
    for module in (minitorch, torch):
        p = parameter(module, 5)
        optimizer = optimizer_of(module, name, options, [p])
        seen = []
        for grad in gradients(module, 5, 3):
            p.grad = grad
            optimizer.step()
            state = {
                key: value._version
                for key, value in optimizer.state[p].items()
                if hasattr(value, "_version")
            }
            seen.append((p._version, grad._version, state))
        results.append(seen)
    assert results[0] == results[1]


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW"])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 0.0])
@pytest.mark.parametrize("where", ["parameter", "gradient"])
def test_numbers_that_are_none_go_where_the_operators_let_them(name, value, where):
    options = "weight_decay=0.1, momentum=0.9" if name == "SGD" else "amsgrad=True"
    results = []
    for module in (minitorch, torch):
        p, q = parameter(module, 6), parameter(module, 6)
        optimizer = optimizer_of(module, name, options, [p, q])
        for grad in gradients(module, 6, 2):
            p.grad, q.grad = grad.clone(), grad.clone()
            with module.no_grad():
                (p if where == "parameter" else p.grad)[2] = value
            optimizer.step()
        results.append((p.tolist(), q.tolist()))
    np.testing.assert_allclose(results[0], results[1], rtol=1e-5)


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW"])
@pytest.mark.parametrize(
    "change",
    ["p.t()", "p.to(torch.float16)", "p[::2]", "p.to(torch.complex64)", "p.expand(2, 6, 4)[0]"],
)
def test_what_the_loops_cannot_take_is_left_to_operators(name, change):
    options = "momentum=0.9" if name == "SGD" else ""
    results = []
    for module in (minitorch, torch):
        with module.no_grad():
            p = eval(change, {"p": parameter(module, 24).view(6, 4), "torch": module})
        p.requires_grad_()
        other = parameter(module, 3)
        optimizer = optimizer_of(module, name, options, [p, other])
        for _ in range(3):
            p.grad = module.ones_like(p)
            other.grad = module.ones(3)
            optimizer.step()
        results.append((p.tolist(), other.tolist(), p._version))
    assert results[0][2] == results[1][2]
    for ours, theirs in zip(results[0][:2], results[1][:2], strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=2e-3)


@pytest.mark.parametrize("name", ["SGD", "Adam"])
def test_a_tensor_as_rate_is_left_to_operators(name):
    results = []
    for module in (minitorch, torch):
        p = parameter(module, 5)
        optimizer = optimizer_of(module, name, "lr=torch.tensor(0.1)", [p])
        for grad in gradients(module, 5, 3):
            p.grad = grad
            optimizer.step()
        results.append(p.tolist())
    np.testing.assert_allclose(results[0], results[1], rtol=1e-5)


@pytest.mark.parametrize("name", ["SGD", "Adam"])
def test_a_parameter_of_inference_mode_is_refused_and_not_changed(name):
    outcomes = []
    for module in (minitorch, torch):
        with module.inference_mode():
            p = module.ones(3)
        q = module.ones(3, requires_grad=True)
        optimizer = optimizer_of(module, name, "", [q])
        optimizer.param_groups[0]["params"].append(p)
        with module.inference_mode():
            p.grad = module.ones(3)
        try:
            optimizer.step()
            outcomes.append(None)
        except Exception as error:
            outcomes.append((type(error), str(error)))
        # PyTorch notices when it has written
        assert p.tolist() == [1.0, 1.0, 1.0] or module is torch
    assert outcomes[0] == outcomes[1]


def test_a_step_saved_for_backward_is_noticed():
    p = minitorch.ones(3, requires_grad=True)
    loss = (p * p).sum()
    loss.backward(retain_graph=True)
    minitorch.optim.SGD([p], lr=0.1).step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


@pytest.mark.parametrize("kind", ["SGD", "Adam", "AdamW", "Adagrad"])
def test_a_scaler_leaves_the_scale_to_the_fused_way(kind):
    def program(torch):
        p = torch.ones(3, requires_grad=True)
        optimizer = getattr(torch.optim, kind)([p], lr=0.1, fused=True)
        scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
        scaler.scale((p * p).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        grad = p.grad.clone()
        p.grad = torch.tensor([1.0, float("inf"), 0.0])
        scaler.step(optimizer)
        scaler.update()
        return optimizer._step_supports_amp_scaling, p, grad, p.grad, scaler.get_scale()

    compare(program)


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "Adagrad"])
def test_complex_parameters_are_refused_in_every_step(name):
    def program(torch):
        z = torch.ones(2, dtype=torch.complex64, requires_grad=True)
        optimizer = getattr(torch.optim, name)([z], fused=True)
        optimizer.step()
        z.grad = torch.ones_like(z)
        found = []
        for _ in range(2):
            try:
                optimizer.step()
            except RuntimeError as error:
                found.append(str(error))
        return found, z

    compare(program)
