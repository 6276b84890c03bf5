"""Run a program, and write down what its first backward() does: text, JSON, a picture and a page.

The program runs as with `python -m minitorch run`. A `FirstBackward` object replaces the engine
until the first backward pass is over, then saves the trace. Without a program, the demo's network
takes one step.
"""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from minitorch.autograd.graph import Variable
from minitorch.autograd.observe.program_recording import GlobalNames
from minitorch.autograd.observe.tracing import trace
from minitorch.commands import demo
from minitorch.namespace.as_torch import install_as_torch, uninstall_as_torch

MAX_VALUES = 64  # elements of a tensor whose values are recorded for a page


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
    parser.add_argument(
        "--html",
        action="store_true",
        help="also write a page that plays the backward pass, with the values of small tensors",
    )


def main(options: argparse.Namespace) -> int:
    if options.program is None and demo.lacks(["sklearn"]):
        return 1
    engine = FirstBackward(options.output, options.program, options.html)
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
    program : str, optional
        The program, whose variables give tensors their names.
    html : bool
        Record values, and write a page too.
    """

    def __init__(self, output: Path, program: str | None = None, html: bool = False) -> None:
        self.output = output
        self.program = program or demo.__file__
        self.engine = Variable._execution_engine
        self.trace: Any = trace(values=MAX_VALUES if html else None, program=self.program)
        self.endings = (".txt", ".json", ".svg", ".html") if html else (".txt", ".json", ".svg")
        self.written = False

    def start(self) -> None:
        self.trace.__enter__()
        Variable._execution_engine = self

    def run_backward(self, *arguments: Any, **keywords: Any) -> Any:
        self.trace._names = GlobalNames(variables_of(self.program))
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
        for ending in self.endings:
            self.trace.save(self.output.with_name(self.output.name + ending))
        self.written = True
        files = ", ".join([f"{self.output}{self.endings[0]}", *self.endings[1:]])
        print(f"{len(self.trace.events)} events of the first backward() in {files}")


def variables_of(program: str) -> dict[str, Any]:
    """Return the variables of the innermost frame of a program, and its global ones."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == program:
            return {**frame.f_globals, **frame.f_locals}
        frame = frame.f_back
    return {}
