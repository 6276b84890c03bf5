"""torchsummary: the table of a network."""

from torch import nn
from torchsummary import summary

m = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 36, 10))
summary(m, (3, 8, 8), device="cpu")
