# The activation functions. Every file with loops has a function `register` that fills the kernel tables.

cdef void register() except *
