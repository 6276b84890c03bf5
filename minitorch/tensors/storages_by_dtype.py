"""Storages by dtype: the classes with names such as ``FloatStorage``, and how files name them."""

import copyreg

from minitorch.core import types as _types
from minitorch.core.types import layout
from minitorch.tensors.typed_storage import (
    TypedStorage,
    UntypedStorage,
    _check_elements,
    _check_wrapping,
    legacy_names,
    warn_deprecated,
)

_dtypes_of_names = {name: dtype for dtype, name in legacy_names.items()}


def storage_names():
    """Return the storage names that files use for the element types, such as ``FloatStorage``."""
    return list(_dtypes_of_names)


_FORMS = """{cls}.__new__ received an invalid combination of arguments. Expected one of:
 * no arguments
 * (int size)
 * (Sequence data)
 * (*, UntypedStorage wrap_storage)
"""


class _LegacyStorageMeta(type):
    def __instancecheck__(cls, instance):
        return type(instance) is TypedStorage and instance.dtype is cls.dtype


class _LegacyStorage(TypedStorage, metaclass=_LegacyStorageMeta):
    """Base of the classes per element type, whose instances are of class `TypedStorage`."""

    def __new__(cls, *args, wrap_storage=None, dtype=None, device=None):
        if cls is _LegacyStorage:
            raise RuntimeError("Only child classes of _LegacyStorage can be instantiated")
        warn_deprecated()
        forms = _FORMS.format(cls=cls)
        for name, value in (("device", device), ("dtype", dtype)):
            if value is not None:
                raise RuntimeError(f"{forms}Keyword argument '{name}' cannot be specified")
        if wrap_storage is None:
            _check_elements(forms, args, cls.dtype)
        else:
            _check_wrapping(forms, args, wrap_storage, cls.dtype, None)
        return TypedStorage(*args, wrap_storage=wrap_storage, dtype=cls.dtype, _internal=True)

    @classmethod
    def _new_shared(cls, size):
        """Return a storage of `size` elements in memory that is shared with other processes."""
        storage = UntypedStorage._new_shared(size * cls.dtype.itemsize)
        return TypedStorage(wrap_storage=storage, dtype=cls.dtype, _internal=True)

    @classmethod
    def from_buffer(cls, *args, **kwargs):
        """Copy a buffer's bytes into a new storage, read as elements in the given byte order."""
        storage = UntypedStorage.from_buffer(*args, dtype=cls.dtype, **kwargs)
        return TypedStorage(wrap_storage=storage, dtype=cls.dtype, _internal=True)

    @classmethod
    def from_file(cls, filename, shared=False, size=0):
        """Map a file as a storage whose elements are read on access."""
        storage = UntypedStorage.from_file(filename, shared, size * cls.dtype.itemsize)
        return TypedStorage(wrap_storage=storage, dtype=cls.dtype, _internal=True)


_LegacyStorageMeta.__module__ = _LegacyStorage.__module__ = "minitorch.storage"

legacy_classes = {
    name: _LegacyStorageMeta(name, (_LegacyStorage,), {"dtype": dtype, "__module__": "torch"})
    for name, dtype in _dtypes_of_names.items()
}


def _storage_class_of(dtype):
    if dtype not in legacy_names:
        raise KeyError(f"dtype {dtype} is not recognized")
    return legacy_classes[legacy_names[dtype]]


class StorageType:
    """Stand-in for a class such as ``torch.FloatStorage`` while a file is read.

    Parameters
    ----------
    name : str

    Raises
    ------
    KeyError
        If no dtype of this library has a storage of this name.
    """

    def __init__(self, name):
        if name not in _dtypes_of_names:
            raise KeyError(f'pickle storage type "{name}" is not recognized')
        self.dtype = _dtypes_of_names[name]

    def __str__(self):
        return f"StorageType(dtype={self.dtype})"


StorageType.__module__ = "minitorch.serialization"


def _get_layout(name):
    """Return the layout with the given name."""
    return getattr(_types, name.removeprefix("torch."))


_get_layout.__module__ = "minitorch.serialization"
copyreg.pickle(layout, lambda obj: (_get_layout, (str(obj),)))
