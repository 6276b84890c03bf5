"""Recurrent layers, and `linear` with as few rows as each of their steps has: time per call.

A name says times x batch x features, hidden units. Training is a forward and a backward pass.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.case import Case, Repeated
from benchmarks.inputs import Inputs

# times, batch, features, hidden units
SIZES = [
    (100, 1, 64, 64),
    (20, 16, 64, 64),
    (50, 32, 128, 128),
    (64, 32, 256, 256),
    (20, 32, 256, 512),
    (32, 64, 512, 512),
]
# rows, features, outputs
LINEAR = [(9, 512, 1536), (32, 256, 768), (32, 512, 1536), (64, 512, 2048), (128, 784, 500)]


def cases(torch: Any) -> list[Case]:
    found = []
    for kind in ("LSTM", "GRU"):
        for size in SIZES:
            name = f"{kind} {size[0]} x {size[1]} x {size[2]}, {size[3]}"
            found.append(Case(f"{name}: inference", partial(layer, torch, kind, size, inference)))
            found.append(Case(f"{name}: training", partial(layer, torch, kind, size, training)))
    for shape in LINEAR:
        name = "linear {} x {} x {}".format(*shape)
        found.append(Case(name, partial(linear, torch, *shape)))
        found.append(Case(f"{name}: backward", partial(linear_backward, torch, *shape)))
    return found


def layer(
    torch: Any,
    kind: str,
    size: tuple[int, int, int, int],
    step: Callable[[Any, Any, Any], Callable[[], Any]],
) -> Repeated:
    times, batch, features, hidden = size
    module = getattr(torch.nn, kind)(features, hidden)
    random = np.random.RandomState(0)
    with torch.no_grad():
        for parameter in module.parameters():
            values = random.uniform(-1, 1, tuple(parameter.shape)) / hidden**0.5
            parameter.copy_(torch.from_numpy(values.astype("f4")))
    return Repeated(step(torch, module, Inputs(torch).floats(times, batch, features)))


def inference(torch: Any, module: Any, x: Any) -> Callable[[], Any]:
    def call() -> Any:
        with torch.no_grad():
            return module(x)

    return call


def training(torch: Any, module: Any, x: Any) -> Callable[[], Any]:
    def call() -> Any:
        module.zero_grad()
        module(x)[0].sum().backward()
        return module.weight_hh_l0.grad

    return call


def linear(torch: Any, rows: int, features: int, outputs: int) -> Repeated:
    new = Inputs(torch)
    x, weight, bias = new.floats(rows, features), new.floats(outputs, features), new.floats(outputs)
    return Repeated(partial(torch.nn.functional.linear, x, weight, bias))


def linear_backward(torch: Any, rows: int, features: int, outputs: int) -> Repeated:
    new = Inputs(torch)
    x, weight = new.leaf(rows, features), new.leaf(outputs, features)
    y = torch.nn.functional.linear(x, weight)
    grad = new.floats(rows, outputs)
    return Repeated(partial(torch.autograd.grad, y, (x, weight), grad, retain_graph=True))
