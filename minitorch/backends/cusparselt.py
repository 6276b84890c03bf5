"""Switches of NVIDIA's sparse products."""

__all__ = ["get_max_alg_id", "is_available", "version"]


def is_available():
    """Return False, since the library is not available."""
    return False


def version():
    """Return None, since the library is not available."""
    return None


def get_max_alg_id():
    """Return None, since the library is not available."""
    return None
