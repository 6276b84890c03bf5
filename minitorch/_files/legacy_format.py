"""PyTorch's file format before 1.6: five pickles in sequence, followed by the storages."""

import inspect
import io
import struct
import sys
import warnings

from minitorch._files.global_names import name_of
from minitorch._files.pickled_storages import (
    SavedStorages,
    checked_numel,
    decoded,
    dtype_of,
    pickler,
    unpickler,
)
from minitorch.autograd.meta import meta_storage
from minitorch.nn.modules.module import Module
from minitorch.tensors.rebuilding import FakeModes, memory_comes_later
from minitorch.tensors.tensor_types import typename as typename_of
from minitorch.tensors.typed_storage import TypedStorage, UntypedStorage, is_storage, view_bytes

MAGIC_NUMBER = 0x1950A86A20F9469CFC6C
PROTOCOL_VERSION = 1001
_SIZES = {"short": 2, "int": 4, "long": 4}


def save(obj, file, pickle_module, protocol, location_tag):
    """Write an object to a file in the legacy format."""
    saved = SavedStorages(lambda cdata, count: str(cdata))
    sources = set()

    def persistent_id(obj):
        if isinstance(obj, type) and issubclass(obj, Module):
            if obj in sources:
                return None
            sources.add(obj)
            return ("module", obj, *_source_of(obj))
        if is_storage(obj):
            storage_class, key, location, numel = saved.describe(obj, location_tag)
            return "storage", storage_class, key, location, numel, None
        return None

    system = {
        "protocol_version": PROTOCOL_VERSION,
        "little_endian": sys.byteorder == "little",
        "type_sizes": _SIZES,
    }
    for value in (MAGIC_NUMBER, PROTOCOL_VERSION, system):
        pickle_module.dump(value, file, protocol=protocol)
    pickler(pickle_module, file, protocol, persistent_id).dump(obj)
    keys = sorted(saved.by_key)
    pickle_module.dump(keys, file, protocol=protocol)
    file.flush()
    for key in keys:
        storage, dtype = saved.by_key[key]
        file.write(struct.pack("<q", storage.nbytes() // dtype.itemsize))
        if sys.byteorder == "big":
            storage = storage.clone()
            storage.byteswap(dtype)
        file.write(view_bytes(storage))


class SourceChangeWarning(Warning):
    """Warning that the source of a class has changed since the file was written.

    Only files that keep the source of classes, a format of the type before zip files, can cause it.

    Examples
    --------
    >>> import minitorch as torch
    >>> issubclass(torch.serialization.SourceChangeWarning, Warning)
    True
    """


SourceChangeWarning.__module__ = "minitorch.serialization"


def _source_of(module_class):
    if name_of(module_class) is not None:
        return None, None  # PyTorch would compare it with its own source
    try:
        return inspect.getsourcefile(module_class), inspect.getsource(module_class)
    except (OSError, TypeError):
        warnings.warn(
            f"Couldn't retrieve source code for container of type {module_class.__name__}. It won't be "
            "checked for correctness upon loading.",
            stacklevel=2,
        )
        return None, None


def _check_source(module_class, source_file, source):
    if source_file is None or source is None or name_of(module_class) is not None:
        return
    if _source_of(module_class)[1] not in (None, source):
        warnings.warn(
            f"source code of class '{typename_of(module_class)}' has changed. you can retrieve the original "
            "source code by accessing the object's source attribute or set "
            "`torch.nn.Module.dump_patches = True` and use the patch tool to revert the changes.",
            SourceChangeWarning,
            stacklevel=4,
        )


def load(file, restore_location, pickle_module, skip_data, **arguments):
    """Read an object from a file in the legacy format."""
    loaded, fake = {}, FakeModes.entered() is not None
    room = _end_of(file)  # upper bound for the bytes of all storages

    def persistent_load(saved_id):
        if not isinstance(saved_id, tuple):
            raise AssertionError(f"saved_id must be a tuple, got {type(saved_id).__name__}")
        typename = decoded(saved_id[0]) if saved_id else None
        if typename == "module":
            _check_source(*saved_id[1:])
            return saved_id[1]
        if typename != "storage":
            raise RuntimeError(f"Unknown saved id type: {typename}")
        _, storage_type, key, location, numel, view = saved_id
        dtype = dtype_of(storage_type)
        nbytes = checked_numel(numel, dtype)
        if key not in loaded:
            nonlocal room
            room -= nbytes
            if room < 0:
                raise RuntimeError(_end_reached(-room))
            storage = (
                meta_storage(nbytes)
                if fake
                else restore_location(UntypedStorage(nbytes), decoded(location))
            )
            loaded[key] = TypedStorage(wrap_storage=storage, dtype=dtype, _internal=True)
        if view is None:
            return loaded[key]
        view_key, offset, size = view
        if view_key not in loaded:
            start = checked_numel(offset, dtype)
            part = loaded[key].untyped()[start : start + checked_numel(size, dtype)]
            loaded[view_key] = TypedStorage(wrap_storage=part, dtype=dtype, _internal=True)
        return loaded[view_key]

    def plain():
        return pickle_module.load(file, **arguments)

    if plain() != MAGIC_NUMBER:
        raise RuntimeError("Invalid magic number; corrupt file?")
    version = plain()
    if version != PROTOCOL_VERSION:
        raise RuntimeError(f"Invalid protocol version: {version}")
    plain()
    with memory_comes_later():
        result = unpickler(pickle_module, file, persistent_load, **arguments).load()
        for key in plain():
            if key not in loaded:
                raise AssertionError(f"storage key {key!r} not found in deserialized_objects")
            if not skip_data and not fake:
                _read_storage(file, loaded[key])
    return result


def _end_of(file):
    position = file.tell()
    end = file.seek(0, io.SEEK_END)
    file.seek(position)
    return end


def _end_reached(missing):
    return f"unexpected EOF, expected {missing} more bytes. The file might be corrupted."


def _fill(file, memory):
    """Fill a buffer from a file, with ``readinto`` if the file has it."""
    done = 0
    while done < len(memory):
        if hasattr(file, "readinto"):
            count = file.readinto(memory[done:])
        else:
            data = file.read(len(memory) - done)
            count = len(data)
            memory[done : done + count] = data
        if not count:
            raise RuntimeError(_end_reached(len(memory) - done))
        done += count


def _read_storage(file, storage):
    head = file.read(8)
    if len(head) != 8:
        raise RuntimeError(_end_reached(8 - len(head)))
    numel = struct.unpack("<q", head)[0]
    if numel != len(storage):
        raise RuntimeError(
            f"storage has wrong byte size: expected {storage.nbytes()} got "
            f"{numel * storage.element_size()}"
        )
    _fill(file, view_bytes(storage.untyped()))
    if sys.byteorder == "big":
        storage.untyped().byteswap(storage.dtype)
