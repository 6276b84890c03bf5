"""Run a program, and write down what its first backward() does: text, JSON and a picture.

The program runs as with `python -m minitorch run`. A `FirstBackward` object replaces the engine
until the first backward pass is over, then saves the trace. Without a program, the demo's network
takes one step.
"""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path
from typing import Any

from minitorch.autograd.graph import Variable
from minitorch.autograd.observe.tracing import trace
from minitorch.commands import demo
from minitorch.namespace.as_torch import install_as_torch, uninstall_as_torch


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "program",
        nargs="?",
        help="a Python file that uses PyTorch or minitorch; the demo's network if there is none",
    )
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the program's own arguments")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("backward"),
        help="where to write, without the ending: .txt, .json and .svg are added (%(default)s)",
    )


def main(options: argparse.Namespace) -> int:
    if options.program is None and demo.lacks(["sklearn"]):
        return 1
    engine = FirstBackward(options.output)
    engine.start()
    try:
        if options.program is None:
            one_step_of_the_demo()
        else:
            run(options.program, options.arguments)
    finally:
        engine.stop()
    if not engine.written:
        print("the program has called no backward()", file=sys.stderr)
        return 1
    return 0


def run(program: str, arguments: list[str]) -> None:
    """Run a file as ``python file arguments`` would, where ``import torch`` means minitorch."""
    before = sys.argv, sys.path[0]
    sys.argv, sys.path[0] = [program, *arguments], str(Path(program).resolve().parent)
    install_as_torch()
    try:
        runpy.run_path(program, run_name="__main__")
    finally:
        uninstall_as_torch()
        sys.argv, sys.path[0] = before


def one_step_of_the_demo() -> None:
    """Run the first batch of the demo forward and backward."""
    from minitorch.nn.functional import cross_entropy

    network = demo.Perceptron()
    images, labels = next(demo.batches(demo.load(seed=0)))
    cross_entropy(network(images, training=True), labels).backward()


class FirstBackward:
    """A wrapper of the engine that traces one backward pass and then restores the engine.

    Parameters
    ----------
    output : Path
        The common path of the files, without an ending.
    """

    def __init__(self, output: Path) -> None:
        self.output = output
        self.engine = Variable._execution_engine
        self.trace: Any = trace()
        self.written = False

    def start(self) -> None:
        self.trace.__enter__()
        Variable._execution_engine = self

    def run_backward(self, *arguments: Any, **keywords: Any) -> Any:
        try:
            return self.engine.run_backward(*arguments, **keywords)
        finally:
            self.stop()
            self.write()

    def queue_callback(self, callback: Any) -> None:
        self.engine.queue_callback(callback)

    def is_checkpoint_valid(self) -> bool:
        return self.engine.is_checkpoint_valid()

    def stop(self) -> None:
        if Variable._execution_engine is self:
            Variable._execution_engine = self.engine
            self.trace.__exit__(None, None, None)

    def write(self) -> None:
        for ending in (".txt", ".json", ".svg"):
            self.trace.save(self.output.with_name(self.output.name + ending))
        self.written = True
        print(
            f"{len(self.trace.events)} events of the first backward() in {self.output}.txt, .json, .svg"
        )
