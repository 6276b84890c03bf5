# Inner loops of scipy.special, which is imported when the first of them is needed.

# Fill the tables with SciPy's loops. Later calls do nothing.
cdef int load() except -1
