# The special functions: erf and related functions, log-gamma, x log y.

cdef void register() except *
