"""The Hessian of a network's loss by backward through backward: products, trace, largest eigenvalues."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn


def flat(tensors):
    return torch.cat([tensor.reshape(-1) for tensor in tensors])


def product(gradients, parameters, vector):
    """Hessian times vector: the gradient of the gradient's projection."""
    projection = (flat(gradients) * vector).sum()
    return flat(torch.autograd.grad(projection, parameters, retain_graph=True))


def largest(gradients, parameters, count, iterations):
    """Eigenvalues of the largest size, by power iteration and deflation."""
    found = []
    size = sum(parameter.numel() for parameter in parameters)
    for _ in range(count):
        vector = F.normalize(torch.ones(size), dim=0)
        value = torch.tensor(0.0)
        for _ in range(iterations):
            image = product(gradients, parameters, vector)
            for eigenvalue, eigenvector in found:
                image = image - eigenvalue * (eigenvector @ vector) * eigenvector
            value = vector @ image
            vector = F.normalize(image, dim=0)
        found.append((value, vector))
    return [value.item() for value, _ in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--iterations", type=int, default=60)
    args = parser.parse_args()

    torch.manual_seed(3)
    x = torch.randn(64, 4)
    y = (x[:, :1] * x[:, 1:2]).tanh()
    model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1))
    parameters = list(model.parameters())
    optimizer = torch.optim.SGD(parameters, lr=0.1, momentum=0.9)
    for _ in range(args.steps):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.6f}")

    loss = F.mse_loss(model(x), y)
    gradients = torch.autograd.grad(loss, parameters, create_graph=True)
    size = sum(parameter.numel() for parameter in parameters)
    hessian = torch.stack([product(gradients, parameters, unit) for unit in torch.eye(size)])
    print(
        f"asymmetry {(hessian - hessian.T).abs().max().item():.6f} trace {hessian.trace().item():.5f}"
    )
    for number, value in enumerate(largest(gradients, parameters, 3, args.iterations)):
        print(f"eigenvalue {number}: {value:.5f}")
    direction = F.normalize(torch.arange(1.0, size + 1), dim=0)
    print(f"curvature {(direction @ product(gradients, parameters, direction)).item():.6f}")


if __name__ == "__main__":
    main()
