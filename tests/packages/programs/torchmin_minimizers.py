"""torchmin: minimizers with first and second derivatives, least squares, an optimizer of modules."""

import torch
from torch import nn
from torchmin import Minimizer, ScipyMinimizer, least_squares, minimize
from torchmin.benchmarks import rosen


def show(name, *values):
    print(name, *(round(float(value.detach().abs().sum()), 4) for value in values))


START = torch.tensor([1.0, 8.0, -2.0, 0.5], dtype=torch.float64)
for method in ("bfgs", "l-bfgs", "cg", "newton-cg", "newton-exact", "trust-ncg", "trust-exact"):
    found = minimize(rosen, START, method=method, max_iter=60)
    show(method, found.x, found.fun, found.grad)
    print(found.nit, found.success, found.message)


def residuals(x):
    return torch.stack([10 * (x[1] - x[0] ** 2), 1 - x[0]])


start = torch.tensor([-1.2, 1.0], dtype=torch.float64)
show("least squares", least_squares(residuals, start).x)

torch.manual_seed(0)
x, y = torch.randn(9, 3).double(), torch.randn(9, 2).double()
for kind, options in (
    (Minimizer, {"method": "bfgs", "max_iter": 20}),
    (Minimizer, {"method": "newton-cg", "max_iter": 20}),
    (ScipyMinimizer, {"method": "CG"}),
):
    torch.manual_seed(1)
    layer = nn.Linear(3, 2).double()
    optimizer = kind(layer.parameters(), **options)

    def closure():
        optimizer.zero_grad()
        return (layer(x) - y).square().mean() + layer(x).sin().mean()

    show(kind.__name__, optimizer.step(closure), *layer.parameters())
