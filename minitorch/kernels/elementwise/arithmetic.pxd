# Arithmetic on floating-point numbers, where our own loops are faster than NumPy's.

cdef void register() except *
