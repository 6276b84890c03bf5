"""Apple's GPUs."""


def is_available():
    """Whether there is one that can be used: no."""
    return False


def is_built():
    """Whether support was compiled in: no."""
    return False
