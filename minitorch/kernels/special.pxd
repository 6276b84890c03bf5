# The special functions: erf and its relatives, log-gamma, x log y.

cdef void register() except *
