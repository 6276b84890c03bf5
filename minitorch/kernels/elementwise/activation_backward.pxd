# The derivatives of the activation functions, as binary operators on (grad, x or result).

cdef void register() except *
