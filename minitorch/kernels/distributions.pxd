# Filling memory with random numbers, number by number in the order PyTorch draws them.
#
# `out` holds n elements of `dtype`, `step` bytes apart. A call for n elements gives the numbers
# of two calls for parts of it: a strided tensor is filled run by run in the iterator's order.
# Parameters are checked here, with PyTorch's messages, before a number is drawn; a dtype that
# PyTorch's kernel has not raises NotImplementedError (except when there is nothing to fill).
#
# The generator is locked for the length of a call: callers may hold the GIL or not.

from minitorch.core.generator cimport Generator

# 1 with probability p, else 0
cdef int bernoulli_scalar(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                          double p) except -1 nogil
# the same with a p for each element; when one is outside [0, 1] the elements before are written
cdef int bernoulli_tensor(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                          int p_dtype, const char* p, Py_ssize_t p_step) except -1 nogil

cdef int exponential_(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                      double rate) except -1 nogil
cdef int geometric_(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                    double p) except -1 nogil
cdef int cauchy_(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                 double median, double sigma) except -1 nogil

# n numbers of rate 1 in float64; the caller has locked the generator
cdef void exponential_draws(Generator generator, double* out, Py_ssize_t n) noexcept nogil
