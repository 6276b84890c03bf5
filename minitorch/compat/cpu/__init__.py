"""The CPU by the names that other devices have."""

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
    """A queue of work; the CPU has one."""

    def __init__(self, priority=-1):
        pass

    def wait_stream(self, stream):
        """Wait for another: nothing is done."""


_stream = Stream()


def is_available():
    """Whether there is one: yes."""
    return True


def is_initialized():
    """Whether it was used: yes."""
    return True


def synchronize(device=None):
    """Wait for it: everything is done when a call returns."""


def current_stream(device=None):
    """The queue of work."""
    return _stream


class StreamContext(contextlib.AbstractContextManager):
    """Choose a stream for a block: nothing is done."""

    def __init__(self, stream):
        self.stream = stream

    def __exit__(self, *error):
        return None


def stream(stream):
    """Choose a stream for a block: nothing is done."""
    return StreamContext(stream)


def _is_avx2_supported():
    """Whether the processor has AVX2."""
    return get_capabilities().get("avx2", False)


def _is_avx512_supported():
    """Whether the processor has AVX-512, with what servers have of it."""
    return cpu_capability() == "AVX512"


def device_count():
    """How many there are, for PyTorch: one."""
    return 1


def set_device(device):
    """Choose one: nothing is done."""


def current_device():
    """Which one is used."""
    return "cpu"
