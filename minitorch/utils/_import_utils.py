"""Whether modules can be imported."""

import importlib.util

__all__ = ["_check_module_exists", "dill_available"]


def _check_module_exists(name):
    """Whether there is a module of this name; it is not imported."""
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False


def dill_available():
    """Whether the package dill is there."""
    return _check_module_exists("dill")
