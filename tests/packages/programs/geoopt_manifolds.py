"""geoopt: Adam on a Poincare ball."""

import torch


def show(*values):
    print(*(round(float(value), 4) for value in values))


import geoopt

torch.manual_seed(0)
b = geoopt.PoincareBall()
x = geoopt.ManifoldParameter(b.expmap0(torch.randn(3, 2) * 0.3), manifold=b)
o = geoopt.optim.RiemannianAdam([x], lr=0.1)
for i in range(3):
    o.zero_grad()
    l = b.dist(x, torch.zeros(3, 2) + 0.2).pow(2).sum()
    l.backward()
    o.step()
    show(l)
s = geoopt.Sphere()
show(s.projx(torch.randn(4)).norm())
