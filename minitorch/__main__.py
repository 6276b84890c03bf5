"""Command line: ``python -m minitorch`` with ``demo``, ``explain``, ``run``, ``trace`` or ``--version``.

A command is a module with a docstring, ``add_arguments(parser)`` and ``main(options)``, which
returns the exit status. `COMMANDS` lists the commands.
"""

from __future__ import annotations

import argparse
import sys

from minitorch import __version__
from minitorch.commands import demo, explain
from minitorch.commands import run as run_command
from minitorch.commands import trace as trace_command

COMMANDS = {"demo": demo, "explain": explain, "run": run_command, "trace": trace_command}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m minitorch")
    parser.add_argument("--version", action="version", version=f"minitorch {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command", required=True)
    for name, module in COMMANDS.items():
        summary = (module.__doc__ or "").split("\n")[0]
        command = commands.add_parser(name, help=summary, description=summary)
        module.add_arguments(command)
    options = parser.parse_args(arguments)
    return COMMANDS[options.command].main(options)


if __name__ == "__main__":
    sys.exit(main())
