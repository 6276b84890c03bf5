# Which memory of tensors was taken and given back while somebody follows it.

cdef bint following                                             # tested wherever memory changes hands

# `nbytes` bytes at `address` were taken; negative: given back
cdef void note_memory(void* address, Py_ssize_t nbytes) noexcept
