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
    """Byte orders for files without a byte order mark.

    Parameters
    ----------
    value : int
        The number of a member; ``LoadEndianness(1)`` is one.
    names, module, qualname, type, start, boundary : optional
        The other arguments of Python's enumerations, which create a new one.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.serialization.LoadEndianness(1)
    <LoadEndianness.NATIVE: 1>
    """

    NATIVE = 1
    LITTLE = 2
    BIG = 3


def get_default_load_endianness():
    """Return the byte order assumed for files without a mark; None means little-endian.

    Returns
    -------
    LoadEndianness or None
        None by default, of no byte order; see `set_default_load_endianness` for the type.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.serialization.get_default_load_endianness() is None
    True
    """
    return config.load.endianness


def set_default_load_endianness(endianness):
    """Set the byte order assumed for files without a mark.

    Parameters
    ----------
    endianness : LoadEndianness or None

    Raises
    ------
    TypeError
        If the argument is of another type.

    Examples
    --------
    >>> import minitorch as torch
    >>> S = torch.serialization
    >>> S.set_default_load_endianness(S.LoadEndianness.BIG)
    >>> S.get_default_load_endianness()
    <LoadEndianness.BIG: 3>
    >>> S.set_default_load_endianness(None)
    """
    if not isinstance(endianness, LoadEndianness) and endianness is not None:
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    config.load.endianness = endianness


def get_crc32_options():
    """Return whether `save` writes checksums.

    Returns
    -------
    bool
        True by default.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.serialization.get_crc32_options()
    True
    """
    return config.save.compute_crc32


def set_crc32_options(compute_crc32):
    """Set whether `save` writes checksums.

    Parameters
    ----------
    compute_crc32 : bool
        True by default.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.serialization.set_crc32_options(False)
    >>> torch.serialization.get_crc32_options()
    False
    >>> torch.serialization.set_crc32_options(True)
    """
    config.save.compute_crc32 = compute_crc32


def get_default_mmap_options():
    """Return the flag for ``load(mmap=True)``: ``mmap.MAP_PRIVATE`` or ``mmap.MAP_SHARED``.

    Returns
    -------
    int
        ``mmap.MAP_PRIVATE`` by default.

    Examples
    --------
    >>> import minitorch as torch
    >>> import mmap
    >>> torch.serialization.get_default_mmap_options() == mmap.MAP_PRIVATE
    True
    """
    return config.load.mmap_flags


class set_default_mmap_options:
    """Set the flag for ``load(mmap=True)``; as a context manager, restore it at the end.

    Parameters
    ----------
    flags : int
        ``mmap.MAP_PRIVATE`` keeps changes in memory, ``mmap.MAP_SHARED`` writes them to the file.

    Raises
    ------
    ValueError
        If it is another flag.

    Examples
    --------
    >>> import minitorch as torch
    >>> import mmap
    >>> with torch.serialization.set_default_mmap_options(mmap.MAP_SHARED):
    ...     torch.serialization.get_default_mmap_options() == mmap.MAP_SHARED
    True
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

    Examples
    --------
    >>> import minitorch as torch
    >>> import io
    >>> file = io.BytesIO()
    >>> with torch.serialization.skip_data():
    ...     torch.save(torch.ones(2), file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    tensor([0., 0.])
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
