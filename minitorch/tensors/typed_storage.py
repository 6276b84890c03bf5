"""Storages as lists of elements, and pickling and sending of both kinds of storages."""

import copy
import copyreg
import warnings
import weakref
from collections.abc import Sequence

import minitorch.core.untyped_storage as _core
from minitorch.autograd.functions.interchange import _from_storage
from minitorch.core.class_names import register_type_name
from minitorch.core.dtype import _dtypes
from minitorch.tensors.type_info import get_default_dtype
from minitorch.tensors.untyped_storage import SharedMemory, UntypedStorage, check_device, view_bytes

_uint8 = _dtypes()["uint8"]
_DEPRECATED = (
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the "
    "only storage class. This should only matter to you if you are using storages directly.  To "
    "access UntypedStorage directly, use tensor.untyped_storage() instead of tensor.storage()"
)
_warned = False
_always_warn = False


def warn_deprecated():
    """Warn once per process, or every time after `_set_always_warn_typed_storage_removal(True)`."""
    global _warned
    if _always_warn or not _warned:
        _warned = True
        warnings.warn(_DEPRECATED, UserWarning, stacklevel=3)


def _get_always_warn_typed_storage_removal():
    """Return whether every use of typed storages warns, instead of only the first."""
    return _always_warn


def _set_always_warn_typed_storage_removal(always_warn):
    global _always_warn
    _always_warn = always_warn


# Note [Memory that is sent]
# Once `torch.multiprocessing` is imported, a storage that is sent to another process is first moved
# to shared memory, and its file descriptor is sent: both processes see each other's writes. The
# descriptor can be received only while the sender is alive, and a process may open only a limited
# number. Therefore the bytes are sent along, unless the program itself called `share_memory_`. A
# receiver that comes too late uses the bytes, and if many storages are already shared, only bytes
# are sent. Workers of a `DataLoader` always send bytes, because they exit before their batches are
# used.
_sends_memory = False


def share_what_is_sent(share):
    """Set whether storages are moved to shared memory when they are sent to other processes."""
    global _sends_memory
    _sends_memory = share
    _teach_multiprocessing()


def _most_shared():
    """Return the limit of shared storages: a quarter of the file descriptors that may be open."""
    import resource

    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 1 << 20 if limit == resource.RLIM_INFINITY else limit // 4


def _open_shared(file, nbytes, dtype, data=None):
    """Rebuild a sent storage from its descriptor, or from its bytes if that fails."""
    try:
        number = file.detach()
    except (OSError, EOFError):
        if data is None:
            raise
        return restore_storage(dtype, data)
    memory = SharedMemory(nbytes, number)
    if data is not None and len(SharedMemory.live) > _most_shared():
        return restore_storage(dtype, bytes(memory.view))
    memory.was_sent = data is not None
    storage = UntypedStorage(nbytes)
    storage._move_to(memory.view, memory, copy=False)
    return _typed_again(storage, dtype)


def _is_moved(untyped):
    """Move a storage to shared memory for sending, if possible; return whether it is shared."""
    if not _sends_memory or len(SharedMemory.live) >= _most_shared():
        return False
    try:
        untyped.share_memory_()
    except (OSError, RuntimeError):
        return False  # no descriptor is left, or the storage does not own its memory
    if untyped.is_shared():
        untyped._owner.was_sent = True
    return untyped.is_shared()


def _typed_again(storage, dtype):
    if dtype is None:
        return storage
    return TypedStorage(wrap_storage=storage, dtype=dtype, _internal=True)


def _send_storage(storage):
    """Return how `multiprocessing` pickles a storage; see Note [Memory that is sent]."""
    from multiprocessing.context import get_spawning_popen
    from multiprocessing.reduction import DupFd

    untyped = storage.untyped()
    if not untyped.is_shared() and not _is_moved(untyped):
        return reduce_storage(storage)
    memory = untyped._owner
    waits = get_spawning_popen() is not None  # a process being spawned receives it at once
    data = bytes(view_bytes(untyped)) if memory.was_sent and not waits else None
    dtype = storage.dtype if isinstance(storage, TypedStorage) else None
    return _open_shared, (DupFd(memory.number), untyped.nbytes(), dtype, data)


def restore_storage(dtype, data):
    """Return a storage with these bytes, typed if a dtype is given."""
    storage = UntypedStorage(len(data))
    view_bytes(storage)[:] = data
    return _typed_again(storage, dtype)


_FORMS = """TypedStorage.__init__ received an invalid combination of arguments. Expected one of:
 * (*, torch.device device, torch.dtype dtype)
 * (int size, *, torch.device device, torch.dtype dtype)
 * (Sequence data, *, torch.device device, torch.dtype dtype)
 * (*, UntypedStorage wrap_storage, torch.dtype dtype)
"""


def _check_elements(forms, args, dtype):
    """Check the arguments that create a storage with new memory."""
    if len(args) > 1:
        raise RuntimeError(f"{forms}Too many positional arguments")
    if args and not isinstance(args[0], int | Sequence | TypedStorage | UntypedStorage):
        raise TypeError(f"{forms}Argument type not recognized: {type(args[0])}")
    if type(dtype) is not type(_uint8):
        raise RuntimeError(f"expected torch.dtype, but got {type(dtype)}")


def _check_wrapping(forms, args, wrap_storage, dtype, device):
    """Check the arguments that wrap an existing storage."""
    if args:
        raise RuntimeError(
            f"{forms}No positional arguments should be given when using 'wrap_storage'"
        )
    if dtype is None:
        raise RuntimeError(f"{forms}Argument 'dtype' must be specified")
    if type(dtype) is not type(_uint8):
        raise TypeError(f"{forms}Argument 'dtype' must be torch.dtype, not {type(dtype)}")
    if device is not None:
        raise RuntimeError(
            f"{forms}Argument 'device' should not be specified when 'wrap_storage' is given"
        )
    if not isinstance(wrap_storage, _core.UntypedStorage):
        raise TypeError(
            f"{forms}Argument 'wrap_storage' must be UntypedStorage, but got {type(wrap_storage)}"
        )


class TypedStorage:
    """The memory of a tensor as a list of elements; deprecated in favour of `UntypedStorage`.

    Parameters
    ----------
    *args
        The number of elements, or the elements.
    wrap_storage : UntypedStorage, optional
        The memory to use.
    dtype : dtype
    device : device or str, optional
        The CPU or ``meta``.

    Warns
    -----
    UserWarning
        On the first use of such a storage.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.FloatStorage([1.0, 2.0]).tolist()
    [1.0, 2.0]
    """

    is_cuda = False
    is_hpu = False
    is_sparse = False
    dtype = None  # set by subclasses such as FloatStorage

    def __init__(self, *args, wrap_storage=None, dtype=None, device=None, _internal=False):
        if not _internal:
            warn_deprecated()
        if wrap_storage is None:
            dtype = get_default_dtype() if dtype is None else dtype
            _check_elements(_FORMS, args, dtype)
            wrap_storage = _elements(args[0] if args else 0, dtype, device)
        else:
            _check_wrapping(_FORMS, args, wrap_storage, dtype, device)
        if type(self).dtype is None:
            self.dtype = dtype
        self._untyped_storage = wrap_storage

    def _as_tensor(self):
        size = self._untyped_storage.nbytes() // self.dtype.itemsize
        return _from_storage(self._untyped_storage, self.dtype, 0, (size,), None)

    def __len__(self):
        return self._untyped_storage.nbytes() // self.dtype.itemsize

    def size(self):
        """Return the number of elements."""
        return len(self)

    def nbytes(self):
        """Return the number of bytes."""
        return self._untyped_storage.nbytes()

    def element_size(self):
        """Return the number of bytes of one element."""
        return self.dtype.itemsize

    def data_ptr(self):
        """Return the address of the first byte."""
        return self._untyped_storage.data_ptr()

    def untyped(self):
        """Return the untyped storage of the same memory."""
        return self._untyped_storage

    @property
    def _cdata(self):
        return self._untyped_storage._cdata

    def tolist(self):
        """Return the elements as a list."""
        self._check_elements()
        return self._as_tensor().tolist()

    def clone(self):
        """Return a copy."""
        return TypedStorage(
            wrap_storage=self._untyped_storage.clone(), dtype=self.dtype, _internal=True
        )

    def copy_(self, source, non_blocking=None):
        """Copy the bytes of another storage of the same size."""
        self._untyped_storage.copy_(source.untyped())
        return self

    def fill_(self, value):
        """Set every element to `value`."""
        self._as_tensor().fill_(value)
        return self

    def resize_(self, size):
        """Change the number of elements."""
        self._untyped_storage.resize_(size * self.dtype.itemsize)

    def resizable(self):
        """Return whether `resize_` may change the size."""
        return self._untyped_storage.resizable()

    def is_shared(self):
        """Return whether the elements are in shared memory."""
        return self._untyped_storage.is_shared()

    def share_memory_(self):
        """Move the elements to shared memory."""
        self._untyped_storage.share_memory_()
        return self

    def _new_shared(self, size, *, device=None):
        """Return a storage of `size` elements of this dtype in shared memory."""
        shared = UntypedStorage._new_shared(size * self.dtype.itemsize, device=device)
        return _typed_again(shared, self.dtype)

    def _share_fd_cpu_(self):
        self._untyped_storage._share_fd_cpu_()

    def _share_filename_cpu_(self):
        self._untyped_storage._share_filename_cpu_()

    def _write_file(self, *args):
        self._untyped_storage._write_file(*args)

    def pickle_storage_type(self):
        """Return the name of storages of this dtype in files, such as ``FloatStorage``."""
        if self.dtype not in legacy_names:
            raise KeyError(f"dtype {self.dtype} is not recognized")
        return legacy_names[self.dtype]

    def type(self, dtype=None, non_blocking=False):
        """Return the name of the class, such as ``torch.FloatStorage``."""
        return f"torch.{legacy_names.get(self.dtype, 'storage.TypedStorage')}"

    def is_pinned(self, device=None):
        """Return False: memory is never pinned."""
        return False

    def cpu(self):
        """Return the storage, or for the device ``meta`` a new one of the same size on the CPU."""
        return self.to(device="cpu")

    def to(self, *, device, non_blocking=False):
        """Return the storage, or one of the same size on another device."""
        moved = self._untyped_storage.to(device=device)
        return self if moved is self._untyped_storage else _typed_again(moved, self.dtype)

    def cuda(self, device=None, non_blocking=False):
        """Raise AssertionError: CUDA is not supported."""
        self._untyped_storage.cuda(device)

    @property
    def filename(self):
        """The file to which changes are written, or None."""
        return self._untyped_storage.filename

    def get_device(self):
        """Return None: the CPU has no device index."""
        return None

    @property
    def device(self):
        """The device of the memory."""
        return self._untyped_storage.device

    def _check_elements(self):
        if self.device.type == "meta":
            raise NotImplementedError("Not available for 'meta' device type")

    def __getitem__(self, index):
        self._check_elements()
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        self._check_index(index, int)
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} out of range for storage of size {len(self)}")
        return self._as_tensor()[index].item()

    def __setitem__(self, index, value):
        self._check_index(index, int | slice)
        if is_storage(value):
            raise RuntimeError(f"cannot set item with value type {type(value)}")
        self._as_tensor()[index] = value

    def _check_index(self, index, kinds):
        if not isinstance(index, kinds):
            raise RuntimeError(f"can't index a {type(self)} with {type(index)}")

    def __sizeof__(self):
        return super().__sizeof__() + self.nbytes()

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
        at = self.device
        elements = "..." if at.type == "meta" else " " + "\n ".join(map(str, self.tolist()))
        return (
            f"{elements}\n[torch.storage.TypedStorage(dtype={self.dtype}, device={at}) "
            f"of size {len(self)}]"
        )


TypedStorage.__module__ = "torch.storage"
register_type_name(TypedStorage, "torch.storage.TypedStorage")
register_type_name(UntypedStorage, "torch.storage.UntypedStorage")


def _converted(name):
    dtype = _dtypes()[name]

    def convert(self):
        elements = _from_storage(
            self.untyped(), getattr(self, "dtype", _uint8), 0, (self.size(),), None
        )
        storage = elements.to(dtype=dtype, copy=True).untyped_storage()
        return TypedStorage(wrap_storage=storage, dtype=dtype, _internal=True)

    convert.__doc__ = f"A copy of the elements as {name}."
    return convert


for _method, _name in {
    "double": "float64", "float": "float32", "half": "float16", "long": "int64", "int": "int32",
    "bfloat16": "bfloat16", "short": "int16", "char": "int8", "byte": "uint8", "bool": "bool",
    "complex_double": "complex128", "complex_float": "complex64",
}.items():  # fmt: skip
    setattr(UntypedStorage, _method, _converted(_name))
    setattr(TypedStorage, _method, _converted(_name))

# the name of the storages of each dtype in files
legacy_names = {
    _dtypes()[dtype]: name
    for dtype, name in {
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
    }.items()
    if dtype in _dtypes()
}


def _elements(values, dtype, device):
    if isinstance(values, int):
        return UntypedStorage(values * dtype.itemsize, device=device)
    on_meta = check_device(device)
    if isinstance(values, str):
        raise TypeError(f"new(): invalid data type '{type(values).__name__}'")
    values = list(values)
    if on_meta:
        return UntypedStorage(len(values) * dtype.itemsize, device=device)
    storage = UntypedStorage(len(values) * dtype.itemsize)
    filled = _from_storage(storage, dtype, 0, (len(values),), None)
    for index, value in enumerate(values):
        filled[index] = value
    return storage


def is_storage(obj):
    """Test whether an object is a storage.

    Parameters
    ----------
    obj : object

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.is_storage(torch.ones(2).untyped_storage())
    True
    """
    return isinstance(obj, (TypedStorage, _core.UntypedStorage))


# Note [One storage in a pickle]
# A tensor makes a new storage object on every access. The pickler recognizes an object that it has
# already written by its identity. So two views stay views of one storage only if both return the
# same object. These caches map the memory's address to the object, for as long as the object is
# alive.
_untyped: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
_typed: weakref.WeakValueDictionary = weakref.WeakValueDictionary()


def storage_for_pickle(tensor, typed=True):
    """Return a tensor's storage, which is the same object for tensors that share memory."""
    storage = tensor.untyped_storage()
    storage = _untyped.setdefault(storage._cdata, storage)
    if not typed:
        return storage
    wrapped = TypedStorage(wrap_storage=storage, dtype=tensor.dtype, _internal=True)
    return _typed.setdefault((storage._cdata, tensor.dtype), wrapped)


def reduce_storage(storage):
    """Return how to pickle a storage with its bytes in a plain pickle."""
    dtype = storage.dtype if isinstance(storage, TypedStorage) else None
    return restore_storage, (dtype, bytes(view_bytes(storage.untyped())))


for _class in (UntypedStorage, TypedStorage):
    copyreg.pickle(_class, reduce_storage)


def _teach_multiprocessing():
    from multiprocessing.reduction import ForkingPickler

    for cls in (UntypedStorage, TypedStorage):
        ForkingPickler.register(cls, _send_storage)


# imports `multiprocessing.reduction` only in programs that share memory
SharedMemory.first_use = staticmethod(_teach_multiprocessing)
