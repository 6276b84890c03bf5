"""Memory statistics of GPUs, which are all zero."""

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
    """Release cached GPU memory; no effect."""


def memory_allocated(device=None):
    """Return 0 allocated bytes."""
    return 0


def max_memory_allocated(device=None):
    """Return 0 as the peak of allocated bytes."""
    return 0


def memory_reserved(device=None):
    """Return 0 reserved bytes."""
    return 0


def max_memory_reserved(device=None):
    """Return 0 as the peak of reserved bytes."""
    return 0


memory_cached = memory_reserved
max_memory_cached = max_memory_reserved


def memory_stats(device=None):
    """Return empty memory statistics."""
    return OrderedDict()


def reset_peak_memory_stats(device=None):
    """Reset the peak statistics; no effect."""


reset_max_memory_allocated = reset_max_memory_cached = reset_peak_memory_stats

caching_allocator_alloc = needs_cuda("caching_allocator_alloc")
mem_get_info = needs_cuda("mem_get_info")
get_per_process_memory_fraction = needs_cuda("get_per_process_memory_fraction")
set_per_process_memory_fraction = needs_cuda("set_per_process_memory_fraction")
