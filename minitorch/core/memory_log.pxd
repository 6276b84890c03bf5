# A log of the tensor memory that is allocated and freed, kept while the profiler follows it.

cdef bint following                                             # tested wherever memory changes hands

# `nbytes` bytes at `address` were allocated; negative: freed
cdef void note_memory(void* address, Py_ssize_t nbytes) noexcept
