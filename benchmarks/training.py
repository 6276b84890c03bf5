"""Whole training steps of three small networks: time per step.

They are written with tensors and ``torch.nn.functional`` alone, with the optimizers by hand, so
that they measure operators and engine and nothing above. Data and first parameters come from NumPy.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.case import Case, Repeated

STEPS = 10  # between two readings of the clock


def cases(torch: Any) -> list[Case]:
    networks: dict[str, Callable[[Any, Parameters], Callable[[], Any]]] = {
        "MLP 64-128-128-10, batch 64": mlp,
        "CNN 28x28, batch 64": cnn,
        "character transformer, T=64, batch 16": transformer,
    }
    optimizers = {"SGD": sgd, "Adam": adam}
    return [
        Case(f"{name}, {optimizer}", partial(training, torch, make, kind))
        for name, make in networks.items()
        for optimizer, kind in optimizers.items()
    ]


class Parameters(list):
    """The leaves of a network, in the order in which it made them."""

    def __init__(self, torch: Any):
        super().__init__()
        self.torch = torch
        self.random = np.random.RandomState(0)

    def new(self, *shape: int, scale: float | None = None) -> Any:
        """Return a parameter of normal numbers; `scale` is 1 / sqrt(fan in) unless given."""
        scale = 1 / math.sqrt(math.prod(shape[1:])) if scale is None else scale
        values = (self.random.standard_normal(shape) * scale).astype(np.float32)
        return self.keep(self.torch.from_numpy(values))

    def full(self, value: float, *shape: int) -> Any:
        return self.keep(self.torch.full(shape, value))

    def keep(self, tensor: Any) -> Any:
        self.append(tensor.requires_grad_())
        return tensor

    def batch(self, *shape: int) -> Any:
        return self.torch.from_numpy(self.random.standard_normal(shape).astype(np.float32))

    def labels(self, classes: int, *shape: int) -> Any:
        return self.torch.from_numpy(self.random.randint(0, classes, shape))


def training(
    torch: Any,
    make: Callable[[Any, Parameters], Callable[[], Any]],
    optimizer: Callable[[Any, Parameters], Callable[[], None]],
) -> Repeated:
    parameters = Parameters(torch)
    loss_of = make(torch, parameters)
    update = optimizer(torch, parameters)

    def step() -> Any:
        for parameter in parameters:
            parameter.grad = None
        loss = loss_of()
        loss.backward()
        update()
        return loss

    return Repeated(step, STEPS)


# -- optimizers ----------------------------------------------------------------------------------


def sgd(torch: Any, parameters: Parameters) -> Callable[[], None]:
    velocities = [torch.zeros_like(parameter) for parameter in parameters]

    def update() -> None:
        with torch.no_grad():
            for parameter, velocity in zip(parameters, velocities, strict=True):
                velocity.mul_(0.9).add_(parameter.grad)
                parameter.add_(velocity, alpha=-0.01)

    return update


def adam(torch: Any, parameters: Parameters) -> Callable[[], None]:
    firsts = [torch.zeros_like(parameter) for parameter in parameters]
    seconds = [torch.zeros_like(parameter) for parameter in parameters]
    steps = 0

    def update() -> None:
        nonlocal steps
        steps += 1
        rate = 1e-3 * math.sqrt(1 - 0.999**steps) / (1 - 0.9**steps)
        with torch.no_grad():
            for parameter, first, second in zip(parameters, firsts, seconds, strict=True):
                gradient = parameter.grad
                first.mul_(0.9).add_(gradient, alpha=0.1)
                second.mul_(0.999).add_(gradient * gradient, alpha=0.001)
                parameter.add_(first / second.sqrt().add_(1e-8), alpha=-rate)

    return update


# -- networks ------------------------------------------------------------------------------------


def mlp(torch: Any, parameters: Parameters) -> Callable[[], Any]:
    functional = torch.nn.functional
    widths = [64, 128, 128, 10]
    layers = [
        (parameters.new(outputs, inputs), parameters.full(0.0, outputs))
        for inputs, outputs in itertools.pairwise(widths)
    ]
    images, labels = parameters.batch(64, 64), parameters.labels(10, 64)

    def loss() -> Any:
        x = images
        for weight, bias in layers[:-1]:
            x = functional.relu(functional.linear(x, weight, bias))
        weight, bias = layers[-1]
        return functional.cross_entropy(functional.linear(x, weight, bias), labels)

    return loss


def cnn(torch: Any, parameters: Parameters) -> Callable[[], Any]:
    functional = torch.nn.functional
    first = parameters.new(8, 1, 5, 5), parameters.full(0.0, 8)
    second = parameters.new(16, 8, 5, 5), parameters.full(0.0, 16)
    last = parameters.new(10, 16 * 7 * 7), parameters.full(0.0, 10)
    images, labels = parameters.batch(64, 1, 28, 28), parameters.labels(10, 64)

    def loss() -> Any:
        x = functional.max_pool2d(functional.relu(functional.conv2d(images, *first, padding=2)), 2)
        x = functional.max_pool2d(functional.relu(functional.conv2d(x, *second, padding=2)), 2)
        return functional.cross_entropy(functional.linear(x.flatten(1), *last), labels)

    return loss


def transformer(torch: Any, parameters: Parameters) -> Callable[[], Any]:
    """Two pre-norm blocks of width 64 with 4 heads, over 65 characters."""
    functional = torch.nn.functional
    batch, length, width, heads, characters = 16, 64, 64, 4, 65
    tokens = parameters.new(characters, width, scale=0.02)
    positions = parameters.new(length, width, scale=0.02)

    def norm() -> tuple[Any, Any]:
        return parameters.full(1.0, width), parameters.full(0.0, width)

    def affine(inputs: int, outputs: int) -> tuple[Any, Any]:
        return parameters.new(outputs, inputs), parameters.full(0.0, outputs)

    blocks = [
        {
            "norm1": norm(),
            "qkv": affine(width, 3 * width),
            "projection": affine(width, width),
            "norm2": norm(),
            "up": affine(width, 4 * width),
            "down": affine(4 * width, width),
        }
        for _ in range(2)
    ]
    final_norm, head = norm(), affine(width, characters)
    text = parameters.labels(characters, batch, length + 1)
    inputs, targets = text[:, :-1], text[:, 1:].reshape(-1)
    future = torch.ones(length, length).triu(1) > 0

    def split(x: Any) -> Any:
        return x.view(batch, length, heads, width // heads).transpose(1, 2)

    def attention(x: Any, block: dict[str, tuple[Any, Any]]) -> Any:
        q, k, v = map(split, functional.linear(x, *block["qkv"]).split(width, dim=-1))
        scores = q @ k.transpose(-2, -1) / math.sqrt(width // heads)
        weights = functional.softmax(scores.masked_fill(future, -math.inf), dim=-1)
        mixed = (weights @ v).transpose(1, 2).reshape(batch, length, width)
        return functional.linear(mixed, *block["projection"])

    def loss() -> Any:
        x = functional.embedding(inputs, tokens) + positions
        for block in blocks:
            x = x + attention(functional.layer_norm(x, (width,), *block["norm1"]), block)
            hidden = functional.layer_norm(x, (width,), *block["norm2"])
            hidden = functional.gelu(functional.linear(hidden, *block["up"]))
            x = x + functional.linear(hidden, *block["down"])
        logits = functional.linear(functional.layer_norm(x, (width,), *final_norm), *head)
        return functional.cross_entropy(logits.view(-1, characters), targets)

    return loss
