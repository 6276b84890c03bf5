"""Settings of `torch.save` and `torch.load`: byte order, checksums, memory maps, `skip_data`."""

import threading
from enum import Enum
from mmap import MAP_PRIVATE, MAP_SHARED

from minitorch.utils.serialization import config


class _Local(threading.local):
    skip_data = False
    materialize_fake_tensors = False


_serialization_tls = _Local()


class LoadEndianness(Enum):
    """Byte orders for files without a byte order mark."""

    NATIVE = 1
    LITTLE = 2
    BIG = 3


def get_default_load_endianness():
    """Return the byte order assumed for files without a mark; None means little-endian."""
    return config.load.endianness


def set_default_load_endianness(endianness):
    """Set the byte order assumed for files without a mark.

    Parameters
    ----------
    endianness : LoadEndianness or None
    """
    if not isinstance(endianness, LoadEndianness) and endianness is not None:
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    config.load.endianness = endianness


def get_crc32_options():
    """Return whether `save` writes checksums."""
    return config.save.compute_crc32


def set_crc32_options(compute_crc32):
    """Set whether `save` writes checksums."""
    config.save.compute_crc32 = compute_crc32


def get_default_mmap_options():
    """Return the flag for ``load(mmap=True)``: ``mmap.MAP_PRIVATE`` or ``mmap.MAP_SHARED``."""
    return config.load.mmap_flags


class set_default_mmap_options:
    """Set the flag for ``load(mmap=True)``; as a context manager, restore it at the end.

    Parameters
    ----------
    flags : int
        ``mmap.MAP_PRIVATE`` keeps changes in memory, ``mmap.MAP_SHARED`` writes them to the file.
    """

    def __init__(self, flags):
        if flags not in (MAP_PRIVATE, MAP_SHARED):
            raise ValueError(
                "Invalid argument in function set_default_mmap_options, expected mmap.MAP_PRIVATE or "
                f"mmap.MAP_SHARED, but got {flags}"
            )
        self.prev = config.load.mmap_flags
        config.load.mmap_flags = flags

    def __enter__(self):
        pass

    def __exit__(self, type, value, traceback):
        config.load.mmap_flags = self.prev


class skip_data:
    """Context manager in which `save` writes zeros for storages and `load` does not read them.

    Parameters
    ----------
    materialize_fake_tensors : bool, default False
        Whether fake tensors are saved as tensors with zeroed storages.
    """

    def __init__(self, materialize_fake_tensors=False):
        self.materialize_fake_tensors = materialize_fake_tensors

    def __enter__(self):
        self._before = _serialization_tls.skip_data, _serialization_tls.materialize_fake_tensors
        _serialization_tls.skip_data = True
        _serialization_tls.materialize_fake_tensors = self.materialize_fake_tensors

    def __exit__(self, type, value, traceback):
        _serialization_tls.skip_data, _serialization_tls.materialize_fake_tensors = self._before


for _public in (
    LoadEndianness,
    get_default_load_endianness,
    set_default_load_endianness,
    get_crc32_options,
    set_crc32_options,
    get_default_mmap_options,
    set_default_mmap_options,
    skip_data,
):
    _public.__module__ = "minitorch.serialization"
