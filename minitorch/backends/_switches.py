"""Switches of a module that a block can set."""

import contextlib
import sys


@contextlib.contextmanager
def switched(module, **values):
    """Set attributes of a module, by its name, for a block; None leaves one as it is."""
    module = sys.modules[module]
    values = {name: value for name, value in values.items() if value is not None}
    before = {name: getattr(module, name) for name in values}
    vars(module).update(values)
    try:
        yield
    finally:
        vars(module).update(before)
