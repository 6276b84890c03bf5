# What complex numbers need beyond the borrowed loops.

cdef void register() except *
