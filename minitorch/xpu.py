"""Intel's GPUs: there is none. What needs one raises what PyTorch built without it raises."""

__all__ = [
    "current_device",
    "device_count",
    "empty_cache",
    "get_device_name",
    "get_device_properties",
    "is_available",
    "is_bf16_supported",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "memory_allocated",
    "set_device",
    "synchronize",
]


def is_available():
    """Whether there is one: no."""
    return False


def is_initialized():
    """Whether one was used: no."""
    return False


def is_bf16_supported(including_emulation=True):
    """Whether one computes in bfloat16: no."""
    return False


def device_count():
    """How many there are: none."""
    return 0


def manual_seed(seed):
    """Seed its generator: nothing is done."""


def manual_seed_all(seed):
    """Seed all generators: nothing is done."""


def empty_cache():
    """Give back cached memory: nothing is done."""


def memory_allocated(device=None):
    """Bytes in use: none."""
    return 0


def _needs_xpu(name):
    def function(*args, **kwargs):
        """Raises AssertionError: there is no XPU."""
        raise AssertionError("Torch not compiled with XPU enabled")

    function.__name__ = function.__qualname__ = name
    return function


current_device = _needs_xpu("current_device")
get_device_name = _needs_xpu("get_device_name")
get_device_properties = _needs_xpu("get_device_properties")
set_device = _needs_xpu("set_device")
synchronize = _needs_xpu("synchronize")
