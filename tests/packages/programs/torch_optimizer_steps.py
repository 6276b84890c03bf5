"""torch_optimizer: steps of all its optimizers."""

import warnings

import torch
import torch_optimizer
from torch import nn

warnings.filterwarnings("ignore")


def steps(kind):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
    optimizer = kind(model.parameters(), lr=0.01)
    x, y = torch.randn(8, 4), torch.randn(8, 2)
    for _ in range(4):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward(create_graph=kind is torch_optimizer.Adahessian)
        optimizer.step()
    optimizer.load_state_dict(optimizer.state_dict())
    return [round(float(value.detach().abs().sum()), 4) for value in (loss, *model.parameters())]


NAMES = (
    "A2GradExp A2GradInc A2GradUni AccSGD AdaBelief AdaBound AdaMod Adafactor Adahessian AdamP"
    " AggMo Apollo DiffGrad Lamb MADGRAD NovoGrad PID QHAdam QHM RAdam Ranger RangerQH RangerVA"
    " SGDP SGDW SWATS Shampoo Yogi"
)
for name in NAMES.split():
    print(name, *steps(getattr(torch_optimizer, name)))
