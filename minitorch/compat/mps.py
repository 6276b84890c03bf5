"""Apple GPUs, which are not supported; errors are those of a PyTorch build without them."""

__all__ = [
    "current_allocated_memory",
    "device_count",
    "driver_allocated_memory",
    "empty_cache",
    "get_rng_state",
    "is_available",
    "manual_seed",
    "seed",
    "synchronize",
]


def is_available():
    """Return False: MPS is not available."""
    return False


def device_count():
    """Return 0: there are no MPS devices."""
    return 0


def manual_seed(seed):
    """Seed the generator; no effect."""


def seed():
    """Seed the generator randomly; no effect."""


def _needs_mps(name, call):
    def function(*args, **kwargs):
        """Raise RuntimeError: there is no MPS."""
        raise RuntimeError(f"Cannot execute {call}() without MPS backend.")

    function.__name__ = function.__qualname__ = name
    return function


empty_cache = _needs_mps("empty_cache", "emptyCache")
synchronize = _needs_mps("synchronize", "deviceSynchronize")
current_allocated_memory = _needs_mps("current_allocated_memory", "currentAllocatedMemory")
driver_allocated_memory = _needs_mps("driver_allocated_memory", "driverAllocatedMemory")
get_rng_state = _needs_mps("get_rng_state", "getDefaultMPSGenerator")
