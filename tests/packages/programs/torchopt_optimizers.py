"""torchopt: functional optimizers, gradients through their steps, implicit gradients."""

import torch
import torchopt
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


def show(name, *values):
    print(name, *(round(float(value.detach().abs().sum()), 4) for value in values))


def network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3))


OPTIONS = {
    "sgd": {"lr": 0.1, "momentum": 0.9, "nesterov": True},
    "adam": {"lr": 0.05, "use_accelerated_op": True},
    "adamw": {"lr": 0.05},
    "rmsprop": {"lr": 0.01, "centered": True},
    "adagrad": {"lr": 0.05},
    "adadelta": {"lr": 0.5},
    "radam": {"lr": 0.05},
    "adamax": {"lr": 0.05},
}
torch.manual_seed(0)
x, y = torch.randn(8, 4), torch.randint(0, 3, (8,))


def loss_of(model, parameters):
    return F.cross_entropy(torch.func.functional_call(model, parameters, x), y)


for name, options in OPTIONS.items():
    model = network()
    parameters = dict(model.named_parameters())
    optimizer = getattr(torchopt, name)(**options)
    state = optimizer.init(parameters)
    for _ in range(3):
        loss = loss_of(model, parameters)
        found = torch.autograd.grad(loss, list(parameters.values()))
        updates, state = optimizer.update(
            dict(zip(parameters, found)), state, params=parameters, inplace=False
        )
        parameters = torchopt.apply_updates(parameters, updates, inplace=False)
    show(name, loss, *parameters.values())

for name in ("MetaSGD", "MetaAdam", "MetaRMSProp", "MetaAdaGrad"):
    model = network()
    weight = torch.tensor(1.0, requires_grad=True)
    optimizer = getattr(torchopt, name)(model, lr=0.05)
    start = torchopt.extract_state_dict(model, by="reference")
    for _ in range(3):
        optimizer.step(F.cross_entropy(model(x) * weight, y))
    loss = F.cross_entropy(model(x), y)
    show(name, loss, *torch.autograd.grad(loss, weight))
    torchopt.recover_state_dict(model, start)

schedule = torchopt.schedule.polynomial_schedule(0.1, 0.01, 1, 5, 2)
chained = torchopt.chain(
    torchopt.clip.clip_grad_norm(max_norm=0.5),
    torchopt.transform.trace(momentum=0.9),
    torchopt.sgd(lr=schedule),
)
model = network()
parameters = tuple(p.detach().requires_grad_() for p in model.parameters())
state = chained.init(parameters)
updates, state = chained.update(parameters, state, params=parameters, inplace=False)
show("chain", *updates)


def residual(parameters, meta, x, y):
    def objective(parameters):
        fit = (x @ parameters[0] - y).square().mean()
        return fit + (meta[0].exp() * parameters[0].square()).sum()

    return torch.func.grad(objective)(parameters)


@torchopt.diff.implicit.custom_root(
    residual, argnums=1, solve=torchopt.linear_solve.solve_normal_cg(maxiter=20, atol=0)
)
def ridge(parameters, meta, x, y):
    A = x.T @ x / len(x) + torch.diag(meta[0].exp())
    return (torch.linalg.solve(A, x.T @ y / len(x)).detach(),)


meta = (torch.zeros(4, requires_grad=True),)
(solution,) = ridge((torch.zeros(4, 1),), meta, x, y[:, None].double())
show("implicit", solution, *torch.autograd.grad(solution.sum(), meta))


@torchopt.diff.zero_order(
    distribution=torch.distributions.Normal(torch.tensor(0.0), torch.tensor(1.0)),
    method="antithetic",
    argnums=0,
    num_samples=5,
    sigma=0.01,
)
def objective(parameters, x):
    return (x @ parameters[0]).square().mean()


parameters = (torch.ones(4, 1, requires_grad=True),)
torch.manual_seed(3)
loss = objective(parameters, x)
show("zero order", loss, *torch.autograd.grad(loss, parameters))
