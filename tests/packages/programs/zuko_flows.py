"""zuko: flows with their densities, samples and gradients; transformations and their inverses."""

import torch
import zuko

torch.set_default_dtype(torch.float64)


def show(name, *values):
    print(name, *(round(float(value.detach().abs().sum()), 4) for value in values))


FLOWS = {
    "MAF": {"transforms": 2},
    "NSF": {"transforms": 2},
    "NICE": {"transforms": 2},
    "NCSF": {"transforms": 2},
    "SOSPF": {"transforms": 2},
    "NAF": {"transforms": 1},
    "UNAF": {"transforms": 1},
    "BPF": {"transforms": 1},
    "GF": {"transforms": 2},
    "CNF": {},
}
for name, options in FLOWS.items():
    torch.manual_seed(0)
    if name not in ("GF", "CNF"):
        options = {**options, "hidden_features": [16, 16]}
    flow = getattr(zuko.flows, name)(3, 2, **options)
    x, c = torch.rand(4, 3), torch.randn(4, 2)
    torch.manual_seed(1)
    loss = -flow(c).log_prob(x).mean()
    loss.backward()
    gradients = [p.grad for p in flow.parameters() if p.grad is not None]
    show(name, loss, *gradients[:4])
    if name not in ("NAF", "UNAF", "CNF"):
        samples = flow(c).rsample((2,))
        show("samples", samples, *torch.autograd.grad(samples.sum(), list(flow.parameters())[-1:]))

x = torch.linspace(-1.5, 1.5, 7)
for transform in (
    zuko.transforms.SoftclipTransform(),
    zuko.transforms.SignedPowerTransform(torch.tensor(0.3)),
    zuko.transforms.MonotonicAffineTransform(torch.tensor(0.2), torch.tensor(0.4)),
    zuko.transforms.MonotonicRQSTransform(torch.ones(8), torch.linspace(0, 1, 8), torch.ones(7)),
    zuko.transforms.MonotonicTransform(lambda x: x**3 + x),
    zuko.transforms.BernsteinTransform(torch.linspace(-1, 1, 16)),
):
    y, volume = transform.call_and_ladj(x)
    jacobian = torch.autograd.functional.jacobian(transform, x)
    show(type(transform).__name__, y, volume, transform.inv(y) - x, jacobian)
