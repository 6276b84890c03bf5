"""minitorch.optim against PyTorch: the way of a training, the state, errors."""

import numpy as np
import pytest

import minitorch

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

OPTIMIZERS = [
    "SGD(p, 0.1)",
    "SGD(p, 0.1, momentum=0.9, nesterov=True, weight_decay=0.01)",
    "SGD(p, 0.1, momentum=0.9, dampening=0.1, maximize=True)",
    "Adam(p, 0.01)",
    "Adam(p, 0.01, weight_decay=0.1, amsgrad=True)",
    "AdamW(p, 0.01)",
]
RNG = np.random.RandomState(0)
X, Y = RNG.standard_normal((8, 5)).astype("float32"), np.arange(8) % 3


def trained(module, text):
    module.manual_seed(0)
    network = module.nn.Sequential(module.nn.Linear(5, 6), module.nn.Tanh(), module.nn.Linear(6, 3))
    optimizer = eval(f"optim.{text}", {"optim": module.optim, "p": network.parameters()})
    losses = []
    for step in range(6):
        if step == 3:
            optimizer.load_state_dict(optimizer.state_dict())

        def closure():
            optimizer.zero_grad()
            output = network(module.tensor(X))
            loss = module.nn.functional.cross_entropy(output, module.tensor(Y))
            loss.backward()
            return loss

        losses.append(optimizer.step(closure).item())
    return losses, optimizer


@pytest.mark.parametrize("text", OPTIMIZERS)
def test_training_goes_pytorchs_way(text):
    (theirs, a), (ours, b) = trained(torch, text), trained(minitorch, text)
    np.testing.assert_allclose(ours, theirs, rtol=1e-4)
    assert repr(b) == repr(a)
    left, right = a.state_dict(), b.state_dict()
    assert right["param_groups"] == left["param_groups"]
    assert list(right["state"]) == list(left["state"])
    for key, state in left["state"].items():
        assert list(right["state"][key]) == list(state)
        for name, value in state.items():
            if value is not None:
                np.testing.assert_allclose(
                    right["state"][key][name].numpy(), value.numpy(), rtol=1e-3, atol=1e-6
                )


ERRORS = [
    "SGD([], 0.1)",
    "SGD(torch.ones(1), 0.1)",
    "SGD([1], 0.1)",
    "SGD([torch.ones(1) * w], 0.1)",
    "SGD([w], -1)",
    "SGD([w], 0.1, momentum=-1)",
    "SGD([w], 0.1, nesterov=True)",
    "Adam([w], betas=(1, 2))",
    "Adam([w], eps=-1)",
    "SGD([{'params': [w]}, {'params': [w]}], 0.1)",
    "SGD([w], 0.1).load_state_dict({'state': {}, 'param_groups': []})",
]


@pytest.mark.parametrize("text", ERRORS)
def test_errors_are_pytorchs(text):
    found = []
    for module in (torch, minitorch):
        scope = {"torch": module, "optim": module.optim, "w": module.ones(1, requires_grad=True)}
        with pytest.raises(Exception) as caught:
            eval(f"optim.{text}", scope)
        found.append((caught.type, str(caught.value)))
    assert found[1] == found[0]
