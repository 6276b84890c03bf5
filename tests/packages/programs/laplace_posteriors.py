"""laplace: Gaussian posteriors over the weights of networks, with three backends for curvatures."""

import warnings

import torch
from laplace import Laplace, marglik_training
from laplace.curvature import BackPackGGN, CurvlinopsEF, CurvlinopsGGN
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
torch.set_default_dtype(torch.float64)


def show(name, *values):
    print(name, *(round(float(value.detach().abs().sum()), 4) for value in values))


def problem(likelihood):
    torch.manual_seed(1)
    network = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 2))
    x = torch.randn(12, 3)
    y = torch.randint(0, 2, (12,)) if likelihood == "classification" else torch.randn(12, 2)
    return network, x, DataLoader(TensorDataset(x, y), batch_size=5)


for likelihood in ("classification", "regression"):
    for backend in (CurvlinopsGGN, CurvlinopsEF, BackPackGGN):
        for weights in ("all", "last_layer"):
            for structure in ("full", "kron", "diag"):
                network, x, loader = problem(likelihood)
                posterior = Laplace(
                    network,
                    likelihood,
                    subset_of_weights=weights,
                    hessian_structure=structure,
                    backend=backend,
                )
                posterior.fit(loader)
                evidence = posterior.log_marginal_likelihood()
                posterior.optimize_prior_precision(method="marglik", n_steps=5)
                torch.manual_seed(2)
                found = posterior(x[:3])
                found = found if isinstance(found, tuple) else (found,)
                name = f"{backend.__name__} {weights} {structure}"
                show(name, evidence, posterior.prior_precision, *found, posterior.sample(3))

network, x, loader = problem("regression")
_, _, evidences, losses = marglik_training(
    network,
    loader,
    "regression",
    "kron",
    n_epochs=6,
    n_epochs_burnin=2,
    marglik_frequency=2,
    n_hypersteps=3,
    optimizer_kwargs={"lr": 0.01},
)
print(*(round(value, 4) for value in [*evidences, *losses]))
