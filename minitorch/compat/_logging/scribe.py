"""Telemetry to PyTorch's developers, which is never sent."""

__all__ = ["open_source_signpost"]


def open_source_signpost(subsystem, name, parameters=None):
    """Report an event; no effect."""
