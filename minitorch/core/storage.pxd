# The memory of one or more tensors. `StorageImpl` is a reference-counted C struct, so that a tensor
# needs one Python object and not two; `UntypedStorage` (untyped_storage.pyx) is its handle in Python.

from cpython.object cimport PyObject

cdef struct StorageImpl:
    int refcount                      # tensors and handles that use `data`
    int counters                      # VersionCounters that count in `version`, but do not use `data`
    char* data
    Py_ssize_t nbytes                 # the size that the user sees
    Py_ssize_t capacity               # the size of `data` in bytes, at least `nbytes`
    unsigned int version              # the version counter of the storage's first tensor and its views
    signed char fixed_size            # cannot be resized, such as foreign memory
    unsigned short exports            # buffers over `data`, which must not move while there are any
    PyObject* owner                   # the owner of foreign memory: an ndarray, a DLPack capsule; else NULL
    Py_ssize_t inline_bytes           # bytes that follow the struct in its own block
    const char* writer                # name of the node of the last recorded write in place; NULL: none

cdef enum:
    STORAGE_HEADER = 64               # sizeof(StorageImpl) rounded up, so that inline data are aligned
    INLINE_LIMIT = 16384              # storages up to this many bytes are one block with their header

cdef StorageImpl* new_storage(Py_ssize_t nbytes) except NULL       # uninitialised; refcount 1
cdef StorageImpl* external_storage(char* data, Py_ssize_t nbytes, object owner) except NULL
cdef void free_storage(StorageImpl* self) noexcept
cdef int resize_storage(StorageImpl* self, Py_ssize_t nbytes) except -1   # keeps the content, but may move it

cdef inline void retain_storage(StorageImpl* self) noexcept:
    self.refcount += 1

cdef inline void release_storage(StorageImpl* self) noexcept:
    self.refcount -= 1
    if self.refcount == 0:
        free_storage(self)

# A version counter uses `version`, with or without `data`: see `become` in tensor_impl.pyx
cdef inline void retain_counter(StorageImpl* self) noexcept:
    self.counters += 1

cdef void release_counter(StorageImpl* self) noexcept

cdef inline char* inline_data(StorageImpl* self) noexcept:
    """Return the address of the data that are in one block with the header."""
    return <char*>self + STORAGE_HEADER

cdef void release_data(StorageImpl* self) noexcept

cdef class Life:                      # a flag that is set when a storage ends
    cdef readonly bint ended

cdef Life life_at(StorageImpl* self)
