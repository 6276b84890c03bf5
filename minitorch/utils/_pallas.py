"""Whether the kernels of JAX can be used: none are made here."""

from minitorch.utils._import_utils import _check_module_exists

__all__ = ["has_jax_package", "has_pallas", "has_pallas_package", "has_tpu_pallas"]


def has_jax_package():
    """Whether the package is there."""
    return _check_module_exists("jax")


def has_pallas_package():
    """Whether its language of kernels is there."""
    return has_jax_package() and _check_module_exists("jax.experimental.pallas")


def has_pallas():
    """Whether there is a device for such kernels."""
    return False


def has_tpu_pallas():
    """Whether that device is a TPU."""
    return False
