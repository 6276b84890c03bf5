"""Aligned blocks, kept in free lists by size class.

A block's size is rounded up to its class: multiples of 64 bytes up to 4 KiB, then four classes for
each power of two. A freed block goes to the head of its class's list (the block itself holds the
link), so that the next tensor of that size gets memory whose pages are mapped and whose lines are in
the cache: a fresh 40 MB result would cost some 10 ms of page faults. What the lists hold is bounded
by `_cache_limit`; beyond it blocks go back to the system.
"""

from libc.stdlib cimport free

cdef extern from "stdlib.h" nogil:
    void* aligned_alloc(size_t alignment, size_t size)

cdef struct Block:
    Block* next

cdef enum:
    ALIGNMENT = 64
    SMALL_CLASSES = 64                # 64, 128, ... 4096 bytes
    SMALL_LIMIT = 4096
    NUM_CLASSES = 256

cdef Block* _free_lists[NUM_CLASSES]
cdef size_t _allocated = 0            # bytes in blocks that are in use
cdef size_t _peak = 0
cdef size_t _cached = 0               # bytes in the free lists
cdef size_t _cache_limit = 512 << 20
cdef size_t _num_system_allocations = 0


cdef inline size_t _size_class(size_t nbytes, size_t* block_bytes) noexcept nogil:
    """Return the size class of a request, and write the size of its blocks to `block_bytes`."""
    cdef size_t index, power, step, quarter
    if nbytes <= SMALL_LIMIT:
        index = (nbytes + ALIGNMENT - 1) // ALIGNMENT
        if index == 0:
            index = 1
        block_bytes[0] = index * ALIGNMENT
        return index - 1
    power = 12
    while (<size_t>1 << (power + 1)) < nbytes:
        power += 1
    step = (<size_t>1 << power) >> 2
    quarter = (nbytes - (<size_t>1 << power) + step - 1) // step      # 1 to 4
    block_bytes[0] = (<size_t>1 << power) + quarter * step
    return SMALL_CLASSES + 4 * (power - 12) + quarter - 1


cdef void* allocate(size_t nbytes) except NULL:
    global _allocated, _peak, _cached, _num_system_allocations
    cdef size_t block_bytes
    cdef size_t index
    cdef Block* block
    if nbytes > (<size_t>1 << 46):
        raise _out_of_memory(nbytes)
    index = _size_class(nbytes, &block_bytes)
    block = _free_lists[index]
    if block != NULL:
        _free_lists[index] = block.next
        _cached -= block_bytes
    else:
        block = <Block*>aligned_alloc(ALIGNMENT, block_bytes)
        if block == NULL:
            _empty_cache()
            block = <Block*>aligned_alloc(ALIGNMENT, block_bytes)
            if block == NULL:
                raise _out_of_memory(nbytes)
        _num_system_allocations += 1
    _allocated += block_bytes
    if _allocated > _peak:
        _peak = _allocated
    return block


cdef void deallocate(void* pointer, size_t nbytes) noexcept:
    global _allocated, _cached
    cdef Block* block = <Block*>pointer
    cdef size_t block_bytes
    cdef size_t index = _size_class(nbytes, &block_bytes)
    _allocated -= block_bytes
    if _cached + block_bytes > _cache_limit:
        free(block)
        return
    block.next = _free_lists[index]
    _free_lists[index] = block
    _cached += block_bytes


cdef object _out_of_memory(size_t nbytes):
    return RuntimeError(
        f"[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: "
        f"you tried to allocate {nbytes} bytes. Error code 12 (Cannot allocate memory)")


cdef void _empty_cache() noexcept:
    global _cached
    cdef int index
    cdef Block* block
    for index in range(NUM_CLASSES):
        while _free_lists[index] != NULL:
            block = _free_lists[index]
            _free_lists[index] = block.next
            free(block)
    _cached = 0


def empty_cache():
    """Give the memory of the free lists back to the system.

    Examples
    --------
    >>> from minitorch.core import allocator
    >>> allocator.empty_cache()
    >>> allocator.memory_stats()["cached_bytes"]
    0
    """
    _empty_cache()


def memory_stats():
    """Return how much memory is in use and in the free lists, and how often memory came from the system.

    Returns
    -------
    dict
        ``allocated_bytes``, ``peak_bytes``, ``cached_bytes``, ``cache_limit_bytes`` (all in bytes) and
        ``num_system_allocations``.
    """
    return {
        "allocated_bytes": _allocated,
        "peak_bytes": _peak,
        "cached_bytes": _cached,
        "cache_limit_bytes": _cache_limit,
        "num_system_allocations": _num_system_allocations,
    }


def reset_peak_memory_stats():
    """Reset the peak to the memory that is in use now."""
    global _peak
    _peak = _allocated


def set_cache_limit(size_t nbytes):
    """Keep at most `nbytes` bytes of freed blocks; with 0 every block goes back to the system at once."""
    global _cache_limit
    _cache_limit = nbytes
    if _cached > nbytes:
        _empty_cache()
