"""The switch of NNPACK."""

from minitorch.backends._switches import switched

__all__ = ["flags", "is_available", "set_flags"]

enabled = True


def is_available():
    """Return False, since NNPACK is not available."""
    return False


def set_flags(_enabled):
    """Set the switch, and return its previous value."""
    global enabled
    before, enabled = enabled, _enabled
    return (before,)


def flags(enabled=False):
    """Return a context manager in which the switch is set."""
    return switched(__name__, enabled=enabled)
