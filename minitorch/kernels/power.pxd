# Powers of floating and complex numbers with one exponent for all.

cdef void register() except *
