# Fill memory with random numbers, one after the other in the order in which PyTorch draws them.
#
# `out` holds n elements of `dtype`, `step` bytes apart. A call for n elements gives the same numbers as two calls
# for parts of them, since a strided tensor is filled run by run in the iterator's order. Parameters are checked
# here, with PyTorch's messages, before a number is drawn. A dtype that PyTorch's kernel does not support raises
# NotImplementedError, unless there is nothing to fill.
#
# The generator is locked during a call; callers may hold the GIL or not.

from minitorch.core.generator cimport Generator

# 1 with probability p, else 0
cdef int bernoulli_scalar(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                          double p) except -1 nogil
# the same with a p for each element; if one is outside [0, 1], the elements before it are written
cdef int bernoulli_tensor(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                          int p_dtype, const char* p, Py_ssize_t p_step) except -1 nogil

cdef int exponential_(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                      double rate) except -1 nogil
cdef int geometric_(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                    double p) except -1 nogil
cdef int cauchy_(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                 double median, double sigma) except -1 nogil

# n exponential numbers of rate 1 in float64; the caller has locked the generator
cdef void exponential_draws(Generator generator, double* out, Py_ssize_t n) noexcept nogil
