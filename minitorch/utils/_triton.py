"""Availability of Triton: there is no device that it could compile for."""

from minitorch.utils._import_utils import _check_module_exists

__all__ = ["has_triton", "has_triton_package"]


def has_triton_package():
    """Return True if the package is installed."""
    return _check_module_exists("triton")


def has_triton():
    """Return False, since there is no supported device."""
    return False
