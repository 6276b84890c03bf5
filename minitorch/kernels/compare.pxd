# Comparisons, logical operators and predicates: everything whose result is Bool.

cdef void register() except *
