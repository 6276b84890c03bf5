"""Picklers and unpicklers of files, which refer to storages by persistent ids.

Used by both formats, ``zip_format`` and ``legacy_format``.
"""

import pickle
import sys
from types import FunctionType

from minitorch._files import weights_only
from minitorch._files.global_names import Names, find, name_of
from minitorch.core.dtype import _dtypes
from minitorch.core.dtype import dtype as _dtype
from minitorch.tensors.rebuilding import ClassReference
from minitorch.tensors.storages_by_dtype import StorageType, _storage_class_of
from minitorch.tensors.typed_storage import TypedStorage, UntypedStorage

_uint8 = _dtypes()["uint8"]


_MEMOIZED = frozenset((str, tuple))
_PLAIN = _MEMOIZED | {bool, int, float, type(None)}


class SavedStorages:
    """Storages that a pickle refers to, by key."""

    def __init__(self, key_of):
        self.by_key = {}  # key -> (UntypedStorage, dtype)
        self._keys = {}
        self._dtypes = {}
        self._key_of = key_of

    def describe(self, storage, location):
        """Register a storage and return (class, key, location, number of elements)."""
        untyped = storage.untyped()
        typed = isinstance(storage, TypedStorage)
        dtype = storage.dtype if typed else _uint8
        in_memory = untyped.nbytes() and untyped.device.type != "meta"
        if in_memory and self._dtypes.setdefault(untyped.data_ptr(), dtype) is not dtype:
            raise RuntimeError(
                "Cannot save multiple tensors or storages that view the same data as different types"
            )
        cdata = untyped._cdata
        key = self._keys.setdefault(cdata, self._key_of(cdata, len(self._keys)))
        self.by_key[key] = (untyped, dtype)
        storage_class = _storage_class_of(dtype) if typed else UntypedStorage
        return storage_class, key, location(untyped), len(storage)


def pickler(pickle_module, file, protocol, persistent_id):
    """Return a pickler with this `persistent_id` that writes PyTorch's names for classes."""
    # a C pickler looks classes up in the module that they name, so it cannot write other names
    base = pickle._Pickler if pickle_module is pickle else pickle_module.Pickler
    named = hasattr(base, "save_global")

    class Pickler(base):
        def persistent_id(self, obj):
            return persistent_id(obj)

        def reducer_override(self, obj):
            if named and isinstance(obj, _dtype):
                return str(obj).removeprefix("torch.")
            if not named and isinstance(obj, type) and name_of(obj) is not None:
                return find, name_of(obj)
            override = getattr(super(), "reducer_override", None)
            return override(obj) if override is not None else NotImplemented

    if not named:
        return Pickler(file, protocol=protocol)

    class NamingPickler(Names, Pickler):
        dispatch = {
            **base.dispatch,
            **{kind: _naming(base.dispatch[kind]) for kind in (type, FunctionType)},
        }

        def save(self, obj, *args, **kwargs):
            kind = type(obj)
            if kind is ClassReference:
                obj = obj.cls  # write the class itself, by its name
            elif kind in _PLAIN and base is pickle._Pickler:
                # fast path for the most frequent types: skip the checks of the base class
                known = self.memo.get(id(obj)) if kind in _MEMOIZED else None
                if known is None:
                    self.dispatch[kind](self, obj)
                else:
                    self.write(self.get(known[0]))
                return
            super().save(obj, *args, **kwargs)

    return NamingPickler(file, protocol=protocol)


def _naming(save_other):
    """Return the entry of a Python pickler's dispatch table that saves classes or functions."""

    def save(self, obj):
        if save_other is pickle._Pickler.save_global or name_of(obj) is not None:
            self.save_global(obj)
        else:
            save_other(self, obj)

    return save


def unpickler(pickle_module, file, persistent_load, **arguments):
    """Return an unpickler that resolves PyTorch's names to minitorch's objects."""
    if pickle_module.Unpickler is weights_only.Unpickler:
        machine = pickle_module.Unpickler(file, **arguments)
        machine.persistent_load = persistent_load
        return machine

    # a program's own `find_class` is tried first if ``torch`` is minitorch
    own = pickle_module.Unpickler.find_class is not pickle.Unpickler.find_class

    class Unpickler(pickle_module.Unpickler):
        def find_class(self, module, name):
            if isinstance(name, str) and "Storage" in name:
                try:
                    return StorageType(name)
                except KeyError:
                    pass
            if module == "torch.tensor":
                module = "torch._tensor"
            if module == "torch" or module.startswith("torch."):
                if own and sys.modules.get("torch") is sys.modules["minitorch"]:
                    try:
                        return super().find_class(module, name)
                    except (ImportError, AttributeError):
                        pass  # a module that minitorch does not have
                return find(module, name)
            return super().find_class(module, name)

        def persistent_load(self, pid):
            return persistent_load(pid)

    return Unpickler(file, **arguments)


def dtype_of(storage_type):
    """Return the dtype of a storage class from a file."""
    if storage_type is UntypedStorage:
        return _uint8
    if isinstance(storage_type, type) and issubclass(storage_type, TypedStorage):
        return storage_type.dtype
    if not isinstance(storage_type, StorageType):
        raise pickle.UnpicklingError(f"{storage_type!r} is no type of storages")
    return storage_type.dtype


def decoded(text):
    """Return a string, decoded if Python 2 wrote it as bytes."""
    return text.decode("ascii") if isinstance(text, bytes) else text


def checked_numel(numel, dtype):
    """Return the size of `numel` elements in bytes; raise RuntimeError for an invalid number."""
    if type(numel) is not int or numel < 0 or numel * dtype.itemsize >= 1 << 63:
        raise RuntimeError(f"a storage cannot have {numel!r} elements of {dtype}")
    return numel * dtype.itemsize
