# What the integers need that NumPy lacks or means otherwise.

cdef void register() except *
