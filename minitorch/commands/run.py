"""Run a PyTorch program on minitorch: ``import torch`` finds minitorch, and not a line changes.

``python -m minitorch run program.py arguments`` runs a file, ``python -m minitorch run -m package
arguments`` a module, as ``python`` itself would: with the same ``sys.argv``, ``sys.path[0]``,
``__main__`` and exit status. A traceback begins at the program's first line. With ``--nproc-per-node N``
before the program, N processes run it, as ``torchrun`` would start them.
"""

from __future__ import annotations

import argparse
import runpy
import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from io import open_code
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from minitorch.namespace.as_torch import install_as_torch

_MACHINERY = ("runpy.py", "<frozen runpy>", "<frozen importlib._bootstrap>")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = (
        "%(prog)s [-h] [--nproc-per-node N] program.py [arguments ...] | -m module [arguments ...]"
    )
    parser.add_argument(
        "--nproc-per-node",
        "--nproc_per_node",
        metavar="N",
        help="run N processes, which find each other with torch.distributed",
    )
    parser.add_argument(
        "-m",
        dest="module",
        nargs=argparse.REMAINDER,
        help="a module or package instead of a file, and its arguments",
    )
    parser.add_argument("program", nargs="?", help="a Python file that uses PyTorch")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the program's own arguments")


def main(options: argparse.Namespace) -> int:
    if options.nproc_per_node is not None:
        return run_on_several(options)
    if options.module:
        module, *arguments = options.module
        sys.path[0] = str(Path.cwd())
        return run(lambda: runpy.run_module(module, run_name="__main__", alter_sys=True), arguments)
    if options.program is None:
        print("run what? a file, or -m and a module", file=sys.stderr)
        return 2
    program = options.program
    # runpy runs folders, archives and compiled code, for which it sets the first entry of the path
    if not Path(program).is_file() or program.endswith((".pyc", ".zip", ".pyz")):
        return run(lambda: runpy.run_path(program, run_name="__main__"), options.arguments, program)
    sys.path[0] = str(Path(program).resolve().parent)
    return run(lambda: run_file(str(Path(program).absolute())), options.arguments, program)


def run_on_several(options: argparse.Namespace) -> int:
    """Start this command again in several processes; return the exit status."""
    from minitorch.distributed.run import launch, number_of_processes

    program = ["-m", *options.module] if options.module else [options.program, *options.arguments]
    if program == [None]:
        print("run what? a file, or -m and a module", file=sys.stderr)
        return 2
    command = ["-m", "minitorch", "run", *program]
    return launch(command, number_of_processes(options.nproc_per_node))


def run_file(path: str) -> None:
    """Run a file as the module ``__main__``; `runpy` would put its path into ``sys.argv[0]``."""
    main = ModuleType("__main__")
    main.__dict__.update(
        __file__=path, __cached__=None, __loader__=SourceFileLoader("__main__", path)
    )
    with open_code(path) as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    sys.modules["__main__"] = main
    exec(code, main.__dict__)


def run(start: Callable[[], Any], arguments: list[str], program: str = "-m") -> int:
    """Call `start` to run a program with minitorch as torch; return the exit status.

    SystemExit and KeyboardInterrupt propagate to the interpreter, which handles them.
    """
    sys.argv = [program, *arguments]
    install_as_torch()
    try:
        start()
    except Exception as error:  # noqa: BLE001 (whatever ended the program is reported)
        report(error)
        return 1
    return 0


def report(error: Exception) -> None:
    """Print the error that ended the program with `sys.excepthook`, which the program may set."""
    error.__traceback__ = frames_of_the_program(error.__traceback__)
    sys.excepthook(type(error), error, error.__traceback__)


def frames_of_the_program(frames: TracebackType | None) -> TracebackType | None:
    """Return the program's frames, without those of this file and runpy; None if there are none."""
    inner = frames
    while inner is not None:
        file = inner.tb_frame.f_code.co_filename
        if file != __file__ and not file.endswith(_MACHINERY):
            return inner
        inner = inner.tb_next
    return None
