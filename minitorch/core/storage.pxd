# The memory of one or more tensors. `StorageImpl` is a reference-counted C struct, so that a tensor
# costs one Python object and not two; `UntypedStorage` is the handle that Python code sees.

from cpython.object cimport PyObject

cdef struct StorageImpl:
    int refcount                      # tensors and handles that use `data`
    int counters                      # version counters that have outlived their tensor's use of `data`
    char* data
    Py_ssize_t nbytes                 # what the user sees; capacity may be larger
    Py_ssize_t capacity               # bytes that `data` has
    unsigned int version              # the version counter of the storage's first tensor and its views
    signed char fixed_size            # cannot be resized: foreign memory
    unsigned short exports            # buffers that look at `data`: it must stay where it is
    PyObject* owner                   # who owns `data`, when it is not ours: an ndarray, a DLPack capsule
    Py_ssize_t inline_bytes           # bytes that follow the struct in its own block
    const char* writer                # name of the node that last wrote in place, recorded; NULL: none

cdef enum:
    STORAGE_HEADER = 64               # sizeof(StorageImpl) rounded up, so that inline data are aligned
    INLINE_LIMIT = 16384              # storages up to this many bytes are one block with their header

cdef StorageImpl* new_storage(Py_ssize_t nbytes) except NULL       # uninitialised; refcount 1
cdef StorageImpl* external_storage(char* data, Py_ssize_t nbytes, object owner) except NULL
cdef void free_storage(StorageImpl* self) noexcept
cdef int resize_storage(StorageImpl* self, Py_ssize_t nbytes) except -1   # keeps the content; may move it

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

cdef class UntypedStorage:
    cdef StorageImpl* impl            # owned reference
    cdef UntypedStorage _part(self, index)                # a slice: the same memory

cdef UntypedStorage wrap_storage(StorageImpl* impl)
