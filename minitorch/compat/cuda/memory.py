"""How much memory GPUs use: none."""

from collections import OrderedDict

from minitorch.cuda._none import needs_cuda

__all__ = [
    "empty_cache",
    "max_memory_allocated",
    "max_memory_cached",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_cached",
    "memory_reserved",
    "memory_stats",
    "reset_max_memory_allocated",
    "reset_max_memory_cached",
    "reset_peak_memory_stats",
]


def empty_cache():
    """Give back cached GPU memory: there is none, and nothing is done."""


def memory_allocated(device=None):
    """Bytes in use on a GPU: none."""
    return 0


def max_memory_allocated(device=None):
    """The most bytes that were in use on a GPU: none."""
    return 0


def memory_reserved(device=None):
    """Bytes kept of a GPU: none."""
    return 0


def max_memory_reserved(device=None):
    """The most bytes that were kept of a GPU: none."""
    return 0


memory_cached = memory_reserved
max_memory_cached = max_memory_reserved


def memory_stats(device=None):
    """Statistics of a GPU's memory: none."""
    return OrderedDict()


def reset_peak_memory_stats(device=None):
    """Start anew to look for the most bytes in use: nothing is done."""


reset_max_memory_allocated = reset_max_memory_cached = reset_peak_memory_stats

caching_allocator_alloc = needs_cuda("caching_allocator_alloc")
mem_get_info = needs_cuda("mem_get_info")
get_per_process_memory_fraction = needs_cuda("get_per_process_memory_fraction")
set_per_process_memory_fraction = needs_cuda("set_per_process_memory_fraction")
