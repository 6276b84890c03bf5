"""backpack: gradients of each sample, curvatures and products with them, beside a backward."""

import torch
from backpack import backpack, extend, extensions
from backpack.hessianfree.ggnvp import ggn_vector_product
from backpack.hessianfree.hvp import hessian_vector_product
from torch import nn

torch.set_default_dtype(torch.float64)


def show(name, values):
    print(name, *(round(float(value.detach().abs().sum()), 4) for value in values))


def dense():
    return nn.Sequential(nn.Linear(4, 5), nn.Sigmoid(), nn.Linear(5, 5), nn.ReLU(), nn.Linear(5, 3))


def convolutional():
    return nn.Sequential(
        nn.Conv2d(2, 3, 3, padding=1, stride=2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(3, 3),
    )


def flattened():
    return nn.Sequential(nn.Flatten(), nn.Linear(10, 4), nn.Tanh(), nn.Linear(4, 3))


def computed(make, shape, extension):
    torch.manual_seed(0)
    network, loss = extend(make()), extend(nn.CrossEntropyLoss())
    x, y = torch.randn(6, *shape), torch.randint(0, 3, (6,))
    with backpack(extension):
        loss(network(x), y).backward()
    for parameter in network.parameters():
        yield parameter, getattr(parameter, extension.savefield)


FIRST = ("BatchGrad", "BatchL2Grad", "SumGradSquared", "Variance")
SECOND = ("DiagGGNExact", "DiagGGNMC", "BatchDiagGGNExact", "SqrtGGNExact", "SqrtGGNMC")
FACTORS = ("KFAC", "KFLR")
PRODUCTS = ("GGNMP", "HMP", "PCHMP")

for make, shape in ((dense, (4,)), (convolutional, (2, 5, 5)), (flattened, (2, 5))):
    for name in FIRST + SECOND + ("DiagHessian",):
        extension = getattr(extensions, name)()
        show(name, [value for _, value in computed(make, shape, extension)])
    for name in FACTORS:
        found = computed(make, shape, getattr(extensions, name)())
        show(name, [factor for _, factors in found for factor in factors])
for name in PRODUCTS:
    found = computed(dense, (4,), getattr(extensions, name)())
    show(name, [product(torch.ones(2, *p.shape)) for p, product in found])

torch.manual_seed(0)
network = dense()
x, y = torch.randn(6, 4), torch.randint(0, 3, (6,))
output = network(x)
loss = nn.functional.cross_entropy(output, y)
parameters = list(network.parameters())
ones = [torch.ones_like(p) for p in parameters]
show("Hessian", hessian_vector_product(loss, parameters, ones))
show("GGN", ggn_vector_product(loss, output, network, ones))


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 3)

    def forward(self, x):
        return self.second(torch.flatten(x + self.first(x).relu(), 1))


network = extend(Residual(), use_converter=True)
loss = extend(nn.CrossEntropyLoss())
print(network)
with backpack(extensions.BatchGrad()):
    loss(network(x), y).backward()
show("converted", [p.grad_batch for p in network.parameters()])
