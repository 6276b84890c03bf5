"""Intel's GPUs: there is none. What needs one raises what PyTorch built without it raises."""

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


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated


def get_rng_state_all():
    """The states of all generators: none."""
    return []


def set_rng_state_all(new_states):
    """Set the states of all generators, of which there are none."""
    for state in new_states:
        set_rng_state(state)


def _needs_xpu(name):
    def function(*args, **kwargs):
        """Raises AssertionError: there is no XPU."""
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
