"""Availability of Helion: there is no supported device."""

from minitorch.utils._import_utils import _check_module_exists

__all__ = ["has_helion", "has_helion_package"]


def has_helion_package():
    """Return True if the package is installed."""
    return _check_module_exists("helion")


def has_helion():
    """Return False, since there is no supported device."""
    return False
