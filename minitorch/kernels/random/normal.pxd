# Normal random numbers, with the conventions of distributions.pxd.

from minitorch.core.generator cimport Generator

# Fills a contiguous tensor of n elements: by blocks from 16 elements on, fewer one by one. For complex numbers
# fills both parts, with the standard deviation divided by the square root of 2.
cdef int normal_(Generator generator, int dtype, char* out, Py_ssize_t n, double mean,
                 double std) except -1 nogil
# Fills one by one, as PyTorch does for a tensor that is not contiguous. Two calls for parts give the same numbers
# as one call, since the generator keeps the second number of a pair.
cdef int normal_serial(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                       double mean, double std) except -1 nogil
# exp of a normal number, one by one
cdef int log_normal_(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                     double mean, double std) except -1 nogil

# the next standard normal number, one by one; the caller has locked the generator
cdef double standard_normal(Generator generator) noexcept nogil
