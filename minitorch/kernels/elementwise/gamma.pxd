# The logarithm of the gamma function and its derivative.

cdef void register() except *
