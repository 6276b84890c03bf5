# Powers of floating-point and complex numbers with one exponent for all elements.

cdef void register() except *
