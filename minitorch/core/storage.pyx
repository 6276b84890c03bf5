"""Reference-counted memory behind tensors.

The data of a small storage is in one block with its header, from the allocator's free lists. The data of
a larger one is in a block of its own. Resizing may move the data: tensors keep no pointer to it, but add
their offset to `StorageImpl.data` each time.
"""

from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.string cimport memcpy

from minitorch.core.address_table cimport AddressTable, find, insert, take_out
from minitorch.core.allocator cimport allocate, deallocate
from minitorch.core.memory_log cimport following, note_memory

cdef extern from *:
    """
    static _Thread_local int minitorch_release_depth = 0;     /* calls of `_release_with_owner` this thread is in */
    static _Thread_local void* minitorch_waiting = NULL;      /* storages to be freed, linked by their `data` */
    """
    int minitorch_release_depth
    void* minitorch_waiting


cdef StorageImpl* new_storage(Py_ssize_t nbytes) except NULL:
    cdef Py_ssize_t inline_bytes = nbytes if nbytes <= INLINE_LIMIT else 0
    cdef StorageImpl* self = <StorageImpl*>allocate(STORAGE_HEADER + inline_bytes)
    if inline_bytes == nbytes:
        self.data = inline_data(self)
    else:
        try:
            self.data = <char*>allocate(nbytes)
        except BaseException:
            deallocate(self, STORAGE_HEADER)
            raise
    self.refcount = 1
    self.counters = 0
    self.nbytes = nbytes
    self.capacity = nbytes
    self.version = 0
    self.fixed_size = False
    self.exports = 0
    self.owner = NULL
    self.inline_bytes = inline_bytes
    self.writer = NULL
    if following and nbytes:
        note_memory(self.data, nbytes)
    return self


cdef StorageImpl* external_storage(char* data, Py_ssize_t nbytes, object owner) except NULL:
    cdef StorageImpl* self = new_storage(0)
    self.data = data
    self.nbytes = self.capacity = nbytes
    self.fixed_size = True
    Py_INCREF(owner)
    self.owner = <PyObject*>owner
    return self


cdef void release_data(StorageImpl* self) noexcept:
    if following and self.capacity:
        note_memory(self.data, -self.capacity)
    if self.data != inline_data(self):
        deallocate(self.data, self.capacity)


cdef class Life:
    """A flag that is set when a storage ends. It does not keep the storage alive."""


cdef AddressTable _lives                 # address of a storage -> its Life, owned; made by `life_at`


cdef Life life_at(StorageImpl* self):
    cdef void* found = find(&_lives, <size_t>self)
    cdef Life life
    if found != NULL:
        return <Life>found
    life = Life.__new__(Life)
    insert(&_lives, <size_t>self, <void*>life)
    Py_INCREF(life)
    return life


cdef void _end_life(StorageImpl* self) noexcept:
    cdef void* life = take_out(&_lives, <size_t>self)
    if life != NULL:
        (<Life>life).ended = True
        Py_DECREF(<Life>life)


cdef inline void _free_header(StorageImpl* self) noexcept:
    if self.counters == 0:
        deallocate(self, STORAGE_HEADER + self.inline_bytes)


# Note [Chains of owners]
# An owner may itself hold a storage whose memory has an owner, and so on: arrays made from tensors made from arrays.
# Freeing them recursively could overflow the stack. So from a certain depth on, a storage without references is put on
# a list instead, and the call at that depth frees the storages on the list.
cdef enum:
    DEEPEST_RELEASE = 32


cdef void _release_with_owner(StorageImpl* self) noexcept:
    global minitorch_release_depth, minitorch_waiting
    if minitorch_release_depth == DEEPEST_RELEASE:
        self.data = <char*>minitorch_waiting         # foreign memory that is not read any more, so the field is free
        minitorch_waiting = self
        return
    minitorch_release_depth += 1
    while True:
        Py_DECREF(<object>self.owner)
        _free_header(self)
        if minitorch_release_depth < DEEPEST_RELEASE or minitorch_waiting == NULL:
            break
        self = <StorageImpl*>minitorch_waiting
        minitorch_waiting = self.data
    minitorch_release_depth -= 1


cdef void free_storage(StorageImpl* self) noexcept:
    if _lives.count:
        _end_life(self)
    if self.owner != NULL:
        _release_with_owner(self)
        return
    release_data(self)
    _free_header(self)


cdef void release_counter(StorageImpl* self) noexcept:
    self.counters -= 1
    if self.refcount == 0:
        _free_header(self)


cdef int resize_storage(StorageImpl* self, Py_ssize_t nbytes) except -1:
    cdef char* data
    if self.fixed_size or self.exports:
        raise RuntimeError("Trying to resize storage that is not resizable")
    if nbytes > self.capacity:
        data = <char*>allocate(nbytes)
        if following:
            note_memory(data, nbytes)
        memcpy(data, self.data, self.nbytes)
        release_data(self)
        self.data = data
        self.capacity = nbytes
    self.nbytes = nbytes
    return 0
