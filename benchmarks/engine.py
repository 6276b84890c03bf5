"""Workloads in which the graph costs more than the arithmetic: time per node.

Every forward pass is timed up to its last operator, every backward pass alone; the graph is made
and dropped outside the clock, except in the cases called "freed" and "step".
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from benchmarks.case import Case, Fresh, Repeated, count_nodes
from benchmarks.engine_python import python_cases

LENGTH = 1000


def cases(torch: Any) -> list[Case]:
    return [
        *chains(torch),
        *long_chains(torch),
        *wide_graphs(torch),
        *diamonds(torch),
        *many_parameters(torch),
        *scalar_network(torch),
        *double_backward(torch),
        *single_calls(torch),
        *python_cases(torch),
    ]


# -- chains --------------------------------------------------------------------------------------


def links(torch: Any, size: int) -> dict[str, tuple[Callable[[Any, int], Any], int]]:
    """Return the loops of the chain cases: ``(grow(y, rounds), operators per round)`` by name."""
    near_one = torch.full((size,), 1.0001)
    small = torch.full((size,), 0.01)
    weight = torch.full((size,), 0.9, requires_grad=True)
    bias = torch.full((size,), 0.1, requires_grad=True)

    def mul(y: Any, rounds: int) -> Any:
        for _ in range(rounds):
            y = y * near_one
        return y

    def add(y: Any, rounds: int) -> Any:
        for _ in range(rounds):
            y = y + small
        return y

    def tanh(y: Any, rounds: int) -> Any:
        for _ in range(rounds):
            y = y.tanh()
        return y

    def number(y: Any, rounds: int) -> Any:
        for _ in range(rounds):
            y = y * 1.0001
        return y

    def mixed(y: Any, rounds: int) -> Any:
        for _ in range(rounds):
            y = (y * weight + bias).tanh() - small
        return y

    def mixed_constants(y: Any, rounds: int) -> Any:
        for _ in range(rounds):
            y = (y * near_one + small).tanh() - small
        return y

    return {
        "mul": (mul, 1),
        "add": (add, 1),
        "tanh": (tanh, 1),
        "mul by a number": (number, 1),
        "mixed": (mixed, 4),
        "mixed constants": (mixed_constants, 4),
    }


def chains(torch: Any) -> list[Case]:
    found = []
    for size in (1, 16, 256):
        for name in ("mul", "add", "tanh", "mul by a number", "mixed"):
            found += chain_cases(torch, name, size)
    return found


def chain_cases(torch: Any, name: str, size: int) -> list[Case]:
    """Return the four phases of one chain of `LENGTH` operators."""
    # without recording, nothing in the loop may ask for a gradient
    plain_name = "mixed constants" if name == "mixed" else name

    def forward(recorded: bool) -> Fresh:
        grow, operators = links(torch, size)[name if recorded else plain_name]
        x = torch.full((size,), 0.5, requires_grad=recorded)
        return Fresh(lambda: x, lambda x: grow(x, LENGTH // operators), LENGTH)

    def forward_without_grad_mode() -> Fresh:
        grow, operators = links(torch, size)[name]
        x = torch.full((size,), 0.5, requires_grad=True)

        def run(x: Any) -> Any:
            with torch.no_grad():
                return grow(x, LENGTH // operators)

        return Fresh(lambda: x, run, LENGTH)

    def backward() -> Fresh:
        grow, operators = links(torch, size)[name]
        return backward_of(torch, size, lambda x: grow(x, LENGTH // operators))

    return [
        Case(f"chain {name} x{size}: forward, no_grad", forward_without_grad_mode),
        Case(f"chain {name} x{size}: forward, no leaf", lambda: forward(False)),
        Case(f"chain {name} x{size}: forward, recorded", lambda: forward(True)),
        Case(f"chain {name} x{size}: backward", backward),
    ]


def backward_of(torch: Any, size: int, graph: Callable[[Any], Any], units: int = 0) -> Fresh:
    """Return the backward pass alone, from the result of `graph` to a leaf of `size` elements.

    `units` is the number of nodes, if counting them by a walk is to be avoided: PyTorch 2.13
    overflows the stack when it frees 100,000 nodes in a row that Python has looked at.
    """
    x = torch.full((size,), 0.5, requires_grad=True)
    gradient = torch.ones_like(graph(x.detach()))

    def prepare() -> Any:
        x.grad = None
        return graph(x)

    def run(y: Any) -> Any:
        y.backward(gradient)
        return x.grad

    return Fresh(prepare, run, units or count_nodes(prepare()))


def long_chains(torch: Any) -> list[Case]:
    """100,000 nodes: here a collector that looks at the graph as it grows is seen."""
    length = 100_000

    def grown(x: Any) -> Any:
        one = torch.ones(1)
        for _ in range(length):
            x = x * one
        return x

    def forward() -> Fresh:
        x = torch.full((1,), 0.5, requires_grad=True)
        return Fresh(lambda: x, grown, length)

    def freed() -> Fresh:
        x = torch.full((1,), 0.5, requires_grad=True)

        def run(graph: list[Any]) -> Any:
            graph.clear()
            return x

        return Fresh(lambda: [grown(x)], run, length)

    return [
        Case("long chain mul x1: forward, recorded", forward),
        Case("long chain mul x1: backward", lambda: backward_of(torch, 1, grown, length + 1)),
        Case("long chain mul x1: freed", freed),
    ]


# -- other shapes of graphs ----------------------------------------------------------------------


def wide_graphs(torch: Any) -> list[Case]:
    """One input used by 1,000 nodes, whose results are summed."""

    def branches(x: Any) -> list[Any]:
        factor = torch.full((1,), 1.001)
        return [x * factor for _ in range(LENGTH)]

    def summed(x: Any) -> Any:
        total, *rest = branches(x)
        for branch in rest:
            total = total + branch
        return total

    def stacked(x: Any) -> Any:
        return torch.stack(branches(x)).sum()

    def forward(graph: Callable[[Any], Any]) -> Fresh:
        x = torch.full((1,), 0.5, requires_grad=True)
        return Fresh(lambda: x, graph, count_nodes(graph(x)))

    return [
        Case("wide, added up: forward, recorded", lambda: forward(summed)),
        Case("wide, added up: backward", lambda: backward_of(torch, 1, summed)),
        Case("wide, stacked: forward, recorded", lambda: forward(stacked)),
        Case("wide, stacked: backward", lambda: backward_of(torch, 1, stacked)),
    ]


def diamonds(torch: Any) -> list[Case]:
    def doubled(x: Any) -> Any:
        for _ in range(30):
            x = x + x
        return x

    def ladder(x: Any) -> Any:
        half = torch.full((1,), 0.5)
        left = right = x
        for _ in range(LENGTH // 4):
            left, right = (left + right) * half, (left - right) * half
        return left + right

    def step(graph: Callable[[Any], Any]) -> Fresh:
        work = backward_of(torch, 1, graph)
        return Fresh(lambda: None, lambda _: work.sample(), work.units)

    return [
        Case("diamond y = y + y, 30 deep: backward", lambda: backward_of(torch, 1, doubled)),
        Case("diamond y = y + y, 30 deep: step", lambda: step(doubled)),
        Case("ladder of diamonds: backward", lambda: backward_of(torch, 1, ladder)),
        Case("ladder of diamonds: step", lambda: step(ladder)),
    ]


def many_parameters(torch: Any) -> list[Case]:
    """500 parameters of four elements: the first gradient is set, a later one is added."""

    def work(keep: bool) -> Fresh:
        factor = torch.full((4,), 1.001)
        parameters = [torch.full((4,), 0.5, requires_grad=True) for _ in range(500)]

        def forward() -> Any:
            total = (parameters[0] * factor).sum()
            for parameter in parameters[1:]:
                total = total + (parameter * factor).sum()
            return total

        def prepare() -> Any:
            for parameter in parameters:
                if keep and parameter.grad is not None:
                    parameter.grad.zero_()
                elif not keep:
                    parameter.grad = None
            return forward()

        def run(loss: Any) -> Any:
            loss.backward()
            return parameters[-1].grad

        return Fresh(prepare, run, count_nodes(forward()))

    return [
        Case("500 parameters: backward, .grad set", lambda: work(keep=False)),
        Case("500 parameters: backward, .grad added to", lambda: work(keep=True)),
    ]


def scalar_network(torch: Any) -> list[Case]:
    """Return a network of 0-dim tensors: forward, backward and parameter update."""

    def build() -> Fresh:
        widths = [3, 4, 4, 1]
        layers = [
            [
                [torch.tensor(0.1 * (i - j) + 0.05, requires_grad=True) for i in range(inputs + 1)]
                for j in range(outputs)
            ]
            for inputs, outputs in itertools.pairwise(widths)
        ]
        parameters = [p for layer in layers for neuron in layer for p in neuron]
        inputs = [torch.tensor(value) for value in (0.5, -1.0, 2.0)]
        target = torch.tensor(0.7)

        def forward() -> Any:
            values = inputs
            for layer in layers:
                following = []
                for *weights, bias in layer:
                    total = bias
                    for weight, value in zip(weights, values, strict=True):
                        total = total + weight * value
                    following.append(total.tanh())
                values = following
            error = values[0] - target
            return error * error

        def run(_: None) -> Any:
            for parameter in parameters:
                parameter.grad = None
            loss = forward()
            loss.backward()
            with torch.no_grad():
                for parameter in parameters:
                    parameter -= 0.01 * parameter.grad
            return loss

        return Fresh(lambda: None, run, count_nodes(forward()))

    def without_update() -> Fresh:
        x, y = (torch.tensor(value, requires_grad=True) for value in (0.3, 0.6))

        def forward() -> Any:
            a = x * y + x
            b = (a * a - y).tanh()
            return (b + a) * x

        def run(_: None) -> Any:
            x.grad = y.grad = None
            forward().backward()
            return x.grad

        return Fresh(lambda: None, run, count_nodes(forward()))

    return [
        Case("scalar MLP: step with update", build),
        Case("scalar expression: forward and backward", without_update),
    ]


# -- derivatives of derivatives, and calls that do little --------------------------------------


def double_backward(torch: Any) -> list[Case]:
    def graph(x: Any) -> Any:
        return links(torch, 1)["mixed constants"][0](x, 100)

    def recorded(x: Any) -> Any:
        return torch.autograd.grad(graph(x), x, create_graph=True)[0]

    def first() -> Fresh:
        x = torch.full((1,), 0.5, requires_grad=True)
        units = count_nodes(graph(x))

        def run(y: Any) -> Any:
            return torch.autograd.grad(y, x, create_graph=True)[0]

        return Fresh(lambda: graph(x), run, units)

    def second() -> Fresh:
        x = torch.full((1,), 0.5, requires_grad=True)
        units = count_nodes(recorded(x))
        return Fresh(lambda: recorded(x), lambda g: torch.autograd.grad(g, x)[0], units)

    return [
        Case("double backward: first, create_graph", first),
        Case("double backward: second", second),
    ]


def single_calls(torch: Any) -> list[Case]:
    """Return cases that measure the overhead of a call on a tiny graph."""

    def backward() -> Fresh:
        x = torch.tensor(0.5, requires_grad=True)

        def prepare() -> list[Any]:
            x.grad = None
            return [x * x for _ in range(100)]

        def run(losses: list[Any]) -> Any:
            for loss in losses:
                loss.backward()
            return x.grad

        return Fresh(prepare, run, 200)

    def grad() -> Repeated:
        x = torch.tensor(0.5, requires_grad=True)
        y = x * x
        return Repeated(lambda: torch.autograd.grad(y, x, retain_graph=True)[0])

    return [
        Case("call of backward() on two nodes", backward),
        Case("call of autograd.grad on one node", grad),
    ]
