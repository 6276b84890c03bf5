# Types that are computed in another one, their carrier; see carried.pyx.

# Fill the tables for them, from the rows of the other types: at last.
cdef void register() except *
