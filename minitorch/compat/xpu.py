"""Intel GPUs, which are not supported; errors are those of a PyTorch build without them."""

__all__ = [
    "current_device",
    "device_count",
    "empty_cache",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "get_rng_state",
    "get_rng_state_all",
    "is_available",
    "is_bf16_supported",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "max_memory_allocated",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_reserved",
    "set_device",
    "set_rng_state",
    "set_rng_state_all",
    "synchronize",
]


def is_available():
    """Return False: no XPU is available."""
    return False


def is_initialized():
    """Return False: no XPU is initialized."""
    return False


def is_bf16_supported(including_emulation=True):
    """Return False: there is no XPU with bfloat16."""
    return False


def device_count():
    """Return 0: there are no XPUs."""
    return 0


def manual_seed(seed):
    """Seed the generator; no effect."""


def manual_seed_all(seed):
    """Seed all generators; no effect."""


def empty_cache():
    """Release cached memory; no effect."""


def memory_allocated(device=None):
    """Return 0 allocated bytes."""
    return 0


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated


def get_rng_state_all():
    """Return an empty list of generator states."""
    return []


def set_rng_state_all(new_states):
    """Set the states of all generators; raise if the list is not empty."""
    for state in new_states:
        set_rng_state(state)


def _needs_xpu(name):
    def function(*args, **kwargs):
        """Raise AssertionError: there is no XPU."""
        raise AssertionError("Torch not compiled with XPU enabled")

    function.__name__ = function.__qualname__ = name
    return function


current_device = _needs_xpu("current_device")
get_device_capability = _needs_xpu("get_device_capability")
get_device_name = _needs_xpu("get_device_name")
get_rng_state = _needs_xpu("get_rng_state")
mem_get_info = _needs_xpu("mem_get_info")
set_rng_state = _needs_xpu("set_rng_state")
get_device_properties = _needs_xpu("get_device_properties")
set_device = _needs_xpu("set_device")
synchronize = _needs_xpu("synchronize")
