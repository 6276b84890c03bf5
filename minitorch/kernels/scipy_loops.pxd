# Inner loops borrowed from scipy.special, which is imported when the first of them is wanted.

# Fill the tables with SciPy's loops. Does nothing from the second time on.
cdef int load() except -1
