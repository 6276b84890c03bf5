"""higher: gradients through the steps of optimizers."""

import torch
import torch.nn.functional as F
from torch import nn


def show(*values):
    print(*(round(float(value), 4) for value in values))


import higher

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
o = torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9)
x = torch.randn(8, 3)
y = x.sum(1, keepdim=True).sin()
with higher.innerloop_ctx(m, o, copy_initial_weights=False) as (fm, do):
    for i in range(3):
        l = F.mse_loss(fm(x), y)
        do.step(l)
        show(l)
    F.mse_loss(fm(x), y).backward()
show(*[p.grad.abs().sum() for p in m.parameters()])
for O in (torch.optim.Adam, torch.optim.RMSprop, torch.optim.Adagrad):
    o = O(m.parameters(), lr=0.01)
    with higher.innerloop_ctx(m, o) as (fm, do):
        for i in range(3):
            l = F.mse_loss(fm(x), y)
            do.step(l)
        show(F.mse_loss(fm(x), y))
