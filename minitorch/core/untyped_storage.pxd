# The handle of a storage in Python.

from minitorch.core.storage cimport StorageImpl

cdef class UntypedStorage:
    cdef StorageImpl* impl            # owned reference
    cdef UntypedStorage _part(self, index)                # a slice: the same memory

cdef UntypedStorage wrap_storage(StorageImpl* impl)
