"""`UntypedStorage`: the memory of tensors as bytes, and memory shared between processes."""

import mmap
import operator
import os
import sys
import weakref
from typing import Any

import numpy

import minitorch.core.untyped_storage as _core
from minitorch.autograd.functions.from_data import frombuffer
from minitorch.autograd.meta import is_no_data, meta_storage
from minitorch.core.dtype import _dtypes
from minitorch.core.python_classes import register_python_class
from minitorch.core.types import cpu, device, meta

_uint8 = _dtypes()["uint8"]


_NO_ELEMENTS = "Not available for 'meta' device type"
_NO_DATA = "Cannot copy out of meta tensor; no data!"


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


class _MappedFile(mmap.mmap):
    """A mapped file; `filename` is set if changes are written to the file."""

    filename = None


def _reason(error):
    return f"{error.strerror} ({error.errno})"


def _opened(filename, shared):
    try:
        return os.open(filename, os.O_RDWR | os.O_CREAT if shared else os.O_RDONLY, 0o666)
    except OSError as error:
        mode = "read-write" if shared else "read-only"
        raise RuntimeError(
            f"unable to open file <{filename}> in {mode} mode: {_reason(error)}"
        ) from None


def check_device(place):
    """Return whether a device is ``meta``; raise for devices other than ``meta`` and the CPU."""
    kind = "cpu" if place is None else device(place).type
    if kind == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled")
    if kind not in ("cpu", "meta"):
        raise NotImplementedError(f"minitorch has storages on the CPU only, not on '{kind}'")
    return kind == "meta"


def _without_memory(storage):
    """Return the owner of a storage on the device ``meta``, which holds notes about the storage."""
    if not is_no_data(storage._owner):
        raise NotImplementedError("notes of a file on a storage that has memory")
    return storage._owner


class UntypedStorage(_core.UntypedStorage):
    """The memory of a tensor as bytes, without a dtype.

    Parameters
    ----------
    size : int or sequence of int, optional
        The number of bytes, which are not initialised, or the bytes.
    device : device or str, optional
        The CPU, or ``meta`` for a storage without memory.

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

    @property
    def filename(self):
        """The file to which changes are written, or None."""
        mapped = getattr(self._owner, "obj", self._owner)
        return mapped.filename if isinstance(mapped, _MappedFile) else None

    @property
    def device(self):
        """The device: the CPU, or ``meta`` for a storage without memory."""
        return meta if is_no_data(self._owner) else cpu

    @property
    def _checkpoint_offset(self):
        """The position of the bytes in the file of a storage loaded without them; else None."""
        return getattr(self._owner, "checkpoint_offset", None)

    @_checkpoint_offset.setter
    def _checkpoint_offset(self, offset):
        _without_memory(self).checkpoint_offset = offset

    @property
    def _fake_device(self):
        """The device of the fake tensors that use this storage, or None."""
        return getattr(self._owner, "fake_device", None)

    @_fake_device.setter
    def _fake_device(self, device):
        _without_memory(self).fake_device = device

    def __new__(cls, size=0, *, device=None):
        """Create a storage, without memory if the device is ``meta``."""
        if device is not None and check_device(device):
            return meta_storage(size if type(size) is int else len(_bytes_of(size)))
        return super().__new__(cls, size)

    def __init__(self, size=0, *, device=None):
        if device is not None and check_device(device):
            return
        if type(size) is not int:  # a bool does not count as a number of bytes
            data = _bytes_of(size)
            self.resize_(len(data))
            view_bytes(self)[:] = data

    def data_ptr(self):
        """Return the address of the first byte; 0 on the device ``meta``."""
        return 0 if is_no_data(self._owner) else super().data_ptr()

    def copy_(self, source, non_blocking=None):
        """Copy the bytes of another storage of the same size."""
        if source.nbytes() != self.nbytes():
            raise RuntimeError(
                f"size does not match, self was {self.nbytes()} bytes but src was "
                f"{source.nbytes()} bytes"
            )
        if self.device != meta:
            view_bytes(self)[:] = view_bytes(source.untyped())
        return self

    def __getitem__(self, index):
        if self.device == meta:
            raise NotImplementedError(_NO_ELEMENTS)
        return super().__getitem__(index)

    def __setitem__(self, index, value):
        if self.device != meta:
            super().__setitem__(index, value)

    def fill_(self, value):
        """Set every byte to `value`."""
        return self if self.device == meta else super().fill_(value)

    def tolist(self):
        """Return the bytes as a list of integers."""
        if self.device == meta:
            raise NotImplementedError(_NO_ELEMENTS)
        return super().tolist()

    def clone(self):
        """Return a copy."""
        return meta_storage(self.nbytes()) if self.device == meta else super().clone()

    def untyped(self):
        """Return the storage itself."""
        return self

    def cpu(self):
        """Return the storage, or for the device ``meta`` a new one of the same size on the CPU."""
        return UntypedStorage(self.nbytes()).copy_(self) if self.device == meta else self

    def to(self, *, device, non_blocking=False):
        """Return the storage, or one of the same size on another device."""
        if check_device(device):
            return self if self.device == meta else meta_storage(self.nbytes())
        return self.cpu()

    def cuda(self, device=None, non_blocking=False):
        """Raise AssertionError: CUDA is not supported."""
        raise AssertionError("Torch not compiled with CUDA enabled")

    def new(self):
        """Return an empty storage."""
        return type(self)()

    def get_device(self):
        """Return None: the CPU has no device index."""
        return None

    def is_shared(self):
        """Return whether the bytes are in shared memory."""
        return isinstance(self._owner, SharedMemory)

    @classmethod
    def _new_shared(cls, size, *, device="cpu"):
        """Return `size` bytes of shared memory; custom collate functions call it."""
        return cls(size, device=device).share_memory_()

    def share_memory_(self):
        """Move the bytes to shared memory.

        Processes forked afterwards share it, and so do processes that receive the storage, or a
        tensor that uses it, through `multiprocessing`.
        """
        if self.device == meta:
            self._share_fd_cpu_()
        if not self.is_shared() and self.nbytes():
            memory = SharedMemory(self.nbytes())
            memory.before = self._move_to(memory.view, memory)
        return self

    def _share_fd_cpu_(self):
        self._raise_cannot_share("fd")

    def _share_filename_cpu_(self):
        self._raise_cannot_share("filename")

    def _raise_cannot_share(self, how):
        if self.device == meta:
            raise RuntimeError(f"_share_{how}_: only available on CPU")
        raise NotImplementedError(
            f"minitorch has no _share_{how}_cpu_: storages are sent by themselves"
        )

    def _write_file(self, file, is_real_file, save_size, element_size):
        if self.device == meta:
            raise NotImplementedError(_NO_DATA)
        raise NotImplementedError("minitorch has no _write_file of storages: use save")

    def is_pinned(self, device=None):
        """Return False: memory is never pinned."""
        return False

    def type(self, dtype=None, non_blocking=False):
        """Return the name of the class."""
        return "torch.storage.UntypedStorage"

    def byteswap(self, dtype):
        """Reverse the bytes of each element of a dtype, or of each part of a complex element."""
        size = dtype.itemsize // (2 if dtype.is_complex else 1)
        if size > 1:
            elements = numpy.frombuffer(self._bytes(), numpy.uint8)
            elements = elements[: self.nbytes() // size * size].reshape(-1, size)
            elements[...] = elements[:, ::-1].copy()

    @classmethod
    def from_file(cls, filename, shared=False, nbytes=0):
        """Map the bytes of a file, which are read on access.

        Parameters
        ----------
        filename : str or path
        shared : bool
            Whether to write changes to the file, which is created or extended to `nbytes`.
        nbytes : int
        """
        number = _opened(filename, shared)
        try:
            size = os.fstat(number).st_size
            if size < nbytes and not shared:
                raise RuntimeError(
                    f"file <{filename}> size <{size}> is smaller than the required mapping size "
                    f"<{nbytes}>"
                )
            if size < nbytes:
                os.ftruncate(number, nbytes)
            kind = mmap.MAP_SHARED if shared else mmap.MAP_PRIVATE
            mapped = _MappedFile(number, nbytes, kind, mmap.PROT_READ | mmap.PROT_WRITE)
        except OSError as error:
            raise RuntimeError(
                f"unable to mmap {nbytes} bytes from file <{filename}>: {_reason(error)}"
            ) from None
        finally:
            os.close(number)
        if shared:
            mapped.filename = os.fspath(filename)
        return frombuffer(mapped, dtype=_uint8).untyped_storage()

    @classmethod
    def from_buffer(cls, buffer, byte_order=None, count=-1, offset=0, *, dtype=None):
        """Copy a buffer's bytes, as elements of a dtype in the given byte order."""
        item = dtype.itemsize if dtype is not None else 1
        if item > 1 and byte_order is None:
            raise RuntimeError("function missing required argument 'byte_order' (pos 2)")
        if byte_order not in (None, "big", "little", "native"):
            raise ValueError(
                f"invalid byte_order '{byte_order}' (expected 'big', 'little', or 'native')"
            )
        data = memoryview(buffer).cast("B")
        count, offset = map(operator.index, (count, offset))
        if not all(-sys.maxsize - 1 <= number <= sys.maxsize for number in (count, offset)):
            raise OverflowError("Python int too large to convert to C ssize_t")
        if not 0 <= offset <= len(data):
            raise ValueError(
                f"offset must be non-negative and no greater than buffer length ({offset}) , "
                f"but got {len(data)}"
            )
        data = data[offset:]
        if count < 0 and len(data) % item:
            raise ValueError(
                f"buffer size ({len(data)}) must be a multiple of element size ({item})"
            )
        if count * item > len(data):
            raise ValueError(
                f"buffer has only {len(data)} elements after offset {offset}, but specified a size "
                f"of {count}"
            )
        if count >= 0:
            data = data[: count * item]
        self = cls(len(data))
        view_bytes(self)[:] = data
        if byte_order == "big" and dtype is not None:
            self.byteswap(dtype)
        return self

    def __sizeof__(self):
        return super().__sizeof__() + self.nbytes()

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
        at = self.device
        elements = "..." if at == meta else " " + "\n ".join(map(str, self.tolist()))
        return f"{elements}\n[torch.storage.UntypedStorage(device={at}) of size {self.nbytes()}]"

    __str__ = __repr__


UntypedStorage.__module__ = "torch.storage"
register_python_class(UntypedStorage)


def view_bytes(storage):
    """Return a writable view of an untyped storage's bytes.

    Raises
    ------
    NotImplementedError
        If the storage is on the device ``meta``.
    """
    if storage.device == meta:
        raise NotImplementedError(_NO_DATA)
    return storage._bytes()


class SharedMemory:
    """Memory shared by several processes, mapped from an unnamed temporary file.

    Parameters
    ----------
    nbytes : int
    number : int, optional
        The file's descriptor in this process, which the object takes ownership of; by default,
        a new file.
    """

    first_use: Any = None  # called before the first object is made
    live: weakref.WeakSet = weakref.WeakSet()
    was_sent = False  # shared by sending it, not by the program's `share_memory_`
    before = None  # the storage's previous memory, kept alive for remaining views of it

    def __init__(self, nbytes, number=None):
        if SharedMemory.first_use is not None:
            first_use, SharedMemory.first_use = SharedMemory.first_use, None
            first_use()
        if number is None:
            import tempfile

            with tempfile.TemporaryFile(dir=_memory_folder()) as file:
                file.truncate(nbytes)
                number = os.dup(file.fileno())
        self.number = number
        SharedMemory.live.add(self)
        self.view = memoryview(mmap.mmap(number, nbytes))

    def __del__(self):
        if "number" in self.__dict__:
            os.close(self.number)


def _memory_folder():
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
