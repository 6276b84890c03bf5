"""Messages to PyTorch's makers; none are sent."""

__all__ = ["open_source_signpost"]


def open_source_signpost(subsystem, name, parameters=None):
    """Send that something happened: nothing is sent."""
