# Uniform random numbers, with the conventions of distributions.pxd.

from minitorch.core.generator cimport Generator

# from_ <= x < to; for complex numbers, in both parts
cdef int uniform_(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                  double from_, double to) except -1 nogil
