"""Mistakes, a line of Python each, that must be told alike under minitorch and under PyTorch.

A line is as those of `tests.expressions`: statements with ``;;`` between them, and an expression.
"""

import functools

from tests.both import compare, outcome, real
from tests.expressions import lines


def mistakes(prelude, text):
    """The lines of a table; the functions of `prelude`, a program that knows `torch`, are known to each."""
    return [functools.partial(_run, prelude, line) for line in lines(text)]


def _run(prelude, line, torch):
    names = {"torch": torch}
    exec(prelude, names)
    statements, _, expression = line.rpartition(";;")
    exec("\n".join(part.strip() for part in statements.split(";;")), names)
    return eval(expression.strip(), names)


def named(mistake):
    """The line, as the name of a test."""
    return mistake.args[1]


def check_mistake(mistake):
    """Assert that PyTorch raises an error or warns, and that minitorch says the same."""
    kind, error, said = outcome(mistake, real)
    assert kind == "raised" or said, "PyTorch finds no mistake"
    # a line that cannot be read would fail alike in both
    assert error not in ("SyntaxError", "NameError"), said
    compare(mistake)
