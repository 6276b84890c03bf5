# The activation functions; each file with loops has one function that fills the tables.

cdef void register() except *
