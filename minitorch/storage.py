"""Storages: the memory of tensors, as bytes (`UntypedStorage`) or elements (`TypedStorage`)."""

import io

from minitorch._tensor import Tensor
from minitorch.autograd.functions.interchange import _from_storage
from minitorch.core import types as _types
from minitorch.core.untyped_storage import UntypedStorage as _StorageBase  # noqa: F401 - imported by programs
from minitorch.tensors.storages_by_dtype import (
    _dtypes_of_names,
    _LegacyStorage,  # noqa: F401 - PyTorch has it here
    _LegacyStorageMeta,  # noqa: F401 - PyTorch has it here
    _storage_class_of,
    legacy_classes,
)
from minitorch.tensors.type_info import get_default_dtype
from minitorch.tensors.typed_storage import (
    TypedStorage,
    UntypedStorage,
    _get_always_warn_typed_storage_removal,  # noqa: F401 - programs ask for it
    _set_always_warn_typed_storage_removal,  # noqa: F401 - programs ask for it
    legacy_names,
)

__all__ = ["TypedStorage", "UntypedStorage"]

globals().update(legacy_classes)


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
        Default: `torch.get_default_dtype()`.
    layout, device, pin_memory : optional
        Only strided, unpinned tensors on the CPU are supported.
    requires_grad : bool

    Returns
    -------
    Tensor
        (size,), with elements as their bytes are in the file.

    Raises
    ------
    RuntimeError
        If the file cannot be opened, or is too small and not `shared`.

    Examples
    --------
    >>> import os, tempfile
    >>> import minitorch as torch
    >>> path = os.path.join(tempfile.mkdtemp(), "numbers")
    >>> with open(path, "wb") as file:
    ...     _ = file.write(bytes([1, 2, 3]))
    >>> torch.from_file(path, size=3, dtype=torch.uint8)
    tensor([1, 2, 3], dtype=torch.uint8)
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
    """Return the legacy storage class of this storage's dtype.

    Returns
    -------
    type

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.ones(1).storage_type().__name__
    'FloatStorage'
    """
    return _storage_class_of(self.dtype)


_storage_type.__name__ = "storage_type"
Tensor.storage_type = _storage_type


def _load_from_bytes(data):
    """Load the storage from a plain pickle of PyTorch's, which may run arbitrary code."""
    from minitorch.serialization import load

    return load(io.BytesIO(data), weights_only=False)
