"""Evaluate one line of Python under minitorch and under PyTorch, and compare.

A line may have statements before its expression, with ``;;`` between them. It sees `torch` (the
library), `np`, and four tensors: `x` (three ones), `m` (0 to 11 as 3 x 4), `i` (0 to 5, int64) and
`c` (complex). Both generators are seeded with 7.
"""

import re
import warnings

import numpy as np

from tests.both import compare


def describe(value):
    """Tensors as they are, anything else as its text, so that the two libraries' agree."""
    if isinstance(value, (list, tuple)):
        kind = type(value).__name__
        return [kind, *[describe(item) for item in value]]
    if hasattr(value, "untyped_storage"):
        return value
    return re.sub(r"0x[0-9a-f]+", "0x", repr(value)).replace("minitorch", "torch")


def evaluate(line, torch):
    """The described value of a line."""
    torch.manual_seed(7)
    names = {
        "torch": torch,
        "np": np,
        "x": torch.ones(3),
        "m": torch.arange(12.0).reshape(3, 4),
        "i": torch.arange(6),
        "c": torch.tensor([1 + 2j, -1j]),
    }
    statements, _, expression = line.rpartition(";;")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec("\n".join(part.strip() for part in statements.split(";;")), names)
        return describe(eval(expression.strip(), names))


def check(line, tolerance=1e-6):
    """Assert that the line does the same under both libraries."""
    # a line that cannot be read would fail alike in both
    for part in line.split(";;"):
        compile(part.strip(), line, "exec")
    compare(lambda torch: evaluate(line, torch), tolerance)


def lines(text):
    """The lines of a text that are not empty."""
    return [line.strip() for line in text.strip().splitlines() if line.strip()]
