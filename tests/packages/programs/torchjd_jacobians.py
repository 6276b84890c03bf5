"""torchjd: Jacobians of several losses, their aggregation, Gramians of the gradients of samples."""

import torch
from torch import nn
from torchjd.aggregation import (
    IMTLG,
    MGDA,
    AlignedMTL,
    ConFIG,
    GradDrop,
    Mean,
    MGDAWeighting,
    PCGrad,
    Sum,
    TrimmedMean,
)
from torchjd.autogram import Engine
from torchjd.autojac import backward, jac_to_grad, mtl_backward

torch.set_default_dtype(torch.float64)


def show(name, *values):
    print(name, *(round(float(value.detach().abs().sum()), 4) for value in values))


def network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3))


torch.manual_seed(0)
x, y = torch.randn(8, 4), torch.randn(8, 3)
J = torch.tensor([[-4.0, 1.0, 1.0], [6.0, 1.0, 1.0]])
for kind in (Sum, Mean, MGDA, IMTLG, AlignedMTL, ConFIG, PCGrad, GradDrop):
    torch.manual_seed(2)
    print(kind.__name__, *(round(value, 4) for value in kind()(J).tolist()))
print(TrimmedMean(0)(J).tolist())

for chunk in (None, 1, 2):
    model = network()
    backward((model(x) - y).square().mean(0), parallel_chunk_size=chunk)
    parameters = list(model.parameters())
    show("Jacobians", *(p.jac for p in parameters))
    jac_to_grad(parameters, MGDA())
    show("gradients", *(p.grad for p in parameters))

model, heads = network(), [nn.Linear(3, 1), nn.Linear(3, 1)]
features = model(x)
losses = [(head(features) - k).square().mean() for k, head in enumerate(heads)]
mtl_backward(losses, features=features)
jac_to_grad(list(model.parameters()), MGDA())
show("shared", *(p.grad for p in model.parameters()))
show("heads", *(p.grad for head in heads for p in head.parameters()))

torch.manual_seed(1)
rnn = nn.LSTM(3, 4, batch_first=True)
backward(rnn(torch.randn(2, 5, 3))[0].square().mean(2).mean(0))
show("LSTM", *(p.jac for p in rnn.parameters()))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.MultiheadAttention(4, 2, batch_first=True)

    def forward(self, x):
        return self.layer(x, x, x)[0].mean(1)


torch.manual_seed(1)
images, words, series = torch.randn(5, 1, 6, 6), torch.randint(0, 7, (5, 4)), torch.randn(5, 3, 4)
shared = nn.Linear(4, 4)
for model, value in (
    (nn.Sequential(nn.Conv2d(1, 3, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()), images),
    (nn.Sequential(nn.Embedding(7, 3), nn.Flatten(), nn.Linear(12, 2)), words),
    (nn.Sequential(nn.Linear(4, 6), nn.LayerNorm(6), nn.GELU(), nn.GroupNorm(2, 6)), x),
    (nn.Sequential(shared, nn.Tanh(), shared), x),
    (Attention(), series),
):
    engine = Engine(model, batch_dim=0)
    losses = model(value).square().mean(1)
    gramian = engine.compute_gramian(losses)
    losses.backward(MGDAWeighting()(gramian))
    show("Gramian", gramian, *(p.grad for p in model.parameters()))
