"""NumPy arrays and buffers: the same memory seen from both sides.

Lifetimes
---------
in:  storage -> `owner` (the array; for a buffer, the memoryview that holds it) -> memory
out: array -> base (`UntypedStorage`) -> storage -> memory. A buffer holds the storage itself,
     because its exporter may be given other memory while the buffer is in use.
"""


cimport numpy as cnp
from cpython.buffer cimport (
    PyBUF_ANY_CONTIGUOUS, PyBUF_C_CONTIGUOUS, PyBUF_F_CONTIGUOUS, PyBUF_FORMAT, PyBUF_ND,
    PyBUF_SIMPLE, PyBUF_STRIDES, PyBUF_WRITABLE, Py_buffer, PyBuffer_IsContiguous,
    PyBuffer_Release, PyObject_CheckBuffer, PyObject_GetBuffer)
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject

from minitorch.core.dtype cimport (
    Bool, Complex64, Complex128, Float16, Float32, Float64, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64,
    dtype_of, from_numpy_type, itemsizes, to_numpy_type)
from minitorch.core.storage cimport StorageImpl, release_storage, retain_storage
from minitorch.core.untyped_storage cimport wrap_storage
from minitorch.core.tensor_impl cimport (
    CONTIGUOUS, MAX_DIMS, TensorImpl, data, external, ndim, numel, sizes, strides)

from minitorch.core.class_names import type_name
from minitorch.core.once import warn_once

cnp.import_array()


# ---- NumPy

cdef TensorImpl from_numpy(object array, bint warn_if_not_writable=True):
    cdef cnp.ndarray a
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] s
    cdef Py_ssize_t extent = 1, item, step
    cdef int d, code
    cdef bint negative = False
    if not isinstance(array, cnp.ndarray):
        raise TypeError(f"expected np.ndarray (got {type_name(array)})")
    a = array
    if warn_if_not_writable and not cnp.PyArray_ISWRITEABLE(a):
        warn_once(
            "The given NumPy array is not writable, and PyTorch does not support non-writable "
            "tensors. This means writing to this tensor will result in undefined behavior. You may "
            "want to copy the array to protect its data or make it writable before converting it "
            "to a tensor. This type of warning will be suppressed for the rest of this program.")
    item = cnp.PyArray_ITEMSIZE(a)
    for d in range(a.ndim):
        step = cnp.PyArray_STRIDE(a, d)
        if item and step % item:
            raise ValueError("given numpy array strides not a multiple of the element byte size. "
                             "Copy the numpy array to reallocate the memory.")
        n[d] = a.shape[d]
        s[d] = step // item if item else 0
        negative = negative or step < 0
    if negative:
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array  with array.copy().) ")
    if not cnp.PyArray_ISNOTSWAPPED(a):
        raise ValueError("given numpy array has byte order different from the native byte order. "
                         "Conversion between byte orders is currently not supported.")
    code = from_numpy_type(cnp.PyArray_TYPE(a))
    for d in range(a.ndim):
        extent = 0 if n[d] == 0 or extent == 0 else extent + (n[d] - 1) * s[d]
    return external(<char*>cnp.PyArray_DATA(a), extent * item, a, a.ndim, n, s, code)


cdef object to_numpy(TensorImpl self, bint lasting=True):
    cdef cnp.npy_intp[MAX_DIMS] n
    cdef cnp.npy_intp[MAX_DIMS] s
    cdef cnp.ndarray array
    cdef int d, numpy_type = to_numpy_type(self.dtype)
    for d in range(ndim(self)):
        n[d] = sizes(self)[d]
        s[d] = strides(self)[d] * itemsizes[self.dtype]
    array = cnp.PyArray_New(cnp.ndarray, ndim(self), n, numpy_type, s, data(self), 0,
                            cnp.NPY_ARRAY_WRITEABLE, None)
    if lasting:
        cnp.set_array_base(array, wrap_storage(self.storage))
        self.storage.fixed_size = True
    else:
        cnp.set_array_base(array, wrap_storage(self.storage)._bytes())
    return array


# ---- the buffer protocol

cdef class _Borrowed:
    """An object that holds a foreign buffer while a storage uses its memory."""
    cdef Py_buffer buffer

    def __dealloc__(self):
        PyBuffer_Release(&self.buffer)

    @property
    def obj(self):
        """The object that the buffer belongs to."""
        return None if <PyObject*>self.buffer.obj == NULL else self.buffer.obj


cdef TensorImpl frombuffer(object buffer, int dtype, Py_ssize_t count=-1, Py_ssize_t offset=0):
    cdef _Borrowed owner
    cdef Py_ssize_t item = itemsizes[dtype], length
    if not PyObject_CheckBuffer(buffer):
        raise ValueError("object does not implement Python buffer protocol.")
    owner = _Borrowed.__new__(_Borrowed)
    try:
        PyObject_GetBuffer(buffer, &owner.buffer, PyBUF_WRITABLE)
    except Exception:
        try:
            PyObject_GetBuffer(buffer, &owner.buffer, PyBUF_SIMPLE)
        except Exception:
            raise RuntimeError("could not retrieve buffer from object") from None
    length = owner.buffer.len
    if owner.buffer.readonly:
        warn_once(
            "The given buffer is not writable, and PyTorch does not support non-writable tensors. "
            "This means you can write to the underlying (supposedly non-writable) buffer using the "
            "tensor. You may want to copy the buffer to protect its data or make it writable "
            "before converting it to a tensor. This type of warning will be suppressed for the "
            "rest of this program.")
    if length <= 0 or count == 0:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if offset < 0 or offset >= length:
        raise ValueError(f"offset ({offset} bytes) must be non-negative and no greater than buffer "
                         f"length ({length} bytes) minus 1")
    if count < 0:
        if (length - offset) % item:
            raise ValueError(f"buffer length ({length - offset} bytes) after offset ({offset} "
                             f"bytes) must be a multiple of element size ({item})")
        count = (length - offset) // item
    elif count > (length - offset) // item:
        raise ValueError(
            f"requested buffer length ({count} * {item} bytes) after offset ({offset} bytes) must "
            f"not be greater than actual buffer length ({length} bytes)")
    return external(<char*>owner.buffer.buf + offset, count * item, owner, 1, &count, NULL, dtype)


# in Python's struct notation, with NumPy's Z for complex
cdef dict _formats = {UInt8: b"B", Int8: b"b", Int16: b"h", Int32: b"i", Int64: b"q", Float16: b"e", Float32: b"f",
                      Float64: b"d", Complex64: b"Zf", Complex128: b"Zd", Bool: b"?", UInt16: b"H", UInt32: b"I",
                      UInt64: b"Q"}


cdef bint _accepts(TensorImpl self, int flags, Py_buffer* buffer) noexcept:
    """Return whether the layout is one that the consumer accepts."""
    if flags & PyBUF_C_CONTIGUOUS == PyBUF_C_CONTIGUOUS:
        return PyBuffer_IsContiguous(buffer, b"C")
    if flags & PyBUF_F_CONTIGUOUS == PyBUF_F_CONTIGUOUS:
        return PyBuffer_IsContiguous(buffer, b"F")
    if flags & PyBUF_ANY_CONTIGUOUS == PyBUF_ANY_CONTIGUOUS:
        return PyBuffer_IsContiguous(buffer, b"A")
    return flags & PyBUF_STRIDES == PyBUF_STRIDES or self.geometry.flags & CONTIGUOUS


cdef int fill_buffer(TensorImpl self, object exporter, Py_buffer* buffer, int flags) except -1:
    cdef int d, n = ndim(self)
    cdef Py_ssize_t* shape
    cdef Py_ssize_t item = itemsizes[self.dtype]
    cdef bytes format = _formats.get(self.dtype)
    if flags & PyBUF_FORMAT and format is None:
        raise BufferError(f"the buffer protocol has no format for {dtype_of(self.dtype)._name}")
    # storage, then sizes and strides in one block
    shape = <Py_ssize_t*>PyMem_Malloc((1 + 2 * n) * sizeof(Py_ssize_t))
    if shape == NULL:
        raise MemoryError()
    buffer.internal = shape
    (<StorageImpl**>shape)[0] = self.storage
    shape += 1
    for d in range(n):
        shape[d] = sizes(self)[d]
        shape[n + d] = strides(self)[d] * item
    buffer.buf = data(self)
    buffer.len = numel(self) * item
    buffer.itemsize = item
    buffer.readonly = False
    buffer.format = NULL
    if flags & PyBUF_FORMAT:
        buffer.format = <char*>format       # the table keeps it
    buffer.ndim = n
    buffer.shape = shape if flags & PyBUF_ND else NULL
    buffer.strides = shape + n if (flags & PyBUF_STRIDES) == PyBUF_STRIDES else NULL
    buffer.suboffsets = NULL
    if not _accepts(self, flags, buffer):
        PyMem_Free(buffer.internal)
        raise BufferError("tensor is not contiguous in the way the consumer needs")
    retain_storage(self.storage)
    self.storage.fixed_size = True
    buffer.obj = exporter
    return 0


cdef void release_buffer(Py_buffer* buffer) noexcept:
    release_storage((<StorageImpl**>buffer.internal)[0])
    PyMem_Free(buffer.internal)
