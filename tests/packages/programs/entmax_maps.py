"""entmax: sparse softmaxes, their losses and gradients."""

import torch


def show(*values):
    print(*(round(float(value), 4) for value in values))


from entmax import (
    budget_bisect,
    entmax15,
    entmax15_loss,
    entmax_bisect,
    normmax_bisect,
    sparsemax,
    sparsemax_loss,
)

torch.manual_seed(0)
x = torch.randn(3, 6, requires_grad=True)
t = torch.tensor([1, 2, 5])
w = torch.arange(6.0)
for f in (
    sparsemax,
    entmax15,
    lambda z, dim=-1: entmax_bisect(z, alpha=1.3, dim=dim),
    lambda z, dim=-1: normmax_bisect(z, alpha=2, dim=dim),
    lambda z, dim=-1: budget_bisect(z, budget=2, dim=dim),
):
    y = f(x, dim=-1)
    (g,) = torch.autograd.grad((y * w).sum(), x)
    show(*y.flatten().tolist())
    show(*g.flatten().tolist())
for l in (sparsemax_loss, entmax15_loss):
    v = l(x, t).sum()
    (g,) = torch.autograd.grad(v, x)
    show(v, *g.flatten().tolist())
a = torch.tensor(1.5, requires_grad=True)
y = entmax_bisect(x, alpha=a)
(y * w).sum().backward()
show(a.grad)
