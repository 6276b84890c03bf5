"""Device queries of the kernel generator."""

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
    """Return the available GPU type, or ``"cuda"`` if there is none."""
    there = [name for name in GPU_TYPES if getattr(minitorch, name).is_available()]
    return there[0] if there else "cuda"


def get_gpu_shared_memory():
    """Return 0, because there is no GPU with shared memory."""
    return 0


def is_gpu(device):
    """Return whether a device type is a GPU type."""
    return device in GPU_TYPES


def is_big_gpu(index_or_device=0):
    """Return False, because there are no GPUs."""
    return False
