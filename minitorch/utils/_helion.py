"""Whether the language of kernels Helion can be used: there is no device for it."""

from minitorch.utils._import_utils import _check_module_exists

__all__ = ["has_helion", "has_helion_package"]


def has_helion_package():
    """Whether the package is there."""
    return _check_module_exists("helion")


def has_helion():
    """Whether kernels can be written in it."""
    return False
