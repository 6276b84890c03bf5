# Several operations in one pass: scaled sums, interpolation, addcmul, losses, where.

cdef void register() except *
