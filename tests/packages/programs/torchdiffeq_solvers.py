"""torchdiffeq: solvers, the adjoint method, an event."""

import torch
from torch import nn


def show(*values):
    print(*(round(float(value), 4) for value in values))


from torchdiffeq import odeint, odeint_adjoint, odeint_event

torch.manual_seed(0)
A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])


class Fn(nn.Module):
    def __init__(s):
        super().__init__()
        s.A = nn.Parameter(A.clone())

    def forward(s, t, y):
        return y**3 @ s.A


f = Fn()
y0 = torch.tensor([[1.0, 0.0]], requires_grad=True)
t = torch.linspace(0, 1, 6)
for meth in (
    "dopri5",
    "rk4",
    "euler",
    "midpoint",
    "bosh3",
    "dopri8",
    "adaptive_heun",
    "fehlberg2",
    "explicit_adams",
    "implicit_adams",
    "heun3",
):
    y = odeint(f, y0, t, method=meth)
    show(*y[-1].flatten().tolist())
for od in (odeint, odeint_adjoint):
    f.zero_grad()
    y0.grad = None
    od(f, y0, t, method="dopri5", rtol=1e-06, atol=1e-07).pow(2).sum().backward()
    show(*f.A.grad.flatten().tolist(), *y0.grad.flatten().tolist())
et, es = odeint_event(
    lambda t, y: (y[1], torch.tensor(-9.8) + 0 * y[1]),
    (torch.tensor(10.0), torch.tensor(0.0)),
    torch.tensor(0.0),
    event_fn=lambda t, y: y[0],
)
show(et)
