"""PyTorch's file format since 1.6: an archive with a pickle and one record per storage."""

import io
import sys
import warnings

from minitorch._files.pickled_storages import (
    SavedStorages,
    checked_numel,
    decoded,
    dtype_of,
    pickler,
    unpickler,
)
from minitorch.autograd.meta import meta_storage
from minitorch.tensors.rebuilding import FakeModes
from minitorch.tensors.typed_storage import TypedStorage, UntypedStorage, is_storage, view_bytes
from minitorch.utils.serialization import config


def save(obj, archive, pickle_module, protocol, location_tag, no_byteorder, skip_data):
    """Write an object to an `ArchiveWriter`."""
    saved = SavedStorages(lambda cdata, count: str(count))

    def persistent_id(obj):
        if is_storage(obj):
            storage_class, key, location, numel = saved.describe(obj, location_tag)
            fake = obj.untyped()._fake_device
            return "storage", storage_class, key, location if fake is None else str(fake), numel
        return None

    data = io.BytesIO()
    pickler(pickle_module, data, protocol, persistent_id).dump(obj)
    archive.write_record("data.pkl", data.getvalue())
    archive.write_record(".format_version", b"1")
    archive.write_record(".storage_alignment", str(config.save.storage_alignment).encode())
    if not no_byteorder:
        archive.write_record("byteorder", sys.byteorder.encode())
    for key, (storage, _) in saved.by_key.items():
        data = bytes(storage.nbytes()) if skip_data else view_bytes(storage)
        archive.write_record(f"data/{key}", data)


def _must_swap(archive):
    if archive.has_record("byteorder"):
        order = archive.get_record("byteorder")
        if order not in (b"little", b"big"):
            raise ValueError("Unknown endianness type: " + order.decode("utf-8", "replace"))
        return order.decode() != sys.byteorder
    default = config.load.endianness
    if default is None and sys.byteorder == "big":
        warnings.warn(
            "The default load endianness for checkpoints without a byteorder mark on big endian machines "
            "was changed from 'native' to 'little' endian, to avoid this behavior please use "
            "torch.serialization.set_default_load_endianness to set the desired default load endianness",
            UserWarning,
            stacklevel=2,
        )
    name = "LITTLE" if default is None else default.name
    return name != "NATIVE" and name.lower() != sys.byteorder


def load(archive, restore_location, pickle_module, whole_file, skip_data, **arguments):
    """Read the object from an `ArchiveReader`.

    If `whole_file`, a storage of the whole file, is given, the tensors' storages are slices of it.
    """
    loaded = {}
    swap, fake = _must_swap(archive), FakeModes.entered() is not None
    if archive.has_record(".storage_alignment"):
        int(archive.get_record(".storage_alignment"))

    def read(key, dtype, nbytes):
        name = f"data/{key}"
        size = archive.record_size(name)
        if size != nbytes:
            raise RuntimeError(
                f"record size ({size} bytes) does not match expected size ({nbytes} bytes = {nbytes} "
                "elements * 1 bytes/element) for dtype Byte"
            )
        if restore_location.is_meta or fake:
            storage = meta_storage(nbytes)
            storage._checkpoint_offset = archive.get_record_offset(name)
            return storage
        if skip_data:
            return UntypedStorage(nbytes)
        if whole_file is not None:
            offset = archive.get_record_offset(name)
            storage = whole_file[offset : offset + nbytes]
        else:
            storage = UntypedStorage(archive._checked_size(name))
            archive.read_into(name, view_bytes(storage))
        if swap:
            storage.byteswap(dtype)
        return storage

    def persistent_load(saved_id):
        if not isinstance(saved_id, tuple):
            raise AssertionError(f"saved_id must be a tuple, got {type(saved_id).__name__}")
        typename = decoded(saved_id[0]) if saved_id else None
        if typename != "storage":
            raise AssertionError(
                f"Unknown typename for persistent_load, expected 'storage' but got '{typename}'"
            )
        _, storage_type, key, location, numel = saved_id
        if key not in loaded:
            dtype = dtype_of(storage_type)
            storage = read(key, dtype, checked_numel(numel, dtype))
            location = decoded(location)
            if fake:
                storage._fake_device = restore_location.fake_device(location)
            elif not restore_location.is_meta:
                storage = restore_location(storage, location)
            loaded[key] = TypedStorage(wrap_storage=storage, dtype=dtype, _internal=True)
        return loaded[key]

    data = io.BytesIO(archive.get_record("data.pkl"))
    return unpickler(pickle_module, data, persistent_load, **arguments).load()
