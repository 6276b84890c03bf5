"""torchsde: solvers of stochastic equations of all kinds of noise, and their adjoints."""

import torch
import torchsde
from torch import nn

torch.set_default_dtype(torch.float64)
CHANNELS = {"diagonal": 3, "scalar": 1, "additive": 2, "general": 2}
AREAS = {"srk": "space-time", "log_ode": "foster"}
SOLVERS = {
    "ito": ("euler", "milstein", "srk"),
    "stratonovich": ("euler_heun", "heun", "midpoint", "log_ode", "milstein", "reversible_heun"),
}


class Equation(nn.Module):
    def __init__(self, noise, kind):
        super().__init__()
        torch.manual_seed(1)
        self.noise_type, self.sde_type = noise, kind
        self.drift = nn.Linear(3, 3)
        self.diffusion = nn.Linear(3, 3 if noise == "diagonal" else 3 * CHANNELS[noise])

    def f(self, t, y):
        return self.drift(y).tanh()

    def g(self, t, y):
        if self.noise_type == "diagonal":
            return self.diffusion(y).sigmoid()
        if self.noise_type == "additive":
            y = t * torch.ones_like(y)
        return self.diffusion(y).sigmoid().view(len(y), 3, -1)


for noise, channels in CHANNELS.items():
    for kind, methods in SOLVERS.items():
        for method in methods:
            if noise == "general" and method in ("milstein", "srk"):
                continue
            for solve in (torchsde.sdeint, torchsde.sdeint_adjoint):
                equation, start = Equation(noise, kind), torch.ones(2, 3, requires_grad=True)
                motion = torchsde.BrownianInterval(
                    0.0,
                    0.5,
                    (2, channels),
                    entropy=42,
                    dtype=torch.float64,
                    levy_area_approximation=AREAS.get(method, "none"),
                )
                options = {"method": method, "dt": 0.1, "bm": motion}
                if solve is torchsde.sdeint_adjoint and method == "reversible_heun":
                    options["adjoint_method"] = "adjoint_reversible_heun"
                y = solve(equation, start, torch.linspace(0, 0.5, 4), **options)
                y[-1].square().sum().backward()
                found = [y, start.grad, *(p.grad for p in equation.parameters())]
                print(noise, method, *(round(float(value.sum()), 4) for value in found))
