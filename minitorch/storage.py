"""Storages: the memory of tensors, as bytes (`UntypedStorage`) or elements (`TypedStorage`)."""

import copyreg
import io

from minitorch._tensor import Tensor
from minitorch.autograd.functions.interchange import _from_storage
from minitorch.core import types as _types
from minitorch.core.storage import UntypedStorage as _StorageBase  # noqa: F401 - imported by programs
from minitorch.core.types import layout
from minitorch.tensors.type_info import get_default_dtype
from minitorch.tensors.typed_storage import (
    TypedStorage,
    UntypedStorage,
    _check_elements,
    _check_wrapping,
    _get_always_warn_typed_storage_removal,  # noqa: F401 - programs ask for it
    _set_always_warn_typed_storage_removal,  # noqa: F401 - programs ask for it
    legacy_names,
    warn_deprecated,
)

__all__ = ["TypedStorage", "UntypedStorage"]

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


legacy_classes = {
    name: _LegacyStorageMeta(name, (_LegacyStorage,), {"dtype": dtype, "__module__": "torch"})
    for name, dtype in _dtypes_of_names.items()
}
globals().update(legacy_classes)


def _storage_class_of(dtype):
    if dtype not in legacy_names:
        raise KeyError(f"dtype {dtype} is not recognized")
    return legacy_classes[legacy_names[dtype]]


def _dtype_to_storage_type_map():
    """Return the dict from each dtype to its storage name in files."""
    return legacy_names


def _storage_type_to_dtype_map():
    """Return the dict from each storage name in files to its dtype."""
    return _dtypes_of_names


def from_file(
    filename,
    shared=None,
    size=0,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=None,
    requires_grad=False,
):
    """Return a tensor whose elements are mapped from a file and read on access.

    Parameters
    ----------
    filename : str
    shared : bool
        Whether changes are written to the file, which is created if it does not exist.
    size : int
        The number of elements.
    dtype : dtype, optional
    layout, device, pin_memory : optional
        Only strided, unpinned tensors on the CPU are supported.
    requires_grad : bool
    """
    _check_from_file(layout, device, pin_memory)
    dtype = get_default_dtype() if dtype is None else dtype
    storage = UntypedStorage.from_file(filename, bool(shared), (size or 0) * dtype.itemsize)
    return _from_storage(storage, dtype, 0, (size or 0,), None).requires_grad_(requires_grad)


def _check_from_file(layout, place, pin_memory):
    place = "cpu" if place is None else _types.device(place).type
    if layout not in (None, _types.strided):
        raise NotImplementedError("minitorch has from_file for strided tensors only")
    if place == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled")
    if place != "cpu":
        raise NotImplementedError(f"minitorch has from_file on the CPU only, not on '{place}'")
    if pin_memory:
        raise RuntimeError("tensors constructed from a file cannot be pinned")


def _storage_type(self):
    """Return the legacy storage class of this storage's dtype."""
    return _storage_class_of(self.dtype)


_storage_type.__name__ = "storage_type"
Tensor.storage_type = _storage_type


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


def _load_from_bytes(data):
    """Load the storage from a plain pickle of PyTorch's, which may run arbitrary code."""
    from minitorch.serialization import load

    return load(io.BytesIO(data), weights_only=False)


def _get_layout(name):
    """Return the layout with the given name."""
    return getattr(_types, name.removeprefix("torch."))


_get_layout.__module__ = "minitorch.serialization"
copyreg.pickle(layout, lambda obj: (_get_layout, (str(obj),)))
