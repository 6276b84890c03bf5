"""`UntypedStorage`: the handle of a storage in Python, a list of bytes."""

cimport cython
from cpython.buffer cimport PyBuffer_FillInfo
from cpython.memoryview cimport PyMemoryView_GET_BUFFER
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from libc.string cimport memcpy, memset

from minitorch.core.python_classes cimport python_classes
from minitorch.core.storage cimport (
    StorageImpl, external_storage, inline_data, life_at, new_storage, release_data, release_storage, resize_storage,
    retain_storage)


def life_of(UntypedStorage storage):
    """Return the `Life` of a storage, which does not keep it alive."""
    return life_at(storage.impl)


cdef class _Bytes:
    cdef UntypedStorage storage

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        cdef StorageImpl* impl
        if self.storage is None:
            raise BufferError("only a storage makes an object that has its bytes")
        impl = self.storage.impl
        if impl.exports == 65535:
            raise BufferError("there are too many buffers of one storage")
        PyBuffer_FillInfo(buffer, self, impl.data, impl.nbytes, 0, flags)
        impl.exports += 1

    def __releasebuffer__(self, Py_buffer* buffer):
        self.storage.impl.exports -= 1


cdef UntypedStorage wrap_storage(StorageImpl* impl):
    cls = python_classes.get(UntypedStorage, UntypedStorage)
    cdef UntypedStorage self = cls.__new__(cls)
    release_storage(self.impl)
    retain_storage(impl)
    self.impl = impl
    return self


cdef Py_ssize_t _number(object value) except? -1:
    try:
        return value
    except OverflowError:
        raise ValueError("Overflow when unpacking long long") from None


@cython.binding(False)
cdef class UntypedStorage:
    """The bytes behind a tensor, without a type.

    Parameters
    ----------
    size : int, optional
        Number of bytes; they are not initialised.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.zeros(3).untyped_storage().nbytes()
    12
    """

    def __cinit__(self, size=0, *args, **kwargs):
        # a subclass may take other arguments, which it handles itself
        cdef Py_ssize_t nbytes = _number(size) if isinstance(size, int) else 0
        if nbytes < 0:
            raise RuntimeError(f"Storage size must be non-negative, got {size}")
        self.impl = new_storage(nbytes)

    def __dealloc__(self):
        if self.impl != NULL:
            release_storage(self.impl)

    def nbytes(self):
        """Return the size in bytes."""
        return self.impl.nbytes

    def size(self):
        """Return the size in bytes, which are the elements of an untyped storage."""
        return self.impl.nbytes

    def __len__(self):
        return self.impl.nbytes

    def data_ptr(self):
        """Return the address of the first byte, as an integer."""
        return <size_t>self.impl.data

    def element_size(self):
        """Return the size of one element in bytes: 1."""
        return 1

    def resizable(self):
        """Return whether `resize_` may change the size."""
        return not (self.impl.fixed_size or self.impl.exports)

    def resize_(self, size):
        """Change the size in bytes, keeping the content that still fits."""
        if type(size) is not int:
            raise RuntimeError(f"resize_ expects an int, but got {type(size).__name__}")
        size = _number(size)
        if size < 0:
            raise RuntimeError(f"Storage size must be non-negative, got {size}")
        resize_storage(self.impl, size)
        return self

    def __getitem__(self, index):
        cdef Py_ssize_t i, n = self.impl.nbytes
        if isinstance(index, slice):
            return self._part(index)
        if type(index) is not int:
            raise TypeError(f"can't index a torch.UntypedStorage with {type(index).__name__}")
        i = _number(index)
        i += n if i < 0 else 0
        if not 0 <= i < n:
            raise IndexError(f"index {i} out of range for storage of size {n}")
        return (<unsigned char*>self.impl.data)[i]

    cdef UntypedStorage _part(self, index):
        cdef Py_ssize_t start, stop, step
        cdef StorageImpl* part
        cdef UntypedStorage result
        start, stop, step = index.indices(self.impl.nbytes)
        if step != 1:
            raise RuntimeError(f"Trying to slice with a step of {step}, but only a step of 1 is supported")
        # the part points into this memory, which must therefore stay where it is
        self.impl.fixed_size = True
        part = external_storage(self.impl.data + start, max(stop - start, 0), self)
        result = wrap_storage(part)
        release_storage(part)
        return result

    def __setitem__(self, index, value):
        cdef Py_ssize_t i, n = self.impl.nbytes
        if not isinstance(value, int):
            raise RuntimeError(f"can only set storage content with a int types, but got {type(value).__name__} instead")
        if isinstance(index, slice):
            self._part(index).fill_(value)
            return
        if type(index) is not int:
            raise RuntimeError(f"can't index a torch.UntypedStorage with {type(index).__name__}")
        i = _number(index)
        if not 0 <= i < n:
            raise RuntimeError("out of bounds")
        (<unsigned char*>self.impl.data)[i] = value & 255

    def fill_(self, value):
        """Set every byte to `value`."""
        if not isinstance(value, int):
            raise RuntimeError(f"fill_ expects int, but got {type(value).__name__}")
        memset(self.impl.data, value & 255, self.impl.nbytes)
        return self

    def _bytes(self):
        """Return the bytes as a buffer; while it exists, the storage cannot be resized."""
        cdef _Bytes exporter = _Bytes.__new__(_Bytes)
        exporter.storage = self
        return memoryview(exporter)

    @property
    def _owner(self):
        """Return the owner of the memory if it is foreign."""
        return None if self.impl.owner == NULL else <object>self.impl.owner

    def _move_to(self, memoryview view, owner, copy=True):
        """Move to the memory of `view`, which `owner` keeps alive; unless `copy`, keep the bytes there.

        Returns a storage that holds the old memory if it may still be in use, and else None.
        """
        cdef StorageImpl* impl = self.impl
        cdef Py_buffer* target = PyMemoryView_GET_BUFFER(view)
        cdef UntypedStorage old = None
        if target.len < impl.nbytes:
            raise ValueError(f"{impl.nbytes} bytes do not fit in {target.len}")
        if copy:
            memcpy(target.buf, impl.data, impl.nbytes)
        if not (impl.fixed_size or impl.exports):
            release_data(impl)
        elif impl.data != inline_data(impl):
            old = UntypedStorage.__new__(UntypedStorage)
            old.impl.data = impl.data
            old.impl.capacity = old.impl.nbytes = impl.capacity
            old.impl.owner = impl.owner
            old.impl.fixed_size = True
        Py_INCREF(owner)
        impl.owner = <PyObject*>owner
        impl.data = <char*>target.buf
        impl.capacity = impl.nbytes
        impl.fixed_size = True
        return old

    def clone(self):
        """Return a copy with its own memory."""
        cls = type(self)
        cdef UntypedStorage other = cls.__new__(cls, self.impl.nbytes)
        memcpy(other.impl.data, self.impl.data, self.impl.nbytes)
        return other

    def __eq__(self, other):
        return isinstance(other, UntypedStorage) and (<UntypedStorage>other).impl == self.impl

    def __hash__(self):
        return hash(<size_t>self.impl)

    @property
    def _cdata(self):
        return <size_t>self.impl

    @property
    def device(self):
        """Where the bytes are: the CPU."""
        return "cpu"

    def tolist(self):
        """Return the bytes as a list of integers."""
        cdef Py_ssize_t k
        return [(<unsigned char*>self.impl.data)[k] for k in range(self.impl.nbytes)]
