"""Meta's accelerators: there is none."""

__all__ = ["device_count", "is_available", "is_initialized"]


def is_available():
    """Whether there is one: no."""
    return False


def is_initialized():
    """Whether one was used: no."""
    return False


def device_count():
    """How many there are: none."""
    return 0
