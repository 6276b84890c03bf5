# Arithmetic on floating numbers that is faster than what can be borrowed.

cdef void register() except *
