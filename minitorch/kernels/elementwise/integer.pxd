# Integer operators that NumPy lacks or defines differently.

cdef void register() except *
