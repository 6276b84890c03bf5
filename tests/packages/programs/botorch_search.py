"""botorch: a Gaussian process is fitted, and five ways to choose the next point are asked."""

import torch
from botorch import acquisition as acq
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskGP
from botorch.models.transforms import Normalize, Standardize
from botorch.optim import optimize_acqf
from botorch.sampling import SobolQMCNormalSampler
from gpytorch.mlls import ExactMarginalLogLikelihood

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)
x = torch.rand(10, 2)
y = -((x - 0.5) ** 2).sum(1, keepdim=True)
model = SingleTaskGP(x, y, outcome_transform=Standardize(1), input_transform=Normalize(2))
fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
posterior = model.posterior(torch.tensor([[0.5, 0.5], [0.1, 0.9]]))
print("mean", posterior.mean.flatten().tolist())

sampler = SobolQMCNormalSampler(torch.Size([16]), seed=1)
bounds = torch.tensor([[0.0, 0.0], [1.0, 1.0]])
for function in (
    acq.LogExpectedImprovement(model, y.max()),
    acq.UpperConfidenceBound(model, 0.2),
    acq.qExpectedImprovement(model, y.max(), sampler=sampler),
    acq.qLogExpectedImprovement(model, y.max(), sampler=sampler),
    acq.qNoisyExpectedImprovement(model, x, sampler=sampler),
):
    torch.manual_seed(1)
    point, _ = optimize_acqf(
        function, bounds, q=1, num_restarts=3, raw_samples=16, options={"seed": 0}
    )
    print(type(function).__name__, [round(v, 2) + 0.0 for v in point.flatten().tolist()])
