# The modified Bessel functions I0 and I1, scaled too.

cdef void register() except *
