# Rounded division and remainders of floating-point numbers.

cdef void register() except *
