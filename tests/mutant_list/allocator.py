"""Mutants of `core/allocator.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "core/allocator.pyx",
        (
            "        index = (nbytes + ALIGNMENT - 1) // ALIGNMENT\n",
            "        index = nbytes // ALIGNMENT\n",
            "blocks are too small",
        ),
        ("        return index - 1\n", "        return 0\n", "all small blocks are of one class"),
        (
            "    while (<size_t>1 << (power + 1)) < nbytes:\n",
            "    while (<size_t>1 << (power + 1)) <= nbytes:\n",
            "the class of a power of two",
        ),
        (
            "    step = (<size_t>1 << power) >> 2\n",
            "    step = (<size_t>1 << power) >> 1\n",
            "large blocks are larger than they need to be",
        ),
        (
            "+ step - 1) // step      # 1 to 4",
            ") // step      # 1 to 4",
            "large blocks are too small",
        ),
        (
            "    return SMALL_CLASSES + 4 * (power - 12) + quarter - 1\n",
            "    return SMALL_CLASSES + 4 * (power - 12)\n",
            "large blocks of different sizes are of one class",
        ),
        (
            "    if nbytes > (<size_t>1 << 46):\n",
            "    if nbytes > (<size_t>1 << 47):\n",
            "the limit of a request",
            "the system refuses 2**46 bytes as well, with the same message",
        ),
        (
            "        _free_lists[index] = block.next\n        _cached -= block_bytes\n",
            "        _cached -= block_bytes\n",
            "a block is given out twice",
        ),
        (
            "        _free_lists[index] = block.next\n        _cached -= block_bytes\n",
            "        _free_lists[index] = block.next\n",
            "bytes in the free lists",
        ),
        (
            "            _empty_cache()\n            block = <Block*>aligned_alloc",
            "            block = <Block*>aligned_alloc",
            "the cache is not emptied when memory runs out",
        ),
        ("        _num_system_allocations += 1\n", "", "requests to the system"),
        ("    _allocated += block_bytes\n", "    _allocated += nbytes\n", "bytes in use"),
        (
            "    if _allocated > _peak:\n        _peak = _allocated\n    return",
            "    _peak = _allocated\n    return",
            "the peak",
        ),
        ("    _allocated -= block_bytes\n", "", "bytes in use after freeing"),
        (
            "    if _cached + block_bytes > _cache_limit:\n",
            "    if _cached > _cache_limit:\n",
            "the limit of the cache",
        ),
        (
            "    if _cached + block_bytes > _cache_limit:\n",
            "    if _cached + block_bytes >= _cache_limit:\n",
            "exactly the limit of the cache",
        ),
        (
            "    _free_lists[index] = block\n    _cached += block_bytes\n",
            "    _cached += block_bytes\n",
            "freed blocks are lost",
        ),
        (
            "    _free_lists[index] = block\n    _cached += block_bytes\n",
            "    _free_lists[index] = block\n",
            "bytes in the free lists after freeing",
        ),
        (
            "        while _free_lists[index] != NULL:\n",
            "        if _free_lists[index] != NULL:\n",
            "emptying frees one block of each class",
        ),
        (
            "    _cached = 0\n\n\ndef empty_cache",
            "\n\ndef empty_cache",
            "bytes in the free lists after emptying",
        ),
        (
            "    global _peak\n    _peak = _allocated\n",
            "    global _peak\n    _peak = 0\n",
            "the peak after it was reset",
        ),
        ("    _cache_limit = nbytes\n    if", "    if", "a new limit"),
        (
            "    if _cached > nbytes:\n        _empty_cache()\n",
            "",
            "a lower limit than what is cached",
        ),
        ('        "peak_bytes": _peak,\n', '        "peak_bytes": _allocated,\n', "the peak"),
    ),
]
