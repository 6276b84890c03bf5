"""A neural ODE learns a spiral: an adjoint `Function` solves backwards instead of keeping the steps.

Chen, Rubanova, Bettencourt, Duvenaud: Neural ordinary differential equations, NeurIPS 2018.
"""

import argparse

import torch
from torch import nn


def rk4(function, y, t, h):
    k1 = function(t, y)
    k2 = function(t + h / 2, y + h / 2 * k1)
    k3 = function(t + h / 2, y + h / 2 * k2)
    k4 = function(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class Adjoint(torch.autograd.Function):
    """The states at equal times; gradients by solving the adjoint equation from the last one back."""

    @staticmethod
    def forward(ctx, y, field, steps, h, *parameters):
        states = [y]
        with torch.no_grad():
            for step in range(steps):
                states.append(rk4(field, states[-1], step * h, h))
        solution = torch.stack(states)
        ctx.field, ctx.h = field, h
        ctx.save_for_backward(solution, *parameters)
        return solution

    @staticmethod
    def backward(ctx, gradient):
        solution, *parameters = ctx.saved_tensors
        field, h = ctx.field, ctx.h
        adjoint = gradient[-1]
        sums = [torch.zeros_like(parameter) for parameter in parameters]

        def slopes(t, y, a):
            with torch.enable_grad():
                y = y.detach().requires_grad_()
                value = field(t, y)
                return value.detach(), torch.autograd.grad(value, (y, *parameters), a)

        for step in range(len(solution) - 1, 0, -1):
            # one step of Heun's rule backwards for the adjoint and the parameters
            t, y = step * h, solution[step]
            _, (dy, *dp) = slopes(t, y, adjoint)
            _, (dy2, *dp2) = slopes(t - h, solution[step - 1], adjoint + h * dy)
            adjoint = adjoint + h / 2 * (dy + dy2) + gradient[step - 1]
            sums = [s + h / 2 * (a + b) for s, a, b in zip(sums, dp, dp2, strict=True)]
        return adjoint, None, None, None, *sums


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 2))
        for layer in self.net:
            if isinstance(layer, nn.Linear):
                nn.init.normal_(layer.weight, mean=0, std=0.1)
                nn.init.constant_(layer.bias, val=0)

    def forward(self, t, y):
        return self.net(y**3)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--iterations", type=int, default=30)
    args = parser.parse_args()

    torch.manual_seed(0)
    matrix = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
    h, length = 0.05, 20
    truth = [torch.tensor([[2.0, 0.0]])]
    for _ in range(100):
        truth.append(rk4(lambda t, y: y**3 @ matrix, truth[-1], 0.0, h))
    truth = torch.cat(truth)

    field = Field()
    optimizer = torch.optim.RMSprop(field.parameters(), lr=5e-3)
    for iteration in range(args.iterations):
        starts = torch.randint(len(truth) - length, (16,))
        target = torch.stack([truth[starts + k] for k in range(length)])
        states = Adjoint.apply(truth[starts], field, length - 1, h, *field.parameters())
        loss = (states - target).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if iteration % max(1, args.iterations // 6) == 0:
            print(f"iteration {iteration}: loss {loss.item():.6f}")


if __name__ == "__main__":
    main()
