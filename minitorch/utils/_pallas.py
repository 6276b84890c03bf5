"""Availability of Pallas, the kernel language of JAX: there is no supported device."""

from minitorch.utils._import_utils import _check_module_exists

__all__ = ["has_jax_package", "has_pallas", "has_pallas_package", "has_tpu_pallas"]


def has_jax_package():
    """Return True if the package is installed."""
    return _check_module_exists("jax")


def has_pallas_package():
    """Return whether JAX and its kernel language Pallas are installed."""
    return has_jax_package() and _check_module_exists("jax.experimental.pallas")


def has_pallas():
    """Return False, since there is no supported device."""
    return False


def has_tpu_pallas():
    """Return False, since there is no supported device."""
    return False
