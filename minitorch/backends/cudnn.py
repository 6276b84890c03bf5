"""Switches of cuDNN, kept as they are set."""

enabled = True
benchmark = False
deterministic = False
allow_tf32 = True


def is_available():
    """Whether there is a cuDNN: no."""
    return False


def version():
    """The version of cuDNN: None."""
    return None
