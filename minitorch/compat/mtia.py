"""Meta's accelerators, which are not supported."""

__all__ = ["device_count", "is_available", "is_initialized"]


def is_available():
    """Return False: no accelerator is available."""
    return False


def is_initialized():
    """Return False: no accelerator is initialized."""
    return False


def device_count():
    """Return 0: there are no accelerators."""
    return 0
