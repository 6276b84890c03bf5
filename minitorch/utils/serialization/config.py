"""What `torch.save` and `torch.load` do unless they are told otherwise."""

from mmap import MAP_PRIVATE


class load:
    """Settings of `torch.load`."""

    mmap = False
    endianness = None
    mmap_flags = MAP_PRIVATE
    calculate_storage_offsets = False


class save:
    """Settings of `torch.save`."""

    compute_crc32 = True
    use_pinned_memory_for_d2h = False
    storage_alignment = 64
