# Types that are computed in another type, their carrier; see carried.pyx.

# Fill the tables for them from the rows of the other types; must be called last.
cdef void register() except *
