"""A training loop as it was written for PyTorch 0.2, beside the same loop of today."""

import numpy as np

import minitorch as torch
from minitorch import legacy

STEPS = 30


def data():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(64, 5)).astype(np.float32)
    weights = rng.normal(size=(5, 1)).astype(np.float32)
    return torch.from_numpy(x), torch.from_numpy(np.tanh(x @ weights))


def parameters():
    torch.manual_seed(3)
    return [torch.randn(8, 5) * 0.5, torch.zeros(8), torch.randn(1, 8) * 0.5, torch.zeros(1)]


def trained_as_in_0_2():
    x, y = data()
    variables = [legacy.Variable(p, requires_grad=True) for p in parameters()]
    w1, b1, w2, b2 = variables

    def loss_of(inputs, targets):
        hidden = legacy.tanh(legacy.addmm(b1, inputs, w1.t()))
        difference = legacy.addmm(b2, hidden, w2.t()) - targets
        return (difference * difference).mean()

    losses = []
    for _ in range(STEPS):
        loss = loss_of(legacy.Variable(x), legacy.Variable(y))
        loss.backward()
        for variable in variables:
            variable.data.add_(-0.1 * variable.grad.data)
            variable.grad.data.zero_()
        losses.append(loss.data.item())
    tested = loss_of(legacy.Variable(x, volatile=True), legacy.Variable(y, volatile=True))
    assert tested.volatile
    assert not tested.requires_grad
    return losses, tested.data.item()


def trained_today():
    x, y = data()
    leaves = [p.requires_grad_() for p in parameters()]
    w1, b1, w2, b2 = leaves

    def loss_of(inputs, targets):
        difference = torch.addmm(b2, torch.tanh(torch.addmm(b1, inputs, w1.t())), w2.t()) - targets
        return (difference * difference).mean()

    losses = []
    for _ in range(STEPS):
        loss = loss_of(x, y)
        loss.backward()
        with torch.no_grad():
            for leaf in leaves:
                leaf.add_(leaf.grad, alpha=-0.1)
                leaf.grad.zero_()
        losses.append(loss.item())
    with torch.no_grad():
        return losses, loss_of(x, y).item()


def test_the_old_loop_learns_what_the_new_one_does():
    old, old_test = trained_as_in_0_2()
    new, new_test = trained_today()
    np.testing.assert_allclose(old, new, rtol=1e-5)
    np.testing.assert_allclose(old_test, new_test, rtol=1e-5)
    assert new[-1] < 0.7 * new[0]
