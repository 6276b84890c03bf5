"""gpytorch: exact and variational Gaussian processes."""

import torch


def show(*values):
    print(*(round(float(value), 4) for value in values))


import gpytorch

torch.manual_seed(0)
X = torch.linspace(0, 1, 20)
Y = torch.sin(X * 6.28) + 0.1 * torch.cos(X * 40)


class G(gpytorch.models.ExactGP):
    def __init__(s, x, y, l, k):
        super().__init__(x, y, l)
        s.mean_module = gpytorch.means.ConstantMean()
        s.covar_module = gpytorch.kernels.ScaleKernel(k)

    def forward(s, x):
        return gpytorch.distributions.MultivariateNormal(s.mean_module(x), s.covar_module(x))


for k in (
    gpytorch.kernels.RBFKernel(),
    gpytorch.kernels.MaternKernel(2.5),
    gpytorch.kernels.PeriodicKernel(),
    gpytorch.kernels.RQKernel(),
):
    l = gpytorch.likelihoods.GaussianLikelihood()
    m = G(X, Y, l, k)
    m.train()
    l.train()
    o = torch.optim.Adam(m.parameters(), lr=0.1)
    mll = gpytorch.mlls.ExactMarginalLogLikelihood(l, m)
    for i in range(5):
        o.zero_grad()
        v = -mll(m(X), Y)
        v.backward()
        o.step()
        show(v)
    m.eval()
    l.eval()
    with torch.no_grad(), gpytorch.settings.fast_pred_var(False):
        q = l(m(torch.linspace(0, 1, 5)))
        show(*q.mean.tolist(), *q.variance.tolist())

import gpytorch

torch.manual_seed(0)
X = torch.linspace(0, 1, 20)[:, None]
Y = torch.sin(X[:, 0] * 6.28)


class A(gpytorch.models.ApproximateGP):
    def __init__(s, z):
        d = gpytorch.variational.CholeskyVariationalDistribution(z.size(0))
        st = gpytorch.variational.VariationalStrategy(s, z, d, learn_inducing_locations=True)
        super().__init__(st)
        s.m = gpytorch.means.ConstantMean()
        s.k = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())

    def forward(s, x):
        return gpytorch.distributions.MultivariateNormal(s.m(x), s.k(x))


m = A(X[::4].clone())
l = gpytorch.likelihoods.GaussianLikelihood()
mll = gpytorch.mlls.VariationalELBO(l, m, 20)
o = torch.optim.Adam(list(m.parameters()) + list(l.parameters()), lr=0.05)
m.train()
l.train()
for i in range(5):
    o.zero_grad()
    v = -mll(m(X), Y)
    v.backward()
    o.step()
    show(v)
