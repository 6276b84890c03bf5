"""opacus: gradients of each sample in several layers, private training in three modes."""

import warnings

import torch
from opacus import GradSampleModule, PrivacyEngine
from opacus.layers import DPLSTM, DPMultiheadAttention
from opacus.validators import ModuleValidator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")


def show(name, *values):
    print(name, *(round(float(value.detach().abs().sum()), 4) for value in values))


class Last(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = DPLSTM(4, 3, batch_first=True)

    def forward(self, x):
        return self.layer(x)[0]


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = DPMultiheadAttention(4, 2)

    def forward(self, x):
        x = x.transpose(0, 1)
        return self.layer(x, x, x)[0].transpose(0, 1)


def layers():
    torch.manual_seed(1)
    return {
        "linear": (nn.Linear(4, 3), torch.randn(5, 2, 4)),
        "conv1d": (nn.Conv1d(2, 4, 3, groups=2, dilation=2), torch.randn(5, 2, 9)),
        "conv2d": (nn.Conv2d(2, 4, 3, padding="same"), torch.randn(5, 2, 6, 6)),
        "conv3d": (nn.Conv3d(1, 2, 2, stride=2), torch.randn(5, 1, 4, 4, 4)),
        "layer norm": (nn.LayerNorm([3, 4]), torch.randn(5, 3, 4)),
        "group norm": (nn.GroupNorm(2, 4), torch.randn(5, 4, 3)),
        "instance norm": (nn.InstanceNorm1d(4, affine=True), torch.randn(5, 4, 6)),
        "embedding": (nn.Embedding(7, 3), torch.randint(0, 7, (5, 4))),
        "LSTM": (Last(), torch.randn(5, 3, 4)),
        "attention": (Attention(), torch.randn(5, 3, 4)),
        "without a rule": (nn.PReLU(), torch.randn(5, 4)),
    }


for name in layers():
    for force_functorch in (False, True):
        layer, x = layers()[name]
        wrapped = GradSampleModule(layer, force_functorch=force_functorch)
        wrapped(x).square().sum().backward()
        show(name, *(p.grad_sample for p in wrapped.parameters()))


def network():
    torch.manual_seed(2)
    return nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.GroupNorm(2, 4), nn.ReLU(), nn.Flatten(), nn.Linear(64, 3)
    )


torch.manual_seed(0)
data = TensorDataset(torch.randn(24, 1, 6, 6), torch.randint(0, 3, (24,)))
for mode in ("hooks", "functorch", "ew"):
    model = network()
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=0.1),
        data_loader=DataLoader(data, batch_size=8),
        noise_multiplier=0.8,
        max_grad_norm=1.0,
        grad_sample_mode=mode,
        loss_reduction="mean",
        poisson_sampling=False,
        noise_generator=torch.Generator().manual_seed(3),
    )
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    show(mode, loss, *model.parameters())
    print(round(engine.get_epsilon(1e-5), 4))

print(ModuleValidator.fix(nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.LSTM(4, 3))))
