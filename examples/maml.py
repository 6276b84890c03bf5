"""MAML: learn initial weights from which a few gradient steps fit a new sine; gradients of gradients.

Finn, Abbeel, Levine: Model-agnostic meta-learning, ICML 2017.
"""

import argparse
import math

import torch
import torch.nn.functional as F


def weights(width=24):
    sizes = [(width, 1), (width, width), (1, width)]
    parameters = []
    for outputs, inputs in sizes:
        parameters.append(torch.randn(outputs, inputs) / math.sqrt(inputs))
        parameters.append(torch.zeros(outputs))
    return [parameter.requires_grad_() for parameter in parameters]


def network(x, parameters):
    for layer in range(0, len(parameters), 2):
        x = F.linear(x, *parameters[layer : layer + 2])
        if layer + 2 < len(parameters):
            x = torch.tanh(x)
    return x


def task():
    """A sine of its own height and place: a function that draws points of it."""
    height, place = 0.1 + 4.9 * torch.rand(1), math.pi * torch.rand(1)

    def draw(count):
        x = 10 * torch.rand(count, 1) - 5
        return x, height * torch.sin(x + place)

    return draw


def adapt(parameters, x, y, steps, rate=0.02):
    """Parameters after some steps of gradient descent, as functions of those before."""
    for _ in range(steps):
        loss = F.mse_loss(network(x, parameters), y)
        gradients = torch.autograd.grad(loss, parameters, create_graph=True)
        parameters = [p - rate * g for p, g in zip(parameters, gradients, strict=True)]
    return parameters


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--tasks", type=int, default=4)
    parser.add_argument("--inner-steps", type=int, default=2)
    args = parser.parse_args()

    torch.manual_seed(0)
    parameters = weights()
    optimizer = torch.optim.Adam(parameters, lr=2e-3)
    for iteration in range(args.iterations):
        before = after = 0.0
        for _ in range(args.tasks):
            draw = task()
            x, y = draw(10)
            adapted = adapt(parameters, x, y, args.inner_steps)
            x, y = draw(10)
            before = before + F.mse_loss(network(x, parameters), y).detach() / args.tasks
            after = after + F.mse_loss(network(x, adapted), y) / args.tasks
        optimizer.zero_grad()
        after.backward()
        optimizer.step()
        if iteration % max(1, args.iterations // 6) == 0:
            print(f"iteration {iteration}: before {before.item():.5f} after {after.item():.5f}")


if __name__ == "__main__":
    main()
