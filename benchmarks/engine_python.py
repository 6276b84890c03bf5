"""Workloads of the engine in which Python code of the user's runs at every node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.case import Case, Fresh

NODES = 200


def python_cases(torch: Any) -> list[Case]:
    return [*functions(torch), *hooks(torch)]


def functions(torch: Any) -> list[Case]:
    """Return a chain of custom Functions."""

    def chain(name: str) -> Callable[[Any], Any]:
        function = classes(torch)[name]

        def grown(x: Any) -> Any:
            for _ in range(NODES):
                x = function.apply(x)
            return x

        return grown

    def forward(name: str) -> Fresh:
        x = torch.full((1,), 0.5, requires_grad=True)
        return Fresh(lambda: x, chain(name), NODES)

    return [
        case
        for name in ("plain", "that saves")
        for case in (
            Case(f"{NODES} Functions, {name}: forward", lambda n=name: forward(n)),
            Case(f"{NODES} Functions, {name}: backward", lambda n=name: walk(torch, chain(n))),
        )
    ]


def classes(torch: Any) -> dict[str, Any]:
    """Return the Functions, created when a case is built, since a library may lack them."""

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x + x

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient + gradient

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            (x,) = ctx.saved_tensors
            return gradient * x

    return {"plain": Double, "that saves": Square}


def walk(torch: Any, graph: Callable[[Any], Any]) -> Fresh:
    """Return the backward pass through `graph` alone."""
    x = torch.full((1,), 0.5, requires_grad=True)

    def prepare() -> Any:
        x.grad = None
        return graph(x)

    def run(y: Any) -> Any:
        y.backward()
        return x.grad

    return Fresh(prepare, run, NODES)


def hooks(torch: Any) -> list[Case]:
    """Return chains with a hook at each node: on the tensor, after the node, before it."""

    def on_tensor(y: Any) -> None:
        y.register_hook(lambda gradient: None)

    def after(y: Any) -> None:
        y.grad_fn.register_hook(lambda inputs, outputs: None)

    def before(y: Any) -> None:
        y.grad_fn.register_prehook(lambda outputs: None)

    def chain(attach: Callable[[Any], None]) -> Callable[[Any], Any]:
        def grown(x: Any) -> Any:
            for _ in range(NODES):
                x = x * x
                attach(x)
            return x

        return grown

    return [
        Case(f"{name} at each of {NODES} nodes: backward", lambda a=attach: walk(torch, chain(a)))
        for name, attach in (("tensor hook", on_tensor), ("hook", after), ("prehook", before))
    ]
