"""Checks for optional modules."""

import importlib
import importlib.util

__all__ = ["_check_module_exists", "dill_available", "import_dill"]


def _check_module_exists(name):
    """Return True if a module exists, without importing it."""
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False


def dill_available():
    """Return True if the package dill is installed."""
    return _check_module_exists("dill")


def import_dill():
    """Return the package dill, or None if it is not installed."""
    if not dill_available():
        return None
    dill = importlib.import_module("dill")
    # importing dill changes the pickler of the standard library
    dill.extend(use_dill=False)
    return dill
