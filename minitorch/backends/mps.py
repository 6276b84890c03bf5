"""Apple's GPUs."""


def is_available():
    """Whether there is one that can be used: no."""
    return False


def is_built():
    """Whether support was compiled in: no."""
    return False


def is_macos_or_newer(major, minor):
    """Whether the system is this macOS or a later one, with support compiled in: no."""
    return False


def is_macos13_or_newer(minor=0):
    """Whether the system is macOS 13 or later, with support compiled in: no."""
    return False
