"""The backward pass of single operators, over a graph that is kept: time per call."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.inputs import Functional, Inputs, Named


def backwards(torch: Any, new: Inputs) -> Named:
    functional = Functional(torch)

    def of(result: Any, *leaves: Any) -> Callable[[], Any]:
        gradient = torch.ones_like(result)
        return partial(torch.autograd.grad, [result], leaves, [gradient], retain_graph=True)

    def unary_of(name: str) -> Callable[[], Any]:
        x = new.leaf(100, 100)
        return of(getattr(functional, name)(x), x)

    for name in ["relu", "gelu", "silu", "tanh"]:
        yield f"{name} 1e4 backward", lambda name=name: unary_of(name)

    def of_rows(name: str) -> Callable[[], Any]:
        x = new.leaf(256, 256)
        return of(getattr(functional, name)(x, dim=-1), x)

    yield "softmax 256x256 backward", lambda: of_rows("softmax")
    yield "log_softmax 256x256 backward", lambda: of_rows("log_softmax")

    def layer_norm() -> Callable[[], Any]:
        x, weight, bias = new.leaf(256, 256), new.leaf(256), new.leaf(256)
        return of(functional.layer_norm(x, (256,), weight, bias), x, weight, bias)

    def matmul() -> Callable[[], Any]:
        a, b = new.leaf(256, 256), new.leaf(256, 256)
        return of(torch.matmul(a, b), a, b)

    def linear() -> Callable[[], Any]:
        x, weight, bias = new.leaf(64, 64), new.leaf(128, 64), new.leaf(128)
        return of(functional.linear(x, weight, bias), x, weight, bias)

    def conv2d() -> Callable[[], Any]:
        x, weight, bias = new.leaf(64, 6, 14, 14), new.leaf(16, 6, 5, 5), new.leaf(16)
        return of(functional.conv2d(x, weight, bias), x, weight, bias)

    def max_pool2d() -> Callable[[], Any]:
        x = new.leaf(64, 6, 28, 28)
        return of(functional.max_pool2d(x, 2), x)

    def embedding() -> Callable[[], Any]:
        weight = new.leaf(1000, 64)
        return of(functional.embedding(new.integers(1000, 1024), weight), weight)

    def index() -> Callable[[], Any]:
        x = new.leaf(100, 100)
        return of(x[new.integers(100, 100)], x)

    def gather() -> Callable[[], Any]:
        x = new.leaf(100, 100)
        return of(torch.gather(x, 1, new.integers(100, 100, 100)), x)

    def cross_entropy() -> Callable[[], Any]:
        x = new.leaf(1024, 10)
        return of(functional.cross_entropy(x, new.integers(10, 1024)), x)

    def broadcast() -> Callable[[], Any]:
        x, bias = new.leaf(256, 256), new.leaf(256)
        return of(x * bias, x, bias)

    yield "layer_norm 256x256 backward", layer_norm
    yield "matmul 256 backward", matmul
    yield "linear 64x64x128 backward", linear
    yield "conv2d LeNet 2 backward", conv2d
    yield "max_pool2d 64x6x28x28 backward", max_pool2d
    yield "embedding 1024 of 1000x64 backward", embedding
    yield "x[integers] 100x100 backward", index
    yield "gather 100x100 backward", gather
    yield "cross_entropy 1024x10 backward", cross_entropy
    yield "mul by a row 256x256 backward", broadcast
