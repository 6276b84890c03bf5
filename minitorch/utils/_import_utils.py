"""Whether modules can be imported."""

import importlib
import importlib.util

__all__ = ["_check_module_exists", "dill_available", "import_dill"]


def _check_module_exists(name):
    """Whether there is a module of this name; it is not imported."""
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False


def dill_available():
    """Whether the package dill is there."""
    return _check_module_exists("dill")


def import_dill():
    """The package dill, or None where it is missing."""
    if not dill_available():
        return None
    dill = importlib.import_module("dill")
    # importing it changes what the standard library's pickler does with everybody's objects
    dill.extend(use_dill=False)
    return dill
