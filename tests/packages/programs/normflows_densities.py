"""normflows: flows trained forward and backward, on a target's density."""

import normflows
import torch
from normflows import flows

torch.set_default_dtype(torch.float64)


def show(name, *values):
    print(name, *(round(float(value.detach().abs().sum()), 4) for value in values))


def networks(kind):
    if kind == "affine coupling":
        network = normflows.nets.MLP([1, 8, 2], init_zeros=True)
        return [flows.AffineCouplingBlock(network), flows.Permute(2, mode="swap")]
    if kind == "splines":
        return [flows.AutoregressiveRationalQuadraticSpline(2, 1, 8), flows.LULinearPermute(2)]
    if kind == "autoregressive":
        return [flows.MaskedAffineAutoregressive(2, 8), flows.ActNorm(2)]
    if kind == "planar":
        return [flows.Planar((2,), act="leaky_relu"), flows.Radial((2,))]
    network = normflows.nets.LipschitzMLP([2, 8, 2], lipschitz_const=0.9)
    return [flows.Residual(network, reduce_memory=False)]


target = normflows.distributions.TwoMoons()
for kind in ("affine coupling", "splines", "autoregressive", "planar", "residual"):
    torch.manual_seed(0)
    base = normflows.distributions.DiagGaussian(2)
    model = normflows.NormalizingFlow(base, networks(kind) + networks(kind), target)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    x = torch.randn(16, 2)
    for _ in range(3):
        optimizer.zero_grad()
        loss = model.reverse_kld(16) if kind == "planar" else model.forward_kld(x)
        loss.backward()
        optimizer.step()
        show(kind, loss)
    with torch.no_grad():
        show("samples", *model.sample(8))

torch.manual_seed(0)
glow = flows.GlowBlock(4, 8)
x = torch.randn(2, 4, 4, 4)
z, volume = glow(x)
back, other = glow.inverse(z)
show("Glow", z, volume, back - x, volume + other)
z.square().sum().backward()
show("gradients", *(p.grad for p in glow.parameters() if p.grad is not None))
