"""NNPACK."""

from minitorch.backends._switches import switched

__all__ = ["flags", "is_available", "set_flags"]

enabled = True


def is_available():
    """Whether the library is there: no."""
    return False


def set_flags(_enabled):
    """Set the switch, and return it as it was."""
    global enabled
    before, enabled = enabled, _enabled
    return (before,)


def flags(enabled=False):
    """A context in which the switch is set."""
    return switched(__name__, enabled=enabled)
