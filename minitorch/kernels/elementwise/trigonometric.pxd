# Sine and cosine in float64.

cdef void register() except *
