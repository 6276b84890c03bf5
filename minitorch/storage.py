"""Storages: the memory behind tensors, as bytes (`UntypedStorage`) or as elements (`TypedStorage`)."""

import copyreg
import io

from minitorch._tensor import Tensor
from minitorch.autograd.functions.interchange import _from_storage
from minitorch.core import types as _types
from minitorch.core.storage import UntypedStorage as _StorageBase  # noqa: F401 - programs ask for it
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
    """``FloatStorage`` and its like: the names that files have for the element types."""
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
    """A class per element type; its instances are of class `TypedStorage`."""

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
        """Elements that other processes see, in number `size`."""
        storage = UntypedStorage._new_shared(size * cls.dtype.itemsize)
        return TypedStorage(wrap_storage=storage, dtype=cls.dtype, _internal=True)

    @classmethod
    def from_buffer(cls, *args, **kwargs):
        """A copy of a buffer's bytes, as elements in a byte order."""
        storage = UntypedStorage.from_buffer(*args, dtype=cls.dtype, **kwargs)
        return TypedStorage(wrap_storage=storage, dtype=cls.dtype, _internal=True)

    @classmethod
    def from_file(cls, filename, shared=False, size=0):
        """The elements in a file, read when they are looked at."""
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
    """What files call the storages of each element type."""
    return legacy_names


def _storage_type_to_dtype_map():
    """The reverse."""
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
    """A tensor over the elements in a file, which are read when they are looked at.

    Parameters
    ----------
    filename : str
    shared : bool
        Whether changes go to the file, which is made if it is not there.
    size : int
        How many elements.
    dtype : dtype, optional
    layout, device, pin_memory : optional
        Strided, on the CPU, not pinned: there is nothing else.
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
    """The old name of storages of this dtype."""
    return _storage_class_of(self.dtype)


_storage_type.__name__ = "storage_type"
Tensor.storage_type = _storage_type


class StorageType:
    """What stands for ``torch.FloatStorage`` while a file is read.

    Parameters
    ----------
    name : str

    Raises
    ------
    KeyError
        When no element type of this library has storages of this name.
    """

    def __init__(self, name):
        if name not in _dtypes_of_names:
            raise KeyError(f'pickle storage type "{name}" is not recognized')
        self.dtype = _dtypes_of_names[name]

    def __str__(self):
        return f"StorageType(dtype={self.dtype})"


def _load_from_bytes(data):
    """The storage in a plain pickle of PyTorch's; like every pickle, it may run code."""
    from minitorch.serialization import load

    return load(io.BytesIO(data), weights_only=False)


def _get_layout(name):
    """The layout of this name."""
    return getattr(_types, name.removeprefix("torch."))


_get_layout.__module__ = "minitorch.serialization"
copyreg.pickle(layout, lambda obj: (_get_layout, (str(obj),)))
