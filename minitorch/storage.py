"""Storages: the memory behind tensors, as bytes (`UntypedStorage`) or as elements (`TypedStorage`)."""

import copyreg
import io

from minitorch._storage import TypedStorage, UntypedStorage
from minitorch.core.dtype import _dtypes
from minitorch.core.types import layout, strided

__all__ = ["TypedStorage", "UntypedStorage"]

_STORAGE_OF = {
    "float64": "DoubleStorage",
    "float32": "FloatStorage",
    "float16": "HalfStorage",
    "int64": "LongStorage",
    "int32": "IntStorage",
    "int16": "ShortStorage",
    "int8": "CharStorage",
    "uint8": "ByteStorage",
    "bool": "BoolStorage",
    "bfloat16": "BFloat16Storage",
    "complex128": "ComplexDoubleStorage",
    "complex64": "ComplexFloatStorage",
}
_names = {_dtypes()[dtype]: name for dtype, name in _STORAGE_OF.items() if dtype in _dtypes()}
_dtypes_of_names = {name: dtype for dtype, name in _names.items()}


def storage_names():
    """``FloatStorage`` and its like: the names that files have for the element types."""
    return list(_dtypes_of_names)


class _LegacyStorageMeta(type):
    def __instancecheck__(cls, instance):
        return type(instance) is TypedStorage and instance.dtype is cls.dtype


class _LegacyStorage(TypedStorage, metaclass=_LegacyStorageMeta):
    """A class per element type; its instances are of class `TypedStorage`."""

    def __new__(cls, *args, wrap_storage=None, **kwargs):
        self = TypedStorage(*args, wrap_storage=wrap_storage, dtype=cls.dtype)
        return self


legacy_classes = {
    name: _LegacyStorageMeta(name, (_LegacyStorage,), {"dtype": dtype, "__module__": "torch"})
    for name, dtype in _dtypes_of_names.items()
}
globals().update(legacy_classes)


def _storage_class_of(dtype):
    if dtype not in _names:
        raise KeyError(f"dtype {dtype} is not recognized")
    return legacy_classes[_names[dtype]]


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
    """The layout of this name: there is one."""
    if name != str(strided):
        raise KeyError(name)
    return strided


_get_layout.__module__ = "minitorch.serialization"
copyreg.pickle(layout, lambda obj: (_get_layout, (str(obj),)))
