# Random integers and permutations; the conventions are those of distributions.pxd.

from libc.stdint cimport int64_t, uint64_t

from minitorch.core.generator cimport Generator

# What random_(from_, to) means for a dtype, after PyTorch's checks: size numbers from base. Where
# not has_to, `to` is behind the type's maximum. Returns 1 when these are all the 64-bit patterns,
# which random_full_64_bits_range gives. A floating type gets a range whose ends it can represent;
# one with holes draws a UserWarning.
cdef int random_range(int dtype, int64_t from_, bint has_to, int64_t to, uint64_t* size,
                      int64_t* base) except -1

# base <= x < base + size, by remainder, from 64 bits when size >= 2**28
cdef int random_from_to(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                        uint64_t size, int64_t base) except -1 nogil
# every 64-bit pattern: random_(-2**63, None)
cdef int random_full_64_bits_range(Generator generator, int dtype, char* out, Py_ssize_t n,
                                   Py_ssize_t step) except -1 nogil
# random_(): 0 to the type's maximum; of a floating type to 2**(its digits)
cdef int random_(Generator generator, int dtype, char* out, Py_ssize_t n,
                 Py_ssize_t step) except -1 nogil

# 0 to n - 1 in random order; `out` is contiguous
cdef int randperm(Generator generator, int dtype, char* out, Py_ssize_t n) except -1 nogil
