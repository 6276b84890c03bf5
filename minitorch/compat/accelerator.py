"""The current accelerator, of which there is none."""

__all__ = ["current_accelerator", "device_count", "is_available"]

_NONE = "Cannot access accelerator device when none is available."


def is_available():
    """Return False: no accelerator is available."""
    return False


def device_count():
    """Return 0: there are no accelerators."""
    return 0


def current_accelerator(check_available=False):
    """Return None: there is no accelerator."""
    return None


def _needs_one(name):
    def function(*args, **kwargs):
        """Raise RuntimeError: there is no accelerator."""
        raise RuntimeError(_NONE)

    function.__name__ = function.__qualname__ = name
    return function


current_device_index = _needs_one("current_device_index")
empty_cache = _needs_one("empty_cache")
get_device_capability = _needs_one("get_device_capability")
get_memory_info = _needs_one("get_memory_info")
max_memory_allocated = _needs_one("max_memory_allocated")
max_memory_reserved = _needs_one("max_memory_reserved")
memory_allocated = _needs_one("memory_allocated")
memory_reserved = _needs_one("memory_reserved")
memory_stats = _needs_one("memory_stats")
reset_peak_memory_stats = _needs_one("reset_peak_memory_stats")
current_stream = _needs_one("current_stream")
set_device_index = _needs_one("set_device_index")
synchronize = _needs_one("synchronize")
