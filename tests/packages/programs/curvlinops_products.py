"""curvlinops: curvatures of a network as linear operators, their inverses and estimates."""

import curvlinops
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def show(name, *values):
    print(name, *(round(float(value.detach().abs().sum()), 4) for value in values))


def network():
    torch.manual_seed(1)
    return nn.Sequential(
        nn.Conv2d(1, 3, 3, padding=1, stride=2),
        nn.ReLU(),
        nn.Conv2d(3, 2, 3),
        nn.Sigmoid(),
        nn.Flatten(),
        nn.Linear(2, 3),
    )


torch.manual_seed(0)
DATA = [
    (torch.rand(n, 1, 6, 6), labels)
    for n, labels in ((4, torch.tensor([0, 1, 2, 1])), (3, torch.tensor([2, 0, 1])))
]
REAL = [(x, torch.rand(len(x), 3)) for x, _ in DATA]


def operator(name, loss, data, **options):
    model = network()
    kind = getattr(curvlinops, f"{name}LinearOperator")
    return kind(model, loss, list(model.parameters()), data, **options)


for name in ("Hessian", "GGN", "EF", "FisherMC", "KFAC", "EKFAC"):
    for loss, data in ((nn.CrossEntropyLoss(), DATA), (nn.MSELoss(reduction="sum"), REAL)):
        found = operator(name, loss, data)
        torch.manual_seed(2)
        vector = torch.rand(found.shape[1])
        show(name, found @ vector, found @ torch.stack([vector, -vector], 1))

for fisher in ("type-2", "mc", "empirical", "forward-only"):
    for shared in ("expand", "reduce"):
        options = {"fisher_type": fisher, "kfac_approx": shared}
        found = operator("KFAC", nn.CrossEntropyLoss(), DATA, **options)
        ones = torch.ones(found.shape[1])
        show(f"{fisher} {shared}", found @ ones)
        damped = curvlinops.KFACInverseLinearOperator(found, damping=0.1)
        show("its inverse", damped @ ones)

ggn = operator("GGN", nn.CrossEntropyLoss(), DATA)
torch.manual_seed(3)
for estimate in (curvlinops.hutchinson_trace, curvlinops.hutchpp_trace, curvlinops.xtrace):
    show(estimate.__name__, estimate(ggn, 6))
for estimate in (curvlinops.hutchinson_diag, curvlinops.xdiag):
    show(estimate.__name__, estimate(ggn, 6))
part = curvlinops.SubmatrixLinearOperator(ggn, [0, 3, 4], [1, 2])
show("part", part @ torch.ones(2))
series = curvlinops.NeumannInverseLinearOperator(ggn, num_terms=5, scale=0.1)
show("series", series @ torch.ones(ggn.shape[1]))
show("sums", (2 * ggn + ggn @ ggn) @ torch.ones(ggn.shape[1]))
