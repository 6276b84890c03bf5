"""pyro: variational inference with five guides, two samplers, a mixture summed out, flows."""

import pyro
import pyro.distributions as dist
import pyro.distributions.transforms as T
import torch
from pyro.infer import HMC, MCMC, NUTS, SVI, Trace_ELBO, TraceEnum_ELBO, autoguide, config_enumerate

GUIDES = [
    autoguide.AutoNormal,
    autoguide.AutoDiagonalNormal,
    autoguide.AutoMultivariateNormal,
    autoguide.AutoDelta,
    autoguide.AutoLowRankMultivariateNormal,
]
torch.manual_seed(3)
data = torch.randn(20) + 2


def model():
    mean = pyro.sample("mean", dist.Normal(0.0, 3.0))
    scale = pyro.sample("scale", dist.LogNormal(0.0, 1.0))
    with pyro.plate("data", len(data)):
        pyro.sample("x", dist.Normal(mean, scale), obs=data)


for cls in GUIDES:
    pyro.clear_param_store()
    pyro.set_rng_seed(0)
    guide = cls(model)
    svi = SVI(model, guide, pyro.optim.Adam({"lr": 0.05}), Trace_ELBO())
    losses = [svi.step() for _ in range(30)]
    print(cls.__name__, round(losses[-1], 3), round(guide.median()["mean"].item(), 3))

for kernel in (NUTS(model), HMC(model, step_size=0.1, num_steps=4)):
    pyro.set_rng_seed(1)
    run = MCMC(kernel, num_samples=20, warmup_steps=10, disable_progbar=True)
    run.run()
    print(type(kernel).__name__, round(run.get_samples()["mean"].mean().item(), 3))


@config_enumerate
def mixture():
    weights = pyro.param("weights", torch.ones(2) / 2, constraint=dist.constraints.simplex)
    means = pyro.param("means", torch.tensor([0.0, 3.0]))
    with pyro.plate("data", len(data)):
        which = pyro.sample("which", dist.Categorical(weights))
        pyro.sample("x", dist.Normal(means[which], 1.0), obs=data)


pyro.clear_param_store()
elbo = TraceEnum_ELBO(max_plate_nesting=1)
svi = SVI(mixture, lambda: None, pyro.optim.Adam({"lr": 0.05}), elbo)
print("mixture", [round(svi.step(), 3) for _ in range(3)], pyro.param("means").tolist())

pyro.set_rng_seed(0)
for flow in (T.affine_autoregressive(3), T.spline(3), T.planar(3), T.radial(3), T.householder(3)):
    base = dist.Normal(torch.zeros(3), torch.ones(3))
    drawn = dist.TransformedDistribution(base, [flow]).rsample((2,))
    print(type(flow).__name__, drawn.detach()[0].tolist())
