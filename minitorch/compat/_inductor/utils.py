"""What the generator of kernels knows about devices."""

import minitorch
from minitorch.utils._ordered_set import OrderedSet

__all__ = [
    "GPU_TYPES",
    "OrderedSet",
    "get_gpu_shared_memory",
    "get_gpu_type",
    "is_big_gpu",
    "is_gpu",
]

GPU_TYPES = ["cuda", "mps", "xpu", "mtia"]


def get_gpu_type():
    """The kind of device that kernels would be for: the one that is there, or ``cuda``."""
    there = [name for name in GPU_TYPES if getattr(minitorch, name).is_available()]
    return there[0] if there else "cuda"


def get_gpu_shared_memory():
    """The bytes that threads of a device share: 0, there is none."""
    return 0


def is_gpu(device):
    """Whether the name is that of a kind of device beside the processor."""
    return device in GPU_TYPES


def is_big_gpu(index_or_device=0):
    """Whether a device has many multiprocessors: there is none."""
    return False
