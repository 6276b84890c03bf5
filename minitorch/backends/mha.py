"""The fast path of attention at evaluation."""

__all__ = ["get_fastpath_enabled", "set_fastpath_enabled"]

_switch = {"enabled": True}


def get_fastpath_enabled():
    """What `set_fastpath_enabled` was given."""
    return _switch["enabled"]


def set_fastpath_enabled(value):
    """Allow a fast path; there is one way here, and it is taken."""
    _switch["enabled"] = value
