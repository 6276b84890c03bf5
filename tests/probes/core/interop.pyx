"""What the tests see of the exchange of memory."""

cimport cython
from cpython.buffer cimport Py_buffer

from minitorch.core cimport dlpack, interop
from minitorch.core.dtype cimport dtype_of
from minitorch.core.tensor_impl cimport TensorImpl, sizes_tuple, strides_tuple


def from_numpy(array, warn=True):
    return interop.from_numpy(array, warn)


def to_numpy(TensorImpl t):
    return interop.to_numpy(t)


def frombuffer(buffer, int dtype, count=-1, offset=0):
    return interop.frombuffer(buffer, dtype, count, offset)


def to_dlpack(TensorImpl t, max_version=None, copied=False):
    return dlpack.to_dlpack(t, max_version, copied)


def from_capsule(capsule):
    return dlpack.from_capsule(capsule)


def from_dlpack(ext_tensor, copy=None):
    return dlpack.from_dlpack(ext_tensor, copy)


def geometry(TensorImpl t):
    """(sizes, strides, storage offset, dtype name, bytes of the storage, whether they are fixed)"""
    return (sizes_tuple(t), strides_tuple(t), t.storage_offset, dtype_of(t.dtype)._name,
            t.storage.nbytes, bool(t.storage.fixed_size))


@cython.binding(False)
cdef class Exporter:
    """An object with the buffer protocol, as a tensor class has it."""
    cdef TensorImpl impl

    def __cinit__(self, TensorImpl impl):
        self.impl = impl

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        interop.fill_buffer(self.impl, self, buffer, flags)

    def __releasebuffer__(self, Py_buffer* buffer):
        interop.release_buffer(buffer)

    def __dlpack__(self, *, max_version=None, **ignored):
        return dlpack.to_dlpack(self.impl, max_version)

    def __dlpack_device__(self):
        return (1, 0)
