"""Storages as Python sees them: bytes, and the older lists of elements."""

import copy
import mmap
import os
import warnings
import weakref

import minitorch.core.storage as _core
from minitorch.autograd.functions.from_data import frombuffer
from minitorch.autograd.functions.interchange import _from_storage
from minitorch.core.dtype import _dtypes
from minitorch.core.types import device

_uint8 = _dtypes()["uint8"]
_DEPRECATED = (
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the "
    "only storage class. This should only matter to you if you are using storages directly.  To "
    "access UntypedStorage directly, use tensor.untyped_storage() instead of tensor.storage()"
)
_warned = False


def warn_deprecated():
    """Once in a process."""
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(_DEPRECATED, UserWarning, stacklevel=3)


def _bytes_of(sequence):
    try:
        items = list(sequence)
    except TypeError:
        raise RuntimeError(
            f"torch.UntypedStorage(): Expected a sequence type, but got {type(sequence).__name__}"
        ) from None
    for item in items:
        if not isinstance(item, int):
            raise RuntimeError(
                "torch.UntypedStorage(): tried to construct a storage from a sequence "
                f"({type(sequence).__name__}), but one of the items was of type "
                f"{type(item).__name__} instead of int"
            )
    return bytearray(item & 255 for item in items)


class UntypedStorage(_core.UntypedStorage):
    """The bytes behind a tensor, without a type.

    Parameters
    ----------
    size : int or sequence of int, optional
        How many bytes, which are not initialised, or the bytes.
    device : device or str, optional
        The CPU.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.UntypedStorage([1, 2, 3]).tolist()
    [1, 2, 3]
    >>> torch.zeros(3).untyped_storage().nbytes()
    12
    """

    is_cuda = False
    is_hpu = False
    is_sparse = False
    filename = None
    device = device("cpu")

    def __init__(self, size=0, *, device=None):
        if not isinstance(size, int):
            data = _bytes_of(size)
            self.resize_(len(data))
            view_bytes(self)[:] = data

    def copy_(self, source, non_blocking=None):
        """Take the bytes of another storage of the same size."""
        if source.nbytes() != self.nbytes():
            raise RuntimeError(
                f"size mismatch, expected {self.nbytes()}, but got {source.nbytes()}"
            )
        view_bytes(self)[:] = view_bytes(source.untyped())
        return self

    def untyped(self):
        """This storage."""
        return self

    def cpu(self):
        """This storage: it is on the CPU."""
        return self

    def to(self, *, device, non_blocking=False):
        """This storage, when the device is the CPU."""
        if str(device).split(":")[0] != "cpu":
            raise AssertionError("Torch not compiled with CUDA enabled")
        return self

    def cuda(self, device=None, non_blocking=False):
        """There is no CUDA here."""
        raise AssertionError("Torch not compiled with CUDA enabled")

    def new(self):
        """An empty storage."""
        return type(self)()

    def get_device(self):
        """The number of the device: -1, the CPU."""
        return -1

    def is_shared(self):
        """Whether other processes see this memory: no."""
        return False

    def share_memory_(self):
        """Storages live in the memory of one process here: nothing is done."""
        return self

    def is_pinned(self, device=None):
        """Whether the memory is pinned for a GPU: no."""
        return False

    def byteswap(self, dtype):
        """Turn each element of this type, or each part of a complex one, around."""
        size = dtype.itemsize // (2 if dtype.is_complex else 1)
        if size > 1:
            elements = _array(self)[: self.nbytes() // size * size].reshape(-1, size)
            elements[...] = elements[:, ::-1].copy()

    @classmethod
    def from_file(cls, filename, shared=False, nbytes=0):
        """The bytes of a file, read when they are looked at.

        Parameters
        ----------
        filename : str or path
        shared : bool
            Write changes to the file; it is made as long as `nbytes`.
        nbytes : int
        """
        with open(filename, "r+b" if shared else "rb") as file:
            if shared and os.fstat(file.fileno()).st_size < nbytes:
                file.truncate(nbytes)
            kind = mmap.MAP_SHARED if shared else mmap.MAP_PRIVATE
            mapped = mmap.mmap(file.fileno(), nbytes, kind, mmap.PROT_READ | mmap.PROT_WRITE)
        return frombuffer(mapped, dtype=_uint8).untyped_storage()

    @classmethod
    def from_buffer(cls, buffer, byte_order=None, count=-1, offset=0, *, dtype=None):
        """A copy of a buffer's bytes, as elements of a type in a byte order."""
        data = memoryview(buffer).cast("B")[offset:]
        item = dtype.itemsize if dtype is not None else 1
        if count >= 0:
            data = data[: count * item]
        self = cls(len(data))
        view_bytes(self)[:] = data
        if byte_order == "big" and dtype is not None:
            self.byteswap(dtype)
        return self

    def __iter__(self):
        return iter(self.tolist())

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        copies = memo.setdefault("torch", {})
        if self._cdata not in copies:
            copies[self._cdata] = self.clone()
        return copies[self._cdata]

    def __repr__(self):
        elements = " " + "\n ".join(map(str, self.tolist()))
        return f"{elements}\n[torch.storage.UntypedStorage(device=cpu) of size {self.nbytes()}]"

    __str__ = __repr__


UntypedStorage.__module__ = "torch.storage"
_core._register_storage_class(UntypedStorage)


def _array(storage):
    return _from_storage(storage, _uint8, 0, (storage.nbytes(),), None).numpy()


def view_bytes(storage):
    """The bytes of an untyped storage, to be read and written."""
    return memoryview(_array(storage))


class TypedStorage:
    """The memory behind a tensor as a list of elements; deprecated in favour of `UntypedStorage`.

    Parameters
    ----------
    *args
        The number of elements, or the elements.
    wrap_storage : UntypedStorage, optional
        The memory.
    dtype : dtype
    device : device or str, optional
        The CPU.
    """

    is_cuda = False
    is_hpu = False
    is_sparse = False
    dtype = None

    def __init__(self, *args, wrap_storage=None, dtype=None, device=None, _internal=False):
        if not _internal:
            warn_deprecated()
        if type(self).dtype is None:
            self.dtype = dtype
        if wrap_storage is None:
            wrap_storage = _elements(args[0] if args else 0, self.dtype)
        self._untyped_storage = wrap_storage

    def _as_tensor(self):
        size = self._untyped_storage.nbytes() // self.dtype.itemsize
        return _from_storage(self._untyped_storage, self.dtype, 0, (size,), None)

    def __len__(self):
        return self._untyped_storage.nbytes() // self.dtype.itemsize

    def size(self):
        """How many elements there are."""
        return len(self)

    def nbytes(self):
        """How many bytes there are."""
        return self._untyped_storage.nbytes()

    def element_size(self):
        """Bytes of one element."""
        return self.dtype.itemsize

    def data_ptr(self):
        """The address of the first byte."""
        return self._untyped_storage.data_ptr()

    def untyped(self):
        """The same memory without a type."""
        return self._untyped_storage

    @property
    def _cdata(self):
        return self._untyped_storage._cdata

    def tolist(self):
        """The elements."""
        return self._as_tensor().tolist()

    def clone(self):
        """A copy with memory of its own."""
        return TypedStorage(
            wrap_storage=self._untyped_storage.clone(), dtype=self.dtype, _internal=True
        )

    def copy_(self, source, non_blocking=None):
        """Take the elements of another storage, converted."""
        self._as_tensor().copy_(source._as_tensor())
        return self

    def fill_(self, value):
        """Set every element."""
        self._as_tensor().fill_(value)
        return self

    def resize_(self, size):
        """Change the number of elements."""
        self._untyped_storage.resize_(size * self.dtype.itemsize)

    def resizable(self):
        """Whether `resize_` may change the size."""
        return self._untyped_storage.resizable()

    def is_shared(self):
        """Whether other processes see this memory: no."""
        return False

    def share_memory_(self):
        """Storages live in the memory of one process here: nothing is done."""
        return self

    def is_pinned(self, device=None):
        """Whether the memory is pinned for a GPU: no."""
        return False

    def cpu(self):
        """This storage: it is on the CPU."""
        return self

    def get_device(self):
        """The number of the device: -1, the CPU."""
        return -1

    @property
    def device(self):
        """Where the memory is."""
        return device("cpu")

    def __getitem__(self, index):
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        return self._as_tensor()[index].item()

    def __setitem__(self, index, value):
        self._as_tensor()[index] = value

    def __iter__(self):
        return iter(self.tolist())

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return TypedStorage(
            wrap_storage=copy.deepcopy(self._untyped_storage, memo),
            dtype=self.dtype,
            _internal=True,
        )

    def __eq__(self, other):
        return isinstance(other, TypedStorage) and self._untyped_storage == other._untyped_storage

    def __hash__(self):
        return hash(self._untyped_storage)

    def __repr__(self):
        elements = " " + "\n ".join(map(str, self.tolist()))
        return (
            f"{elements}\n[torch.storage.TypedStorage(dtype={self.dtype}, device=cpu) "
            f"of size {len(self)}]"
        )


TypedStorage.__module__ = "torch.storage"


def _elements(values, dtype):
    if isinstance(values, int):
        return UntypedStorage(values * dtype.itemsize)
    values = list(values)
    storage = UntypedStorage(len(values) * dtype.itemsize)
    filled = _from_storage(storage, dtype, 0, (len(values),), None)
    for index, value in enumerate(values):
        filled[index] = value
    return storage


def is_storage(obj):
    """Whether an object is a storage."""
    return isinstance(obj, (TypedStorage, _core.UntypedStorage))


# Note [One storage in a pickle]
# A tensor makes a new storage object whenever it is asked for one. A pickle knows what it has already
# written by the object, so two views stay views of one memory only if they hand it the same object.
# The memory's address names it, for as long as anybody holds it.
_untyped: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
_typed: weakref.WeakValueDictionary = weakref.WeakValueDictionary()


def storage_for_pickle(tensor, typed=True):
    """The storage of a tensor: the same object for the same memory, while anybody holds it."""
    storage = tensor.untyped_storage()
    storage = _untyped.setdefault(storage._cdata, storage)
    if not typed:
        return storage
    wrapped = TypedStorage(wrap_storage=storage, dtype=tensor.dtype, _internal=True)
    return _typed.setdefault((storage._cdata, tensor.dtype), wrapped)
