"""The switch of the attention fast path for inference."""

__all__ = ["get_fastpath_enabled", "set_fastpath_enabled"]

_switch = {"enabled": True}


def get_fastpath_enabled():
    """Return the value given to `set_fastpath_enabled`."""
    return _switch["enabled"]


def set_fastpath_enabled(value):
    """Set the switch of the fast path, which has no effect."""
    _switch["enabled"] = value
