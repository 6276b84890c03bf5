"""NVIDIA's sparse products."""

__all__ = ["get_max_alg_id", "is_available", "version"]


def is_available():
    """Whether the library is there: no."""
    return False


def version():
    """Its version: None."""
    return None


def get_max_alg_id():
    """How many ways it knows: None."""
    return None
