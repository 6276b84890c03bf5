# Rounded division and remainders of floating numbers.

cdef void register() except *
