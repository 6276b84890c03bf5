# The derivatives of the activation functions, as binary operators (grad, x or result).

cdef void register() except *
