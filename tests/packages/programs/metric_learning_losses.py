"""pytorch-metric-learning: losses of embeddings, and a miner."""

import torch


def show(*values):
    print(*(round(float(value), 4) for value in values))


from pytorch_metric_learning import losses, miners

torch.manual_seed(0)
e = torch.randn(12, 8, requires_grad=True)
t = torch.arange(12) % 4
for L in (
    losses.TripletMarginLoss(),
    losses.ContrastiveLoss(),
    losses.NTXentLoss(),
    losses.MultiSimilarityLoss(),
    losses.CircleLoss(),
    losses.SupConLoss(),
    losses.NPairsLoss(),
    losses.LiftedStructureLoss(),
    losses.FastAPLoss(2),
):
    v = L(e, t)
    (g,) = torch.autograd.grad(v, e)
    print(type(L).__name__, round(float(v), 4), round(float(g.abs().sum()), 4))
mi = miners.MultiSimilarityMiner()
show(losses.TripletMarginLoss()(e, t, mi(e, t)))
