"""OpenMP."""

__all__ = ["is_available"]


def is_available():
    """Whether kernels run in its threads: yes."""
    return True
