# Hurwitz' zeta function, trigamma, and the spherical Bessel function j0.

cdef void register() except *
