# Distributions sampled by rejection, which takes a varying number of random words for each number. The
# conventions are those of distributions.pxd. Parameters have the dtype of the output.

from minitorch.core.generator cimport Generator

cdef int poisson(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                 const char* rate, Py_ssize_t rate_step) except -1 nogil
# results are at least the smallest normal number of the dtype
cdef int standard_gamma(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                        const char* alpha, Py_ssize_t alpha_step) except -1 nogil
cdef int binomial(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                  const char* count, Py_ssize_t count_step, const char* prob,
                  Py_ssize_t prob_step) except -1 nogil
