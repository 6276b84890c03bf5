# A table from addresses, or other numbers, to pointers, for what is looked up while an object is freed.


cdef struct Entry:
    size_t key                          # 0: free
    void* value                         # NULL: taken out


cdef struct AddressTable:
    Entry* entries
    Py_ssize_t capacity                 # a power of two, or 0
    Py_ssize_t used                     # entries that are not free, those taken out as well
    Py_ssize_t count                    # what is in the table


cdef int insert(AddressTable* table, size_t key, void* value) except -1   # the key is not in it, and not 0
cdef void* find(const AddressTable* table, size_t key) noexcept           # NULL: it is not in it
cdef void* take_out(AddressTable* table, size_t key) noexcept             # the same
# One after the other, from cursor 0 on; NULL at the end
cdef void* take_next(AddressTable* table, Py_ssize_t* cursor) noexcept
