# Sampling of categories, with the conventions of distributions.pxd.

from libc.stdint cimport int64_t

from minitorch.core.generator cimport Generator

# For each row of `p` (rows x categories, contiguous, weights that need not sum to 1), draw `samples` categories
# to `out` (rows x samples, contiguous), in the order in which they are drawn.
cdef int multinomial(Generator generator, int dtype, const char* p, Py_ssize_t rows,
                     Py_ssize_t categories, int64_t* out, Py_ssize_t samples,
                     bint replacement) except -1 nogil
