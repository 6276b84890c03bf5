"""einops.layers.torch: layers of rearrangements in a network."""

import torch
from torch import nn


def show(*values):
    print(*(round(float(value), 4) for value in values))


from einops.layers.torch import EinMix, Rearrange, Reduce

torch.manual_seed(0)
m = nn.Sequential(
    nn.Conv2d(3, 4, 3, padding=1),
    Reduce("b c (h 2) (w 2) -> b c h w", "max"),
    nn.ReLU(),
    Rearrange("b c h w -> b (c h w)"),
    nn.Linear(64, 5),
    EinMix("b c -> b d", weight_shape="c d", bias_shape="d", c=5, d=2),
)
torch.manual_seed(0)
x = torch.randn(2, 3, 8, 8)
for p in m.parameters():
    p.data.uniform_(-0.3, 0.3)
y = m(x)
y.square().sum().backward()
show(y.sum(), sum(p.grad.abs().sum() for p in m.parameters()))
print(m)
