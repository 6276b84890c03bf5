"""A hash table in C memory, in which only an insertion can fail.

A ``__dealloc__`` that removes a raw pointer from a table must not fail. To look it up in a Python set or dictionary,
it would have to allocate an integer, and if that failed the pointer would stay. In this table a removed entry keeps
its place until the table grows (open addressing with linear probing; Knuth, "Sorting and Searching", section 6.4).
"""

from libc.stdlib cimport calloc, free


cdef inline Py_ssize_t _place(const AddressTable* table, size_t key) noexcept:
    """Return the place of the key, or the free place where it would be inserted."""
    cdef Py_ssize_t k = <Py_ssize_t>((key >> 4 ^ key) * <size_t>0x9E3779B97F4A7C15u >> 20) & (table.capacity - 1)
    while table.entries[k].key != 0 and table.entries[k].key != key:
        k = (k + 1) & (table.capacity - 1)
    return k


cdef int _make_room(AddressTable* table) except -1:
    cdef AddressTable grown
    cdef Py_ssize_t k, place
    grown.capacity = 64
    while grown.capacity < 4 * (table.count + 1):
        grown.capacity *= 2
    grown.used = grown.count = table.count
    grown.entries = <Entry*>calloc(grown.capacity, sizeof(Entry))
    if grown.entries == NULL:
        raise MemoryError
    for k in range(table.capacity):
        if table.entries[k].value != NULL:
            place = _place(&grown, table.entries[k].key)
            grown.entries[place] = table.entries[k]
    free(table.entries)
    table[0] = grown
    return 0


cdef int insert(AddressTable* table, size_t key, void* value) except -1:
    cdef Py_ssize_t k
    if 2 * (table.used + 1) > table.capacity:
        _make_room(table)
    k = _place(table, key)
    if table.entries[k].key == 0:
        table.used += 1
    table.entries[k].key = key
    table.entries[k].value = value
    table.count += 1
    return 0


cdef void* find(const AddressTable* table, size_t key) noexcept:
    return NULL if table.count == 0 else table.entries[_place(table, key)].value


cdef void* take_out(AddressTable* table, size_t key) noexcept:
    cdef Py_ssize_t k
    cdef void* value
    if table.count == 0:
        return NULL
    k = _place(table, key)
    value = table.entries[k].value
    if value != NULL:
        table.entries[k].value = NULL
        table.count -= 1
    return value


cdef void* take_next(AddressTable* table, Py_ssize_t* cursor) noexcept:
    while cursor[0] < table.capacity:
        cursor[0] += 1
        if table.entries[cursor[0] - 1].value != NULL:
            return take_out(table, table.entries[cursor[0] - 1].key)
    return NULL
