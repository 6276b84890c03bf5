# Comparisons, logical operators and predicates: all operators whose result is Bool.

cdef void register() except *
