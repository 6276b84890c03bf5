"""torchinfo: tables of networks."""

from torch import nn
from torchinfo import summary

m = nn.Sequential(
    nn.Conv2d(3, 8, 3),
    nn.BatchNorm2d(8),
    nn.ReLU(),
    nn.Flatten(),
    nn.LazyLinear(10) if 0 else nn.Linear(8 * 36, 10),
)
s = summary(
    m,
    input_size=(2, 3, 8, 8),
    verbose=0,
    col_names=("input_size", "output_size", "num_params", "mult_adds", "trainable"),
    depth=3,
)
print(str(s))
l = nn.LSTM(4, 6, 2, batch_first=True)
print(str(summary(l, (1, 5, 4), verbose=0)))
t = nn.TransformerEncoderLayer(8, 2, 16)
print(str(summary(t, (5, 1, 8), verbose=0)))
