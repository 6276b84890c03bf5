"""What the processor can do."""

__all__ = ["get_cpu_capability"]


def get_cpu_capability():
    """The instructions that are chosen without asking: the plain ones; NumPy chooses its own."""
    return "DEFAULT"
