"""A context manager for the switches of a module."""

import contextlib
import sys


@contextlib.contextmanager
def switched(module, **values):
    """Set attributes of a module, given by name, in a block; None leaves one unchanged."""
    module = sys.modules[module]
    values = {name: value for name, value in values.items() if value is not None}
    before = {name: getattr(module, name) for name in values}
    vars(module).update(values)
    try:
        yield
    finally:
        vars(module).update(before)
