# Normal numbers; the conventions are those of distributions.pxd.

from minitorch.core.generator cimport Generator

# A whole contiguous tensor of n elements: 16 and more by blocks, fewer one by one. Complex: both
# parts, with the deviation divided by the square root of 2.
cdef int normal_(Generator generator, int dtype, char* out, Py_ssize_t n, double mean,
                 double std) except -1 nogil
# One by one: what PyTorch does for a tensor that is not contiguous. Two calls for parts give what
# one call gives, since an odd number left over is kept in the generator.
cdef int normal_serial(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                       double mean, double std) except -1 nogil
# exp of a normal number, one by one
cdef int log_normal_(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                     double mean, double std) except -1 nogil

# the next standard normal number, one by one; the caller has locked the generator
cdef double standard_normal(Generator generator) noexcept nogil
