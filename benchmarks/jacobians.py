"""Jacobians of a layer of 64 by 64: all rows at once by `vmap`, and one after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.inputs import Inputs, Named

WIDTH = 64


def jacobians(torch: Any, new: Inputs) -> Named:
    def layer(of_weight: bool) -> tuple[Callable[[Any], Any], Any]:
        weight, bias, x = new.floats(WIDTH, WIDTH), new.floats(WIDTH), new.floats(WIDTH)
        if of_weight:
            return lambda weight: torch.tanh(weight @ x + bias), weight
        return lambda x: torch.tanh(weight @ x + bias), x

    def jacobian(of_weight: bool, **options: Any) -> Callable[[], Any]:
        function, point = layer(of_weight)
        return partial(torch.autograd.functional.jacobian, function, point, **options)

    def of_samples() -> Callable[[], Any]:
        function, _ = layer(False)
        return partial(torch.vmap(function), new.floats(32, WIDTH))

    forward = {"vectorize": True, "strategy": "forward-mode"}
    name = f"jacobian {WIDTH}x{WIDTH}"
    yield f"{name}: vectorised", lambda: jacobian(False, vectorize=True)
    yield f"{name}: vectorised, forward mode", lambda: jacobian(False, **forward)
    yield f"{name} to the weights: vectorised", lambda: jacobian(True, vectorize=True)
    yield f"{name}: row by row", lambda: jacobian(False)
    yield f"vmap of a layer {WIDTH}x{WIDTH}, 32 samples", of_samples
