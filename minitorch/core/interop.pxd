# Memory shared with NumPy and with anything that speaks Python's buffer protocol. Nothing is
# copied:
# a tensor made here keeps the foreign object alive, and what is handed out keeps the storage alive.
#
# A storage that has been handed out never moves: it is marked `fixed_size`, so `resize_` refuses.

from cpython.buffer cimport Py_buffer

from minitorch.core.tensor_impl cimport TensorImpl

# ---- in
# TypeError when it is no array or its type is not supported, ValueError for byte order and strides.
# A read-only array gives a UserWarning, once, unless `warn_if_not_writable` is False
cdef TensorImpl from_numpy(object array, bint warn_if_not_writable=*)
# torch.frombuffer; a negative count: as many elements as there are
cdef TensorImpl frombuffer(object buffer, int dtype, Py_ssize_t count=*, Py_ssize_t offset=*)

# ---- out
# the memory cannot be resized any more, or while the array is there
cdef object to_numpy(TensorImpl self, bint lasting=*)
# The body of __getbuffer__ and __releasebuffer__ of a class that holds an impl
cdef int fill_buffer(TensorImpl self, object exporter, Py_buffer* buffer, int flags) except -1
cdef void release_buffer(Py_buffer* buffer) noexcept
