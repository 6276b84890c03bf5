"""The CPU with the interface of other devices."""

import contextlib

from minitorch.cpu import amp
from minitorch.namespace.capabilities import cpu_capability, get_capabilities

__all__ = [
    "Stream",
    "StreamContext",
    "current_device",
    "current_stream",
    "device_count",
    "get_capabilities",
    "is_available",
    "is_initialized",
    "set_device",
    "stream",
    "synchronize",
]


class Stream:
    """Stream of the CPU, which executes calls immediately."""

    def __init__(self, priority=-1):
        pass

    def wait_stream(self, stream):
        """Wait for another stream; no effect."""


_stream = Stream()


def is_available():
    """Return True: the CPU is always available."""
    return True


def is_initialized():
    """Return True: the CPU is always initialized."""
    return True


def synchronize(device=None):
    """Wait for pending work; no effect, because calls are synchronous."""


def current_stream(device=None):
    """Return the only stream."""
    return _stream


class StreamContext(contextlib.AbstractContextManager):
    """Context manager that selects a stream; no effect."""

    def __init__(self, stream):
        self.stream = stream

    def __exit__(self, *error):
        return None


def stream(stream):
    """Return a context manager that selects a stream; no effect."""
    return StreamContext(stream)


def _is_avx2_supported():
    """Return whether the processor supports AVX2."""
    return get_capabilities().get("avx2", False)


def _is_avx512_supported():
    """Return whether the processor has the AVX-512 capability of PyTorch."""
    return cpu_capability() == "AVX512"


def device_count():
    """Return 1, as PyTorch does."""
    return 1


def set_device(device):
    """Set the current device; no effect."""


def current_device():
    """Return the current device, ``"cpu"``."""
    return "cpu"
