# The modified Bessel functions I0 and I1, also exponentially scaled.

cdef void register() except *
